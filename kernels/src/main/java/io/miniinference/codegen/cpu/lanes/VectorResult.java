package io.miniinference.codegen.cpu.lanes;

import io.miniinference.codegen.CType;
import io.miniinference.codegen.KernelText;
import io.miniinference.codegen.Template;
import io.miniinference.ir.Expr;
import io.miniinference.lower.LoweredStep;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// What a convolution's work item does with a vector of sixteen output channels: the epilogue,
/// whose further operands are read as vectors, too, and the store. The kernel declares `item` (the
/// image), `ob` (the block of channels) and `oy` (the row) before [#start].
public final class VectorResult {
  private final LoweredStep step;
  private final KernelText text;
  private final List<String> extras = new ArrayList<>();
  private final Map<Integer, Vectors> added = new TreeMap<>();
  private final Vectors result;

  /// @param text the kernel that it is part of
  public VectorResult(LoweredStep step, VectorEpilogue epilogue, KernelText text) {
    this.step = step;
    this.text = text;
    this.result = new Vectors("y", step.output().index());
    for (int i = 0; i < epilogue.reads().size(); i++) {
      if (epilogue.reads().get(i) == VectorEpilogue.Read.SAME) {
        added.put(i, new Vectors("e" + (i + 2), step.inputs().get(i + 2).index()));
      }
    }
  }

  /// Declares the pointers of the epilogue's operands and of the output.
  public void pointers() {
    for (int i = 2; i < step.inputs().size(); i++) {
      extras.add(text.pointer("e" + i, CType.F32, step.inputs().get(i), false));
    }
    text.pointer("y", CType.F32, step.output(), true);
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
    VectorText.Written written = epilogue(value, pixel);
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

  private VectorText.Written epilogue(String value, String pixel) {
    Expr expr = step.node().epilogue();
    return expr == null
        ? VectorText.Written.of(value)
        : VectorText.write(expr, i -> i == 0 ? value : extra(i - 1, pixel));
  }

  private String extra(int i, String pixel) {
    Vectors vectors = added.get(i);
    return vectors == null
        ? "@load(16, 0, " + extras.get(i) + " + ob * " + VectorText.LANES + ")"
        : vectors.load("t" + i, place("at" + i, vectors, pixel));
  }
}
