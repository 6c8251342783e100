package io.miniinference.codegen.cpu;

import io.miniinference.codegen.CType;
import io.miniinference.codegen.Coordinate;
import io.miniinference.codegen.IndexText;
import io.miniinference.codegen.KernelText;
import io.miniinference.codegen.OperandText;
import io.miniinference.codegen.StepText;
import io.miniinference.codegen.Template;
import io.miniinference.device.Launch;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Op;
import io.miniinference.ir.TensorType;
import io.miniinference.layout.Affine;
import io.miniinference.lower.LoweredStep;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// The matrix product for all types, layouts and ranks: a work item is a run of up to 64 columns of
/// one row, accumulated side by side.
final class LoopGemm {
  private static final String HEAD =
      """
      A work item owns up to 64 neighbouring columns of one row of the result, added up side by side in acc, so that
      each element of the left operand is read once for all of them. All types, ranks and layouts.
      """;

  private static final int COLUMNS = 64;
  private final StepText s;
  private final Op.MatMul op;
  private final TensorType a;
  private final TensorType b;
  private final List<Affine> batch;
  private final Affine rows;
  private final Affine columns;
  private final OperandText source;

  private LoopGemm(LoweredStep step, Op.MatMul op, int failures) {
    this.s = new StepText(step, 1);
    s.text().head(HEAD);
    this.source = new OperandText(s, 0, failures);
    this.op = op;
    this.a = step.node().inputs().get(0).type();
    this.b = step.node().inputs().get(1).type();
    List<Affine> out = step.node().output().type().shape();
    this.rows = a.dim(op.transposeA() ? a.rank() - 1 : a.rank() - 2);
    this.columns = b.dim(op.transposeB() ? b.rank() - 2 : b.rank() - 1);
    this.batch = out.subList(0, out.size() - 2);
  }

  /// @param failures block id of the failure slots
  static KernelText.Written write(LoweredStep step, Op.MatMul op, int failures) {
    return new LoopGemm(step, op, failures).write();
  }

  private static final Template KERNEL =
      Template.of(
          "matrix product of any kind",
          """
          long item = (long)@globalId + first;
          const long c0 = item % $chunks * $lanes; item /= $chunks;
          const long row = item % $rows; item /= $rows;
          $batch
          if (item > 0) return;
          const long width = min(${lanes}L, $columns - c0);
          $type acc[$lanes];
          for (int j = 0; j < $lanes; j++) acc[j] = 0;
          $check
          for (long k = 0; k < $depth; k++) {
            $value
            const $type left = ($type)value;
            for (int j = 0; j < width; j++) acc[j] += left * ($type)$right;
          }
          for (int j = 0; j < width; j++) {
            const $computed result = ($computed)acc[j];
            $store
          }
          """);

  private static final Template PLACE =
      Template.of("matrix of a batch", "const long i$axis = item % $extent; item /= $extent;");

  private KernelText.Written write() {
    ElementType element = Op.Contraction.sums(s.step().node());
    Affine depth = a.dim(op.transposeA() ? a.rank() - 2 : a.rank() - 1);
    s.text()
        .add(
            KERNEL
                .with("chunks", chunks())
                .with("lanes", COLUMNS)
                .with("rows", IndexText.affine(rows))
                .with("batch", places())
                .with("columns", IndexText.affine(columns))
                .with("type", element.isInteger() ? "long" : CType.of(element).computed())
                .with("check", source.check(left()))
                .with("depth", IndexText.affine(depth))
                .with("value", source.declare("value", left()))
                .with("right", s.read(1, right()))
                .with("computed", CType.of(element).computed())
                .with("store", s.stored(s.epilogue("result", element, output()), output())));
    return new KernelText.Written(s.text(), work());
  }

  /* Where the columns grow with the batch, items are counted one per column, and those beyond the
  chunks have nothing to do. */
  private String chunks() {
    return "((%s + %d) / %d)".formatted(IndexText.affine(columns), COLUMNS - 1, COLUMNS);
  }

  private String places() {
    return IntStream.range(0, batch.size())
        .map(i -> batch.size() - 1 - i)
        .mapToObj(axis ->
            PLACE.with("axis", axis).with("extent", IndexText.affine(batch.get(axis))).text())
        .collect(Collectors.joining("\n"));
  }

  private Launch.Items work() {
    Affine items = rows;
    for (Affine dim : batch) {
      items = items.times(dim);
    }
    if (columns.isConstant()) {
      return new Launch.Items(items, 1, Math.ceilDiv(columns.constant(), COLUMNS), 1);
    }
    return new Launch.Items(items.times(columns), 1);
  }

  private List<Coordinate> left() {
    return operand(a, op.transposeA() ? "k" : "row", op.transposeA() ? "row" : "k");
  }

  private List<Coordinate> right() {
    String column = "(c0 + j)";
    return operand(b, op.transposeB() ? column : "k", op.transposeB() ? "k" : column);
  }

  private List<Coordinate> operand(TensorType type, String first, String second) {
    List<Coordinate> result = new ArrayList<>();
    int skip = batch.size() - (type.rank() - 2);
    for (int i = 0; i < type.rank() - 2; i++) {
      boolean repeated = IndexText.isRepeated(type.dim(i), batch.get(skip + i));
      result.add(repeated ? Coordinate.ZERO : Coordinate.of("i" + (skip + i)));
    }
    result.add(Coordinate.of(first));
    result.add(Coordinate.of(second));
    return result;
  }

  private List<Coordinate> output() {
    List<Coordinate> result = new ArrayList<>();
    for (int i = 0; i < batch.size(); i++) {
      result.add(Coordinate.of("i" + i));
    }
    result.add(Coordinate.of("row"));
    result.add(Coordinate.of("(c0 + j)"));
    return result;
  }
}
