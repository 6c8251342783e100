package io.miniinference.codegen.cpu.lanes;

import io.miniinference.codegen.CType;
import io.miniinference.codegen.KernelText;
import io.miniinference.codegen.Template;
import io.miniinference.lower.LoweredStep;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// What a convolution's work item does with a vector of sixteen output channels: the epilogue,
/// whose further operands are read as vectors, too, and the store. The kernel declares `item` (the
/// image), `ob` (the block of channels) and `oy` (the row) before [#start].
public final class VectorResult {
  private final LoweredStep step;
  private final VectorEpilogue epilogue;
  private final KernelText text;
  private final List<String> extras = new ArrayList<>();
  private final Map<Integer, Vectors> added = new TreeMap<>();
  private final Vectors result;

  /// @param text the kernel that it is part of
  public VectorResult(LoweredStep step, VectorEpilogue epilogue, KernelText text) {
    this.step = step;
    this.epilogue = epilogue;
    this.text = text;
    this.result = new Vectors("y", step.output().index(), LaneArray.of(step.node().output()));
    for (int i = 0; i < epilogue.reads().size(); i++) {
      if (epilogue.reads().get(i) == VectorEpilogue.Read.SAME) {
        added.put(i, new Vectors("e" + (i + 2), step.inputs().get(i + 2).index(), lanes(i)));
      }
    }
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
    StringBuilder lines = new StringBuilder(result.start("at", 1));
    added.forEach((i, vectors) -> lines.append('\n').append(vectors.start("at" + i, 1)));
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
    VectorText.Written written = VectorText.epilogue(step.node(), value, i -> extra(i, pixel));
    String prepare =
        added.entrySet().stream()
            .map(each -> prepare(each.getKey(), each.getValue(), pixel))
            .filter(lines -> !lines.isEmpty())
            .collect(Collectors.joining("\n"));
    return STORE
        .with("prepare", written.after(prepare))
        .with("store", result.store(written.value(), place("at", result, pixel), "ob"))
        .text();
  }

  private static String prepare(int i, Vectors vectors, String pixel) {
    return vectors.prepare("t" + i, place("at" + i, vectors, pixel), "ob");
  }

  /// How channels of the result lie, for readers.
  public String about() {
    return result.about();
  }

  private static String place(String at, Vectors vectors, String pixel) {
    return at + " + (" + pixel + ") * " + vectors.pixelStride() + "L";
  }

  private String extra(int i, String pixel) {
    return switch (epilogue.reads().get(i)) {
      case LANES -> lanes(i).load(extras.get(i) + " + ob * " + VectorText.LANES);
      case ROW ->
          lanes(i).at(extras.get(i), step.inputs().get(i + 2).index(), "ob * " + VectorText.LANES);
      case SINGLE -> lanes(i).single(extras.get(i), step.inputs().get(i + 2).index());
      case SAME -> {
        Vectors vectors = Objects.requireNonNull(added.get(i), "added");
        yield vectors.load("t" + i, place("at" + i, vectors, pixel));
      }
    };
  }
}
