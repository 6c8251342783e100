package io.miniinference.codegen.cpu.lanes;

import io.miniinference.codegen.CType;
import io.miniinference.codegen.KernelText;
import io.miniinference.codegen.Template;
import io.miniinference.layout.IndexFunction;
import io.miniinference.lower.LoweredStep;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// What a convolution's work item does with a vector of sixteen output channels: the epilogue,
/// whose further operands are read as vectors, too, and the store. The kernel declares `item` (the
/// image), `ob` (the block of channels, of one or more vectors) and `oy` (the row) before [#start].
public final class VectorResult {
  private final LoweredStep step;
  private final VectorEpilogue epilogue;
  private final KernelText text;
  private final int vectors;
  private final List<String> extras = new ArrayList<>();
  private final Map<Integer, Vectors> added = new TreeMap<>();
  private final Vectors result;

  /// Of blocks of one vector.
  ///
  /// @param text the kernel that it is part of
  public VectorResult(LoweredStep step, VectorEpilogue epilogue, KernelText text) {
    this(step, epilogue, text, 1);
  }

  /// @param text the kernel that it is part of
  /// @param vectors of a block of channels
  public VectorResult(LoweredStep step, VectorEpilogue epilogue, KernelText text, int vectors) {
    this.step = step;
    this.vectors = vectors;
    this.epilogue = epilogue;
    this.text = text;
    this.result = new Vectors("y", step.output().index(), LaneArray.of(step.node().output()));
    epilogue
        .same()
        .forEach(i ->
            added.put(i, new Vectors("e" + (i + 2), step.inputs().get(i + 2).index(), lanes(i))));
  }

  /* Of a further operand. */
  private LaneArray lanes(int i) {
    return LaneArray.of(step.node().inputs().get(i + 2));
  }

  /// Declares the pointers of the epilogue's operands and of the output.
  public void pointers() {
    for (int i = 2; i < step.inputs().size(); i++) {
      CType type = CType.of(step.node().inputs().get(i).type().element());
      extras.add(text.pointer("e" + i, type, step.inputs().get(i), false));
    }
    text.pointer("y", CType.of(step.node().output().type().element()), step.output(), true);
  }

  /// Blocks of sixteen channels that the result has.
  public long blocks() {
    return result.blocks();
  }

  /// Declares where the row of the work item starts, in each array that it reads or writes there.
  public String start() {
    StringBuilder lines = new StringBuilder(result.start("at", vectors));
    added.forEach((i, each) -> lines.append('\n').append(each.start("at" + i, vectors)));
    return lines.toString();
  }

  private static final Template STORE =
      Template.of(
          "vector result",
          """
          {
            $prepare
            $store
          }
          """);

  /// Statements that store `value`, once the epilogue is applied to it, as the pixel of the row.
  public String store(String value, String pixel) {
    return store(value, pixel, 0);
  }

  /// The same of a vector of the block.
  public String store(String value, String pixel, int vector) {
    VectorText.Written written =
        VectorText.epilogue(step.node(), value, i -> extra(i, pixel, vector));
    String prepare =
        added.entrySet().stream()
            .map(each -> prepare(each.getKey(), each.getValue(), pixel, vector))
            .filter(lines -> !lines.isEmpty())
            .collect(Collectors.joining("\n"));
    String at = place("at", result, pixel, vector);
    return STORE
        .with("prepare", written.after(prepare))
        .with("store", result.store(written.value(), at, number(vector)))
        .text();
  }

  /// The number of a vector of the block, among all of the result's.
  public String number(int vector) {
    return vectors == 1 ? "ob" : "ob * " + vectors + " + " + vector;
  }

  private String prepare(int i, Vectors from, String pixel, int vector) {
    return from.prepare("t" + i, place("at" + i, from, pixel, vector), number(vector));
  }

  /// How channels of the result lie, for readers.
  public String about() {
    return result.about();
  }

  private static String place(String at, Vectors array, String pixel, int vector) {
    String block = vector == 0 ? "" : " + " + vector * array.blockStride() + "L";
    return at + block + " + (" + pixel + ") * " + array.pixelStride() + "L";
  }

  private String extra(int i, String pixel, int vector) {
    IndexFunction index = step.inputs().get(i + 2).index();
    String channel = "ob * " + vectors * VectorText.LANES;
    String lane = vector == 0 ? channel : channel + " + " + vector * VectorText.LANES;
    return switch (epilogue.reads().get(i)) {
      case LANES -> lanes(i).load(extras.get(i) + " + " + lane);
      case ROW -> lanes(i).at(extras.get(i), index, lane);
      case SINGLE -> lanes(i).single(extras.get(i), index);
      case SAME -> {
        Vectors from = Objects.requireNonNull(added.get(i), "added");
        yield from.load("t" + i, place("at" + i, from, pixel, vector));
      }
    };
  }
}
