package io.miniinference.codegen.cpu;

import io.miniinference.codegen.Coordinate;
import io.miniinference.codegen.IndexText;
import io.miniinference.codegen.IndexTupleText;
import io.miniinference.codegen.KernelText;
import io.miniinference.codegen.StepText;
import io.miniinference.codegen.TestedTuples;
import io.miniinference.device.Launch;
import io.miniinference.ir.IndexBounds;
import io.miniinference.ir.Op;
import io.miniinference.layout.Affine;
import io.miniinference.lower.LoweredStep;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/// Scatter, into the copy of the data that lies where the result does. A work item has a part of
/// the result to itself, at fixed places on the axes that are not indexed, and takes all updates
/// that may fall into it in their order: no two work items write one element, and no order is left
/// open.
final class ScatterKernel {
  /// Elements of the last axis, if that is not indexed, that one work item takes at once.
  private static final int LANES = 64;

  private static final String HEAD =
      """
      A work item owns a part of the result, at fixed places on the axes that are not indexed, and takes all updates
      that fall into it in their order: no two work items write one element. The data is there already, copied.
      """;

  private final StepText s;
  private final Op.Scatter op;
  private final IndexTupleText tuple;
  private final List<Affine> moved;
  private final int lane;
  private final List<Integer> own;

  private ScatterKernel(LoweredStep step, Op.Scatter op, int failures) {
    this.s = new StepText(step, 1);
    s.text().head(HEAD);
    this.op = op;
    this.tuple = new IndexTupleText(s, op.selection(), IndexBounds.EITHER_END, failures);
    this.moved = step.node().inputs().get(2).type().shape();
    int last = moved.size() - 1;
    this.lane = last >= 0 && tuple.addressing().isKept(last) ? last : -1;
    this.own = axes().filter(a -> a != lane && tuple.addressing().isKept(a)).boxed().toList();
  }

  private IntStream axes() {
    return IntStream.range(0, moved.size());
  }

  /// @param failures block id of the failure slots
  static KernelText.Written write(LoweredStep step, Op.Scatter op, int failures) {
    return new ScatterKernel(step, op, failures).write();
  }

  private KernelText.Written write() {
    KernelText text = s.text();
    List<Coordinate> at = axes().mapToObj(a -> Coordinate.of("i" + a)).toList();
    List<Integer> taken = axes().filter(a -> a != lane && !own.contains(a)).boxed().toList();
    List<Integer> tuples = new ArrayList<>(taken);
    boolean shared = lane < 0 || tuple.addressing().sharesTuple(lane);
    if (!shared) {
      tuples.add(lane);
    }
    openItem();
    TestedTuples.write(
        tuple,
        tuples,
        axes -> axes.forEach(this::open),
        at,
        tested -> updates(tested, tuples, shared && lane >= 0, at));
    return new KernelText.Written(text, work(taken));
  }

  /* `alike`: whether there are lanes of one tuple. */
  private void updates(
      IndexTupleText tested, List<Integer> tuples, boolean alike, List<Coordinate> at) {
    tuples.forEach(this::open);
    tested.check(at);
    if (alike) {
      open(lane);
    }
    tested.update(op.kind(), at);
    if (alike) {
      s.text().close();
    }
    tuples.forEach(_ -> s.text().close());
  }

  private String extent(int axis) {
    return IndexText.affine(moved.get(axis));
  }

  /* Of the lanes, those of the work item. */
  private void open(int axis) {
    String i = "i" + axis;
    String from = axis == lane ? "lanes" : "0";
    String end = extent(axis);
    String to = axis == lane ? "min(lanes + " + LANES + ", (long)" + end + ")" : end;
    s.text().open("for (long " + i + " = " + from + "; " + i + " < " + to + "; " + i + "++)");
  }

  private void openItem() {
    s.text().line("long item = (long)@globalId + first;");
    s.text().line("if (item >= " + IndexText.affine(items()) + ") return;");
    if (lane >= 0) {
      String chunks = IndexText.divisor(chunks());
      s.text().line("const long lanes = item % " + chunks + " * " + LANES + ";");
      s.text().line("item /= " + chunks + ";");
    }
    for (int axis : own.reversed()) {
      String size = IndexText.divisor(moved.get(axis));
      s.text().line("const long i" + axis + " = item % " + size + "; item /= " + size + ";");
    }
  }

  /* Along a batch there are as many as elements, and most of them are empty. */
  private Affine chunks() {
    Affine extent = moved.get(lane);
    return extent.isConstant() ? Affine.of(Math.ceilDiv(extent.constant(), LANES)) : extent;
  }

  private Affine items() {
    Affine items = lane < 0 ? Affine.ONE : chunks();
    for (int axis : own) {
      items = items.times(moved.get(axis));
    }
    return items;
  }

  private Launch.Items work(List<Integer> taken) {
    double updates = lane < 0 ? 1 : LANES;
    for (int axis : taken) {
      Affine extent = moved.get(axis);
      updates *= Math.max(1, extent.isConstant() ? extent.constant() : 16);
    }
    return new Launch.Items(items(), (int) Math.max(1, 4096 / updates));
  }
}
