package io.miniinference.ops.ml;

import static io.miniinference.ir.Exprs.add;
import static io.miniinference.ir.Exprs.arg;
import static io.miniinference.ir.Exprs.const_;
import static io.miniinference.ir.Exprs.gt;
import static io.miniinference.ir.Exprs.neg;
import static io.miniinference.ir.Exprs.sub;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.Expr;
import io.miniinference.ir.Op;
import io.miniinference.ir.Value;
import io.miniinference.layout.Affine;
import io.miniinference.ops.draft.Ex;
import io.miniinference.ops.node.OpContext;
import java.util.List;

/// What classifiers make of scores.
final class Scores {
  private Scores() {}

  /// The number of the largest score of each row, the first of equals: `I64[N]`.
  static Value largest(OpContext c, Value scores) {
    return c.reduce(Op.ReduceKind.ARG_MAX, List.of(1), false, Ex.x(), scores);
  }

  /// Whether the only score of a row is above a number: `BOOL[N]`.
  static Value isAbove(OpContext c, Value score, double number) {
    Value flat = c.reshape(score, List.of(score.type().dim(0)));
    return c.map(gt(Ex.x(), const_(score.type().element(), number)), flat);
  }

  /// Two scores of one `s` that speaks for the second class, `[N, 2]`: `[1 − s, s]`, or `[−s, s]`
  /// where it may be of either sign; of a logistic transform those of `−s` and `s`.
  static Value ofBoth(OpContext c, Value score, PostTransform transform, boolean signed) {
    ElementType type = score.type().element();
    if (transform == PostTransform.LOGISTIC) {
      Value other = c.map(PostTransform.logistic(type, neg(Ex.x())), score);
      return beside(c, other, transform.apply(c, score));
    }
    Value own = transform.ofOne(c, score);
    Expr other = signed ? neg(Ex.x()) : sub(const_(type, 1.0), Ex.x());
    return beside(c, c.map(other, own), own);
  }

  static Value beside(OpContext c, Value left, Value right) {
    return c.concat(1, List.of(left, right));
  }

  /// The scores with a number added to each column, if there are any.
  static Value plus(OpContext c, Value scores, double[] added) {
    if (added.length == 0) {
      return scores;
    }
    Value row = Lists.constant(c, scores.type().element(), added, 1, added.length);
    return c.map(add(arg(0), arg(1)), scores, row);
  }

  /// One column of the scores, `[N, 1]`.
  static Value column(OpContext c, Value scores, long column) {
    return c.slice(scores, 1, Affine.of(column), Affine.ONE);
  }
}
