package io.miniinference.ops.nn;

import static io.miniinference.ir.Exprs.arg;
import static io.miniinference.ir.Exprs.const_;
import static io.miniinference.ir.Exprs.div;
import static io.miniinference.ir.Exprs.eq;
import static io.miniinference.ir.Exprs.neg;
import static io.miniinference.ir.Exprs.select;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.Expr;
import io.miniinference.ir.IndexBounds;
import io.miniinference.ir.Op;
import io.miniinference.ir.Op.ReduceKind;
import io.miniinference.ir.Selection;
import io.miniinference.ir.Value;
import io.miniinference.layout.Affine;
import io.miniinference.ops.draft.Ex;
import io.miniinference.ops.draft.LoweringFault;
import io.miniinference.ops.node.OpContext;
import io.miniinference.ops.node.OpTable;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// Losses of scores against classes that a target names: axis 1 of the scores `[N, C, D…]` is that
/// of the classes, the target is `[N, D…]`, weights of the classes are `[C]`.
public final class LossOps {
  private static final String ATTRIBUTES = "ignore_index reduction=mean";

  private LossOps() {}

  public static void addTo(OpTable table) {
    table
        .row("NegativeLogLikelihoodLoss", 12, "2-3", ATTRIBUTES, c -> loss(c, c.in(0)))
        .rows("SoftmaxCrossEntropyLoss", 12, "2-3", ATTRIBUTES, LossOps::crossEntropy);
  }

  private static List<Value> crossEntropy(OpContext c) {
    c.requireRank(0, 2);
    Value logarithms = c.emit(new Op.Softmax(1, true), c.in(0));
    return List.of(loss(c, logarithms), logarithms);
  }

  /// Minus the score of the class named, times its weight. A class outside `[0, C-1]` fails, except
  /// the one to be ignored, which counts for nothing.
  private static Value loss(OpContext c, Value scores) {
    requireShapes(c);
    Long ignored = c.hasAttr("ignore_index") ? (Long) c.attrInt("ignore_index") : null;
    IndexBounds bounds = new IndexBounds(false, ignored);
    Value classes = c.unsqueeze(c.in(1), 1, 1);
    Value named = c.emit(new Op.Gather(new Selection.Elements(1), bounds), scores, classes);
    Value score = c.reshape(named, c.type(1).shape());
    Value each = ignored == null ? c.map(neg(Ex.x()), score) : named(c, ignored, score);
    if (!c.has(2)) {
      return reduced(c, each, ignored == null ? null : counted(c, ignored));
    }
    Op weighing = new Op.Gather(new Selection.Slices(0), bounds);
    Value weights = c.emit(weighing, c.in(2), c.in(1));
    return reduced(c, c.mul(each, weights), weights);
  }

  private static void requireShapes(OpContext c) {
    c.requireRank(0, 2);
    List<Affine> expected = new ArrayList<>(c.type(0).shape());
    Affine classes = expected.remove(1);
    if (!c.type(1).shape().equals(expected)) {
      String what = "has target %s for scores %s".formatted(c.type(1), c.type(0));
      boolean isFixed = c.type(0).isStatic() && c.type(1).isStatic();
      throw isFixed
          ? LoweringFault.of(what)
          : LoweringFault.specialisable(what + "; fix the batch");
    }
    if (c.has(2) && !c.type(2).shape().equals(List.of(classes))) {
      throw LoweringFault.of("has weights %s for %s classes".formatted(c.type(2), classes));
    }
  }

  /* Minus the score, and 0 rather than −0 where the target is ignored. */
  private static Value named(OpContext c, long ignored, Value score) {
    Expr isIgnored = eq(arg(1), const_(c.element(1), ignored));
    Expr zero = const_(c.element(0), 0L);
    return c.map(select(isIgnored, zero, neg(arg(0))), score, c.in(1));
  }

  /// 1 for each target that is not ignored.
  private static Value counted(OpContext c, long ignored) {
    ElementType type = c.element(0);
    Expr isIgnored = eq(arg(0), const_(c.element(1), ignored));
    return c.map(select(isIgnored, const_(type, 0L), const_(type, 1L)), c.in(1));
  }

  /// @param weights what the mean is divided by the sum of; null if each element counts once
  private static Value reduced(OpContext c, Value each, @Nullable Value weights) {
    return switch (c.attrOneOf("reduction", "none", "sum", "mean")) {
      case "none" -> each;
      case "sum" -> sum(c, each);
      default -> {
        Expr count = Ex.as(ElementType.I64, c.element(0), Ex.size(each.type().elements()));
        yield weights == null
            ? c.map(div(arg(0), count), sum(c, each))
            : c.map(div(arg(0), arg(1)), sum(c, each), sum(c, weights));
      }
    };
  }

  private static Value sum(OpContext c, Value x) {
    List<Integer> all = IntStream.range(0, x.type().rank()).boxed().toList();
    return c.reduce(ReduceKind.SUM, all, false, Ex.x(), x);
  }
}
