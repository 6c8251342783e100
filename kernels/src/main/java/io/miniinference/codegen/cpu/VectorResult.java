package io.miniinference.codegen.cpu;

import io.miniinference.codegen.CType;
import io.miniinference.codegen.IndexText;
import io.miniinference.codegen.KernelText;
import io.miniinference.ir.Expr;
import io.miniinference.lower.LoweredStep;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// What a convolution's work item does with a vector of sixteen output channels: the epilogue,
/// whose further operands are read as vectors, too, and the store. The kernel declares `item` (the
/// image), `ob` (the block of channels) and `oy` (the row) before [#start].
final class VectorResult {
  private final LoweredStep step;
  private final KernelText text;
  private final List<String> extras = new ArrayList<>();
  private final Map<Integer, Vectors> added = new TreeMap<>();
  private final Vectors result;

  VectorResult(LoweredStep step, VectorEpilogue epilogue, KernelText text) {
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
  void pointers() {
    for (int i = 2; i < step.inputs().size(); i++) {
      extras.add(text.pointer("e" + i, CType.F32, step.inputs().get(i), false));
    }
    text.pointer("y", CType.F32, step.output(), true);
  }

  long blocks() {
    return result.blocks();
  }

  /// Declares where the row of the work item starts, in each array that it reads or writes there.
  void start() {
    start("at", result);
    added.forEach((i, vectors) -> start("at" + i, vectors));
  }

  private void start(String name, Vectors vectors) {
    text.line(
        "const long %s = %s + item * %s + ob * %dL + oy * %dL;"
            .formatted(
                name,
                IndexText.affine(vectors.index().offset()),
                IndexText.affine(vectors.index().axes().getFirst().stride()),
                vectors.blockStride(),
                vectors.rowStride()));
  }

  /// Stores `value`, once the epilogue is applied to it, as the pixel of the row.
  void store(String value, String pixel) {
    text.open("");
    added.forEach((i, v) -> v.prepare(text, "t" + i, place("at" + i, v, pixel), "ob"));
    result.store(text, epilogue(value, pixel), place("at", result, pixel), "ob");
    text.close();
  }

  private static String place(String at, Vectors vectors, String pixel) {
    return at + " + (" + pixel + ") * " + vectors.pixelStride() + "L";
  }

  private String epilogue(String value, String pixel) {
    Expr expr = step.node().epilogue();
    return expr == null
        ? value
        : VectorText.write(expr, text, i -> i == 0 ? value : extra(i - 1, pixel));
  }

  private String extra(int i, String pixel) {
    Vectors vectors = added.get(i);
    return vectors == null
        ? "vload16(0, " + extras.get(i) + " + ob * " + VectorText.LANES + ")"
        : vectors.load("t" + i, place("at" + i, vectors, pixel));
  }
}
