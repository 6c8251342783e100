package io.miniinference.codegen;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.Op;
import io.miniinference.ir.TensorType;
import io.miniinference.layout.Affine;
import io.miniinference.layout.IndexFunction;
import io.miniinference.lower.LoweredStep;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// What all kernels of one TopK have in common: the rows of its operand, entries of their elements
/// ([RankedEntry]), scratch, and how results are stored. Elements are moved as bits.
public final class TopKText {
  private static final Template RANK_OF_FLOAT =
      Template.of(
          "rank of a float",
          """
          $word bits = $read;
          const $word size = bits & $magnitude;
          bits = size > $infinity ? $magnitude : size == 0 ? 0 : bits;
          const $word rank = ${all} & $flip(bits & $sign ? ~bits : bits | $sign);
          """);

  private static final Template RANK_OF_WHOLE =
      Template.of("rank of a whole number", "const $word rank = $all & $flip($read ^ $sign);");

  private final LoweredStep step;
  private final Op.TopK op;
  private final TensorType x;
  private final RankedEntry entry;
  private final KernelText text = new KernelText();

  /// @param group work items of a work-group
  public TopKText(LoweredStep step, int group) {
    this.step = step;
    op = op(step);
    x = step.node().inputs().getFirst().type();
    entry = RankedEntry.of(x.element());
    text.group(group);
  }

  public static Op.TopK op(LoweredStep step) {
    return (Op.TopK) step.node().op();
  }

  /// How many elements of a row are wanted.
  public long k() {
    return op.k();
  }

  /// Whether the largest elements come first, and not the least.
  public boolean isLargest() {
    return op.largest();
  }

  public ElementType elementType() {
    return x.element();
  }

  public KernelText text() {
    return text;
  }

  public RankedEntry entry() {
    return entry;
  }

  /// The number of rows of an operand.
  public static Affine rows(TensorType x, int axis) {
    return IntStream.range(0, x.rank())
        .filter(i -> i != axis)
        .mapToObj(x::dim)
        .reduce(Affine.ONE, Affine::times);
  }

  /// Statements that declare the coordinates outside the row of that number.
  public String coordinates(String row) {
    List<Affine> outer = new ArrayList<>(x.shape());
    outer.set(op.axis(), Affine.ONE);
    List<Coordinate> at = IndexText.coordinates(outer, row);
    return IntStream.range(0, outer.size())
        .filter(axis -> axis != op.axis())
        .mapToObj(axis -> "const long i%d = %s;".formatted(axis, at.get(axis).whole()))
        .collect(Collectors.joining("\n"));
  }

  private String offset(IndexFunction index, String place) {
    List<Coordinate> at =
        IntStream.range(0, x.rank())
            .mapToObj(i -> Coordinate.of(i == op.axis() ? place : "i" + i))
            .toList();
    return IndexText.offset(index, at);
  }

  /// Text of the number of the operand's element at `place` of the row.
  public String element(String place) {
    return offset(step.inputs().getFirst().index(), place);
  }

  /// Declares the operand.
  public void declareOperand() {
    text.pointer("x", bits(x.element()), step.inputs().getFirst(), false);
  }

  /// Declares the results.
  public void declareResults() {
    for (int i = 0; i < op.parts().size(); i++) {
      text.pointer(name(op.parts().get(i)), stored(op.parts().get(i)), step.outputs().get(i), true);
    }
  }

  private static String name(Op.TopK.Part part) {
    return part.name().toLowerCase(Locale.ROOT);
  }

  private CType stored(Op.TopK.Part part) {
    return part == Op.TopK.Part.VALUES ? bits(x.element()) : CType.I64;
  }

  /// Declares scratch as a pointer to entries.
  public void declareScratch(String name, int scratch) {
    text.entries(name, entry.type(), step.scratch().get(scratch).id());
  }

  /// Statements that declare the `rank` of the element at `place`.
  public String rank(String place) {
    boolean wide = x.element().bytes() > 4;
    int width = 8 * x.element().bytes();
    String read = "x[" + element(place) + "]";
    String flip = op.largest() ? "~" : "";
    long all = width == 64 ? -1 : (1L << width) - 1;
    long sign = 1L << (width - 1);
    if (!x.element().isFloat()) {
      return RANK_OF_WHOLE
          .with("word", wide ? "ulong" : "uint")
          .with("all", literal(all, wide))
          .with("flip", flip)
          .with("read", read)
          .with("sign", literal(isSigned(x.element()) ? sign : 0, wide))
          .text();
    }
    return RANK_OF_FLOAT
        .with("word", wide ? "ulong" : "uint")
        .with("read", read)
        .with("magnitude", literal(sign - 1, wide))
        .with("infinity", literal(infinity(x.element()), wide))
        .with("all", literal(all, wide))
        .with("flip", flip)
        .with("sign", literal(sign, wide))
        .text();
  }

  private static boolean isSigned(ElementType type) {
    return switch (type) {
      case I8, I16, I32, I64 -> true;
      case U8, U16, U32, U64, BOOL, F16, BF16, F32, F64 -> false;
    };
  }

  private static long infinity(ElementType type) {
    return switch (type) {
      case F16 -> 0x7c00L;
      case BF16 -> 0x7f80L;
      case F32 -> 0x7f80_0000L;
      case F64 -> 0x7ff0_0000_0000_0000L;
      case I8, I16, I32, I64, U8, U16, U32, U64, BOOL ->
          throw new IllegalStateException(type + " has no infinity");
    };
  }

  private static String literal(long value, boolean wide) {
    return "0x" + Long.toHexString(value) + (wide ? "ul" : "u");
  }

  /* Bits of an element, as an unsigned number. */
  private static CType bits(ElementType type) {
    return switch (type.bytes()) {
      case 1 -> CType.U8;
      case 2 -> CType.U16;
      case 4 -> CType.U32;
      default -> CType.U64;
    };
  }

  /// Statements that store entry `entryText` as the result at `place`.
  public String store(String place, String entryText) {
    List<String> lines = new ArrayList<>();
    String from = entry.type() + "_place(" + entryText + ")";
    for (int i = 0; i < op.parts().size(); i++) {
      String to =
          name(op.parts().get(i)) + "[" + offset(step.outputs().get(i).index(), place) + "]";
      lines.add(
          to
              + " = "
              + switch (op.parts().get(i)) {
                case VALUES -> "x[" + offset(step.inputs().getFirst().index(), from) + "];";
                case INDICES -> from + ";";
              });
    }
    return String.join("\n", lines);
  }
}
