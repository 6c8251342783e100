package io.miniinference.ops.math;

import io.miniinference.ir.CodedType;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Value;
import io.miniinference.onnx.Quote;
import io.miniinference.onnx.wire.TensorProto.DataType;
import io.miniinference.ops.draft.LoweringFault;
import io.miniinference.ops.node.OpContext;
import io.miniinference.ops.node.OpTable;
import io.miniinference.ops.small.SmallTypes;
import io.miniinference.ops.small.SmallTypes.Rounding;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.Supplier;

/// Conversions between element types.
public final class CastOps {
  private static final Optional<CodedType> STRING = Optional.of(CodedType.STRING);

  private CastOps() {}

  public static void addTo(OpTable table) {
    table
        .row("Cast", 1, "1", "to saturate=1 round_mode=up", CastOps::castByName)
        .row("Cast", 6, "1", "to saturate=1 round_mode=up", CastOps::cast)
        .row("CastLike", 15, "2", "saturate=1 round_mode=up", CastOps::castLike)
        .row("BitCast", 26, "1", "to", BitPatterns::bitCast);
  }

  /// Before opset 6: to a type that is named.
  private static Value castByName(OpContext c) {
    String name = c.attrString("to");
    return Arrays.stream(DataType.values())
        .filter(type -> type.name().equals(name))
        .findFirst()
        .map(type -> cast(c, type.getNumber()))
        .orElseThrow(
            () -> LoweringFault.of("casts to %s, which is no type".formatted(Quote.of(name))));
  }

  private static Value cast(OpContext c) {
    return cast(c, (int) c.attrInt("to"));
  }

  private static Value cast(OpContext c, int number) {
    Optional<CodedType> to = CodedType.ofOnnx(number);
    return converted(c, to, () -> OpContext.elementType(number));
  }

  private static Value castLike(OpContext c) {
    return converted(c, c.coded(1), () -> c.element(1));
  }

  private static Value converted(OpContext c, Optional<CodedType> to, Supplier<ElementType> plain) {
    Optional<CodedType> from = c.coded(0);
    if (from.isPresent() && from.equals(to)) {
      return c.in(0);
    }
    refuseStrings(c, from, to);
    Value numbers = from.map(type -> SmallTypes.numbers(c, c.in(0), type)).orElse(c.in(0));
    Rounding rounding = new Rounding(c.attrBool("saturate"), c.attrString("round_mode"));
    return to.map(type -> SmallTypes.codes(c, numbers, type, rounding))
        .orElseGet(() -> c.cast(numbers, plain.get()));
  }

  /* Their codes are no numbers to convert. */
  private static void refuseStrings(OpContext c, Optional<CodedType> from, Optional<CodedType> to) {
    if (from.equals(STRING) || to.equals(STRING)) {
      throw LoweringFault.of(
          "casts %s to %s, which is not supported; do it in the client"
              .formatted(name(from, c.element(0)), to.map(CodedType::name).orElse("numbers")));
    }
  }

  private static String name(Optional<CodedType> coded, ElementType element) {
    return coded.map(CodedType::name).orElse(element.toString());
  }
}
