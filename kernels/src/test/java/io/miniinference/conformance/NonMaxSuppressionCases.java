package io.miniinference.conformance;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.Op;
import io.miniinference.ir.Tensor;
import io.miniinference.ir.TensorType;
import io.miniinference.ir.Value;
import io.miniinference.ir.build.Lowering;
import io.miniinference.layout.Affine;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Random;

/// NonMaxSuppression: scores that tie, boxes that overlap a little, wholly and not at all, more
/// candidates than a kernel looks at in one go, and rows of none.
final class NonMaxSuppressionCases {
  private NonMaxSuppressionCases() {}

  static List<Sheet> sheets() {
    return List.of(kinds(), shapes(), many());
  }

  private static Sheet kinds() {
    Sheet s = new Sheet("boxes that are chosen", 760).batches(3L, 0L, 1L);
    Value boxes = s.input(Data.NORMAL, ElementType.F32, Sheet.batch(40, 4));
    Value corners = s.input(Data.TIES, ElementType.F32, Sheet.batch(40, 4));
    Value edges = s.input(Data.EDGES, ElementType.F32, Sheet.batch(40, 4));
    Value scores = s.input(Data.NORMAL, ElementType.F32, Sheet.batch(2, 40));
    Value ties = s.input(Data.TIES, ElementType.F32, Sheet.batch(2, 40));
    Value odd = s.input(Data.EDGES, ElementType.F32, Sheet.batch(2, 40));
    for (boolean centered : List.of(false, true)) {
      var op = new Op.NonMaxSuppression(9, centered);
      check(s, "numbers", op, scores, boxes, number(s, 0.3), number(s, -0.5));
      check(s, "ties", op, ties, corners, number(s, 0.5), number(s, -1));
      check(s, "odd scores", op, odd, corners, number(s, 0.1), number(s, -3));
      check(s, "odd boxes", op, ties, edges, number(s, 0.1), number(s, -3));
      check(s, "any score", op, odd, boxes, number(s, 0));
      check(s, "no score", op, scores, boxes, number(s, 0.5), number(s, 100));
    }
    return s;
  }

  private static Sheet shapes() {
    Sheet s = new Sheet("shapes of boxes that are chosen", 761);
    Value boxes = s.input(Data.NORMAL, ElementType.F32, Sheet.batch(12, 4));
    Value rows = s.input(Data.NORMAL, ElementType.F32, Sheet.batch(12, 7));
    Value overlap = number(s, 0.4);
    Value score =
        s.input(new TensorType(ElementType.F32, List.of()), _ -> Tensor.of(new float[] {0.1f}));
    Value turned = s.at("t").transpose(rows, List.of(0, 2, 1));
    check(s, "turned scores", new Op.NonMaxSuppression(5, false), turned, boxes, overlap, score);
    Value part = s.at("p").slice(turned, 1, Affine.of(4), Affine.of(3));
    check(s, "some classes", new Op.NonMaxSuppression(12, true), part, boxes, overlap, score);
    check(s, "more than boxes", new Op.NonMaxSuppression(15, false), part, boxes, overlap, score);
    check(s, "nothing", new Op.NonMaxSuppression(0, false), part, boxes, overlap, score);
    Value few = s.at("f").slice(boxes, 1, Affine.ZERO, Affine.ONE);
    Value one = s.at("o").slice(turned, 2, Affine.of(3), Affine.ONE);
    check(s, "one box", new Op.NonMaxSuppression(2, false), one, few, overlap, score);
    Value none = s.at("n").slice(boxes, 1, Affine.ZERO, Affine.ZERO);
    Value empty = s.at("e").slice(turned, 2, Affine.ZERO, Affine.ZERO);
    check(s, "no box", new Op.NonMaxSuppression(2, false), empty, none, overlap, score);
    return s;
  }

  /* More candidates than a block of them, and more boxes than the work items of a work-group. */
  private static Sheet many() {
    Sheet s = new Sheet("many boxes", 762).batches(2L, 1L);
    Value boxes = s.input(Data.UNIT, ElementType.F32, Sheet.batch(700, 4));
    Value apart = s.input(new TensorType(ElementType.F32, Sheet.batch(700, 4)), n -> small(n, 700));
    Value scores = s.input(Data.UNIT, ElementType.F32, Sheet.batch(2, 700));
    Value ties = s.input(Data.TIES, ElementType.F32, Sheet.batch(2, 700));
    for (Value by : List.of(scores, ties)) {
      check(s, "most apart", new Op.NonMaxSuppression(600, true), by, apart, number(s, 0.5));
      check(s, "few apart", new Op.NonMaxSuppression(300, false), by, boxes, number(s, 0.1));
      check(s, "few of many", new Op.NonMaxSuppression(10, true), by, apart, number(s, 0.5));
    }
    return s;
  }

  /* Of which few overlap. */
  private static Tensor small(long n, long count) {
    Tensor boxes = Data.UNIT.fill(new Random(n), ElementType.F32, n, count, 4);
    for (long i = 0; i < n * count * 4; i++) {
      if (i % 4 >= 2) {
        boxes.data().setAtIndex(ValueLayout.JAVA_FLOAT_UNALIGNED, i, 0.05f);
      }
    }
    return boxes;
  }

  private static Value number(Sheet s, double value) {
    return s.constant(Tensor.of(new float[] {(float) value}));
  }

  private static void check(Sheet s, String label, Op.NonMaxSuppression op, Value... operands) {
    Lowering at = s.at("c");
    String all = label + (op.centered() ? ", centered" : ", corners");
    s.check(all, at.op(op, operands));
  }
}
