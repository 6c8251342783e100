package io.miniinference.codegen.cpu;

import io.miniinference.codegen.Coordinate;
import io.miniinference.codegen.IndexText;
import io.miniinference.codegen.IndexTupleText;
import io.miniinference.codegen.KernelText;
import io.miniinference.codegen.Statements;
import io.miniinference.codegen.StepText;
import io.miniinference.codegen.Template;
import io.miniinference.codegen.TestedTuples;
import io.miniinference.device.Launch;
import io.miniinference.ir.IndexBounds;
import io.miniinference.ir.Op;
import io.miniinference.layout.Affine;
import io.miniinference.lower.LoweredStep;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
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
    List<Coordinate> at = axes().mapToObj(a -> Coordinate.of("i" + a)).toList();
    List<Integer> taken = axes().filter(a -> a != lane && !own.contains(a)).boxed().toList();
    List<Integer> tuples = new ArrayList<>(taken);
    boolean shared = lane < 0 || tuple.addressing().sharesTuple(lane);
    if (!shared) {
      tuples.add(lane);
    }
    List<Integer> alike = shared && lane >= 0 ? List.of(lane) : List.of();
    String updates =
        TestedTuples.write(
            tuple,
            tuples,
            test -> over(tuples, test),
            at,
            tested -> updates(tested, tuples, alike, at));
    s.text().line(Statements.of(item(), updates));
    return new KernelText.Written(s.text(), work(taken));
  }

  /* `alike`: the axis of lanes of one tuple, if there are such. */
  private String updates(
      IndexTupleText tested, List<Integer> tuples, List<Integer> alike, List<Coordinate> at) {
    String update = over(alike, tested.update(op.kind(), at));
    return over(tuples, Statements.of(tested.check(at), update));
  }

  private static final Template LOOP =
      Template.of(
          "loop over updates",
          """
          for (long i$axis = $from; i$axis < $to; i$axis++) {
            $body
          }
          """);

  private String over(List<Integer> axes, String body) {
    String text = body;
    for (int axis : axes.reversed()) {
      text =
          LOOP.with("axis", axis)
              .with("from", axis == lane ? "lanes" : "0")
              .with("to", end(axis))
              .with("body", text)
              .text();
    }
    return text;
  }

  /* Of the lanes, those of the work item. */
  private String end(int axis) {
    String end = IndexText.affine(moved.get(axis));
    return axis == lane ? "min(lanes + " + LANES + ", (long)" + end + ")" : end;
  }

  private static final Template ITEM =
      Template.of(
          "part of a scatter",
          """
          long item = (long)@globalId + first;
          if (item >= $items) return;
          $lanes
          $places
          """);

  private static final Template ITEM_LANES =
      Template.of(
          "lanes of a scatter",
          """
          const long lanes = item % $chunks * $lanes;
          item /= $chunks;
          """);

  private static final Template PLACE =
      Template.of("place of a scatter", "const long i$axis = item % $size; item /= $size;");

  private String item() {
    return ITEM.with("items", IndexText.affine(items()))
        .with("lanes", lane < 0 ? "" : lanes())
        .with("places", own.reversed().stream().map(this::place).collect(Collectors.joining("\n")))
        .text();
  }

  private Template.Filling lanes() {
    return ITEM_LANES.with("chunks", IndexText.divisor(chunks())).with("lanes", LANES);
  }

  private String place(int axis) {
    return PLACE.with("axis", axis).with("size", IndexText.divisor(moved.get(axis))).text();
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
