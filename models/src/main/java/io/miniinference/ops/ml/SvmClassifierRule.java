package io.miniinference.ops.ml;

import static io.miniinference.ir.Exprs.add;
import static io.miniinference.ir.Exprs.arg;
import static io.miniinference.ir.Exprs.const_;
import static io.miniinference.ir.Exprs.ge;
import static io.miniinference.ir.Exprs.gt;
import static io.miniinference.ir.Exprs.max;
import static io.miniinference.ir.Exprs.min;
import static io.miniinference.ir.Exprs.mul;
import static io.miniinference.ir.Exprs.select;
import static io.miniinference.ir.Exprs.sub;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.Expr;
import io.miniinference.ir.Op;
import io.miniinference.ir.Value;
import io.miniinference.ops.draft.Ex;
import io.miniinference.ops.draft.LoweringFault;
import io.miniinference.ops.node.OpContext;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;

/// A classifier of support vectors, as libsvm has it: one sum for each pair of classes, of which
/// the sign is a vote for the first or the second; or, without support vectors, one sum for each
/// class.
final class SvmClassifierRule {
  private static final ElementType F32 = ElementType.F32;

  /// How near to 0 and 1 libsvm lets a probability of a pair come.
  private static final double LEAST = 1e-7;

  private final OpContext c;
  private final Value x;
  private final ClassLabels labels;
  private final PostTransform transform;
  private final double[] weights;
  private final int classes;

  SvmClassifierRule(OpContext c) {
    this.c = c;
    labels = ClassLabels.of(c, "classlabels_ints");
    transform = PostTransform.of(c);
    weights = Lists.reals(c, "coefficients");
    x = Rows.narrow(c);
    classes = labels.count();
    if (classes < 2) {
      throw LoweringFault.of("has %d classes, needs two or more".formatted(classes));
    }
  }

  List<Value> lower() {
    long[] counts = c.attrInts("vectors_per_class");
    long vectors = sum(counts);
    return vectors == 0 ? linear() : ofPairs(counts, vectors);
  }

  private static long sum(long[] counts) {
    if (LongStream.of(counts).anyMatch(count -> count < 0 || count > Integer.MAX_VALUE)) {
      throw LoweringFault.of("has " + Arrays.toString(counts) + " vectors per class");
    }
    return LongStream.of(counts).sum();
  }

  private List<Value> linear() {
    Value sums = LinearOps.product(c, x, weights, classes);
    double rho = SvmOps.rho(c, 1)[0];
    Value scores = c.map(add(Ex.x(), const_(F32, rho)), sums);
    Value largest = Scores.largest(c, scores);
    Value number = classes == 2 ? secondIfAbove(scores, largest) : largest;
    return List.of(labels.at(number), transform.apply(c, scores));
  }

  /* Of two classes the second is also taken where a score is large enough by itself. */
  private Value secondIfAbove(Value scores, Value largest) {
    boolean signed = Arrays.stream(weights).anyMatch(w -> w < 0);
    Value most = c.reduce(Op.ReduceKind.MAX, List.of(1), false, Ex.x(), scores);
    Expr bound = const_(F32, signed ? 0.0 : 0.5);
    Expr isAbove = signed ? gt(arg(0), bound) : ge(arg(0), bound);
    return c.map(select(isAbove, const_(1), arg(1)), most, largest);
  }

  private List<Value> ofPairs(long[] counts, long vectors) {
    Lists.require("vectors_per_class", counts.length, "classlabels_ints", classes);
    SvmPairs pairs = new SvmPairs(counts, weights);
    if (pairs.elements() > c.maxFoldedBytes() / Float.BYTES) {
      throw LoweringFault.of(
          "has %,d support vectors and every pair of %,d classes, which are too many"
              .formatted(vectors, classes));
    }
    Value alike = SvmKernel.of(c).of(x, Lists.reals(c, "support_vectors"), vectors);
    Value matrix = Lists.constant(c, F32, pairs.matrix(), vectors, pairs.count());
    Value sums =
        Scores.plus(c, c.matMul(alike, matrix, false, false), SvmOps.rho(c, pairs.count()));
    Value label = labels.at(Scores.largest(c, votes(sums, pairs)));
    return List.of(label, scores(sums));
  }

  /* How many pairs each class wins: those in which it is the first and the sum is above zero, and
  those in which it is the second and it is not. */
  private Value votes(Value sums, SvmPairs pairs) {
    Expr isWon = select(gt(Ex.x(), const_(F32, 0.0)), const_(F32, 1.0), const_(F32, 0.0));
    Value sides = Lists.constant(c, F32, pairs.sides(), pairs.count(), classes);
    return Scores.plus(c, c.matMul(c.map(isWon, sums), sides, false, false), pairs.asSecond());
  }

  private Value scores(Value sums) {
    double[] a = Lists.reals(c, "prob_a");
    double[] b = Lists.reals(c, "prob_b");
    Lists.require("prob_a", a.length, "prob_b", b.length);
    if (a.length > 0) {
      return transform.apply(c, probabilities(sums, a[0], b[0]));
    }
    if (classes > 2) {
      return transform.apply(c, sums);
    }
    return Scores.ofBoth(c, sums, transform, transform == PostTransform.NONE);
  }

  private Value probabilities(Value sums, double a, double b) {
    if (classes > 2) {
      throw c.unsupported(
          "probabilities of more than two classes of support vectors (they are iterated for); train"
              + " with probability=False, or wrap the estimator in CalibratedClassifierCV");
    }
    Expr line = add(mul(Ex.x(), const_(F32, a)), const_(F32, b));
    Expr one = const_(F32, 1.0);
    Expr first = sub(one, PostTransform.logistic(F32, line));
    Expr bounded = min(max(first, const_(F32, LEAST)), const_(F32, 1 - LEAST));
    Value own = c.map(bounded, sums);
    return Scores.beside(c, own, c.map(sub(one, Ex.x()), own));
  }
}
