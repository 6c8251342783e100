package io.miniinference.ops.nn;

import static io.miniinference.ir.Exprs.add;
import static io.miniinference.ir.Exprs.arg;
import static io.miniinference.ir.Exprs.at;
import static io.miniinference.ir.Exprs.const_;
import static io.miniinference.ir.Exprs.eq;
import static io.miniinference.ir.Exprs.ge;
import static io.miniinference.ir.Exprs.index;
import static io.miniinference.ir.Exprs.lt;
import static io.miniinference.ir.Exprs.mul;
import static io.miniinference.ir.Exprs.select;
import static io.miniinference.ir.Exprs.sub;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.Expr;
import io.miniinference.ir.Op;
import io.miniinference.ir.Op.ReduceKind;
import io.miniinference.ir.Tensor;
import io.miniinference.ir.Value;
import io.miniinference.layout.Affine;
import io.miniinference.ops.draft.CountedAxes;
import io.miniinference.ops.draft.CountedAxis;
import io.miniinference.ops.draft.Ex;
import io.miniinference.ops.draft.LoweringFault;
import io.miniinference.ops.draft.SmallTensors;
import io.miniinference.ops.node.OpContext;
import io.miniinference.ops.node.OpTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Boxes of each class that overlap no better one
/// ([NonMaxSuppression](https://onnx.ai/onnx/operators/onnx__NonMaxSuppression.html)).
///
/// One step chooses for each image and class by itself, so that it has room for the most that may
/// be chosen of each. The rest puts what was chosen together: all places are numbered, those of
/// chosen boxes first, and a scatter brings each triple to its number. How many were chosen is a
/// count on the device.
public final class NonMaxSuppressionRule {
  private static final Affine TRIPLE = Affine.of(3);

  private final OpContext c;
  private final Affine images;
  private final Affine classes;
  private final long boxes;

  private NonMaxSuppressionRule(OpContext c) {
    this.c = c;
    c.requireRank(0, 3, 3);
    c.requireRank(1, 3, 3);
    images = c.type(1).dim(0);
    classes = c.type(1).dim(1);
    Affine all = c.type(1).dim(2);
    if (!all.isConstant()) {
      throw LoweringFault.specialisable("has %s boxes in an image; fix the batch".formatted(all));
    }
    boxes = all.constant();
  }

  public static void addTo(OpTable table) {
    table.row(
        "NonMaxSuppression",
        10,
        "2-5",
        "center_point_box=0",
        c -> new NonMaxSuppressionRule(c).lower());
  }

  private Value lower() {
    long most = c.has(2) ? Math.clamp(c.int1(2), 0, boxes) : 0;
    if (most == 0 || images.isZero() || classes.isZero()) {
      return c.constant(SmallTensors.of(ElementType.I64, new long[] {0, 3}, new long[0]));
    }
    Value chosen = c.emit(new Op.NonMaxSuppression(most, isCentered()), operands());
    boolean one = most == 1 && classes.equals(Affine.ONE);
    return together(one ? besideNone(chosen) : chosen);
  }

  /* A counted axis is longer than 1 in its plan, and none of the batch. */
  private Value besideNone(Value chosen) {
    Expr none = const_(Op.NonMaxSuppression.NONE);
    return c.concat(2, List.of(chosen, c.fill(none, chosen.type().shape())));
  }

  private boolean isCentered() {
    long format = c.attrInt("center_point_box");
    if (format != 0 && format != 1) {
      throw LoweringFault.of("has center_point_box = %d, which must be 0 or 1".formatted(format));
    }
    return format == 1;
  }

  /* Boxes of which only the device can tell how many there are have as many scores. */
  private void requireAlike() {
    Optional<CountedAxis> ofBoxes = c.facts().counted(c.in(0));
    Optional<CountedAxis> ofScores = c.facts().counted(c.in(1));
    boolean alike =
        ofBoxes.map(CountedAxis::count).equals(ofScores.map(CountedAxis::count))
            && ofBoxes.map(it -> it.axis() == 1).orElse(true)
            && ofScores.map(it -> it.axis() == 2).orElse(true);
    if (!alike) {
      throw CountedAxes.joins();
    }
  }

  private Value[] operands() {
    requireAlike();
    Value scores = c.whole(c.in(1), const_(ElementType.F32, Double.NaN)); // no candidate
    List<Value> operands = new ArrayList<>(List.of(scores, c.whole(c.in(0))));
    operands.add(c.has(3) ? c.single(3) : c.scalar(ElementType.F32, 0));
    if (c.has(4)) {
      operands.add(c.single(4));
    }
    return operands.toArray(Value[]::new);
  }

  /* Rows of image, class and box, of what was chosen for each image and class. */
  private Value together(Value chosen) {
    Affine k = chosen.type().dim(2);
    Affine all = images.times(classes).times(k);
    Expr isTaken = select(taken(Ex.x()), const_(1), const_(0));
    Value counts = c.reduce(ReduceKind.SUM, List.of(2), true, isTaken, chosen);
    Value count = c.reduce(ReduceKind.SUM, List.of(0, 1, 2), false, Ex.x(), counts);
    Value numbers = numbers(chosen, counts, count);
    Value rows = c.reshape(triples(chosen), List.of(all, TRIPLE));
    return counted(c.placed(rows, numbers), count);
  }

  private static Expr taken(Expr place) {
    return ge(place, const_(0));
  }

  /* Where in the result each place goes: behind what was chosen before it, or behind all of that. */
  private Value numbers(Value chosen, Value counts, Value count) {
    List<Affine> groups = List.of(images.times(classes));
    Value ends = c.emit(new Op.Scan(Op.ScanKind.SUM, 0, false, false), c.reshape(counts, groups));
    Affine k = chosen.type().dim(2);
    Expr own = index(2);
    Expr group = add(mul(index(0), Ex.size(classes)), index(1));
    Expr number = add(mul(group, Ex.size(k)), own);
    Expr first = sub(arg(0), arg(1));
    Expr behind = add(arg(2), sub(number, arg(0)));
    return c.compute(
        select(lt(own, arg(1)), add(first, own), behind),
        chosen.type().shape(),
        c.reshape(ends, counts.type().shape()),
        counts,
        count);
  }

  private Value triples(Value chosen) {
    List<Affine> shape = new ArrayList<>(chosen.type().shape());
    shape.add(TRIPLE);
    Expr box = at(0, index(0), index(1), index(2));
    Expr row =
        select(eq(index(3), const_(0)), index(0), select(eq(index(3), const_(1)), index(1), box));
    return c.compute(select(taken(box), row, const_(0)), shape, chosen);
  }

  /* Where all is known at load, the size is. */
  private Value counted(Value rows, Value count) {
    Tensor known = c.facts().tensor(count);
    if (known != null) {
      return c.slice(rows, 0, Affine.ZERO, Affine.of(SmallTensors.integer(known, 0)));
    }
    c.facts().count(rows, new CountedAxis(0, count));
    return rows;
  }
}
