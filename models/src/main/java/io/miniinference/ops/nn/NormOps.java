package io.miniinference.ops.nn;

import static io.miniinference.ir.Exprs.add;
import static io.miniinference.ir.Exprs.arg;
import static io.miniinference.ir.Exprs.const_;
import static io.miniinference.ir.Exprs.div;
import static io.miniinference.ir.Exprs.eq;
import static io.miniinference.ir.Exprs.mul;
import static io.miniinference.ir.Exprs.pow;
import static io.miniinference.ir.Exprs.reciprocal;
import static io.miniinference.ir.Exprs.select;
import static io.miniinference.ir.Exprs.sqrt;
import static io.miniinference.ir.Exprs.sub;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.Expr;
import io.miniinference.ir.Op;
import io.miniinference.ir.Op.PoolKind;
import io.miniinference.ir.Op.ReduceKind;
import io.miniinference.ir.Value;
import io.miniinference.ir.Window;
import io.miniinference.layout.Affine;
import io.miniinference.ops.draft.Ex;
import io.miniinference.ops.draft.LoweringFault;
import io.miniinference.ops.math.Powers;
import io.miniinference.ops.math.ReduceOps;
import io.miniinference.ops.movement.ShapeOps;
import io.miniinference.ops.node.OpContext;
import io.miniinference.ops.node.OpTable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/// Normalisations: statistics over some axes, then scale and bias.
public final class NormOps {
  private static final Expr X = Ex.x();

  /// The attributes of LayerNormalization and RMSNormalization.
  public static final String LAYER = "axis=-1 epsilon=1e-5 stash_type=1";

  private static final String EARLY_BATCH = "epsilon=1e-5 is_test=0 momentum=0.9 spatial=1";

  /// What MeanVarianceNormalization had while it was on trial.
  private static final String TRIED = "across_channels=0 normalize_variance=1";

  private NormOps() {}

  public static void addTo(OpTable table) {
    table
        .rows("BatchNormalization", 1, "5", EARLY_BATCH, NormOps::earlyBatch)
        .rows(
            "BatchNormalization", 7, "5", "epsilon=1e-5 momentum=0.9 spatial=1", NormOps::oldBatch)
        .rows("BatchNormalization", 9, "5", "epsilon=1e-5 momentum=0.9", NormOps::batch)
        .rows(
            "BatchNormalization",
            14,
            "5",
            "epsilon=1e-5 momentum=0.9 training_mode=0",
            NormOps::batch)
        .row("InstanceNormalization", 1, "3", "epsilon=1e-5", NormOps::instance)
        .rows("LayerNormalization", 17, "2-3", LAYER, NormOps::layer)
        .row("RMSNormalization", 23, "2", LAYER, NormOps::rootMeanSquare)
        .row("GroupNormalization", 18, "3", "epsilon=1e-5 num_groups", c -> group(c, true))
        .row(
            "GroupNormalization",
            21,
            "3",
            "epsilon=1e-5 num_groups stash_type=1",
            c -> group(c, false))
        .row("LpNormalization", 1, "1", "axis=-1 p=2", NormOps::lp)
        .row("MeanVarianceNormalization", 1, "1", TRIED, NormOps::triedMeanVariance)
        .row("MeanVarianceNormalization", 9, "1", "axes", NormOps::meanVariance)
        .row("LRN", 1, "1", "alpha=0.0001 beta=0.75 bias=1 size", NormOps::localResponse);
  }

  private static boolean training(OpContext c) {
    return c.opset() >= 14 && c.attrBool("training_mode");
  }

  /// `x·a + b` per channel, `a = scale / √(variance + ε)`, `b = bias − mean·a`. Before opset 9: by
  /// channel, or each element by numbers of its own.
  private static List<Value> oldBatch(OpContext c) {
    return c.attrBool("spatial") ? batch(c) : List.of(eachElement(c));
  }

  /// Before opset 7, where the node says whether it normalises by what it was trained to
  /// (`is_test`), or by its input, of which it then tells the statistics.
  private static List<Value> earlyBatch(OpContext c) {
    if (!c.attrBool("is_test") && c.outputs() > 1) {
      throw LoweringFault.of("has is_test = 0 and trains: export the model for inference");
    }
    return oldBatch(c);
  }

  private static Value eachElement(OpContext c) {
    c.requireRank(0, 1);
    List<Affine> row = c.type(0).shape().subList(1, c.rank(0));
    for (int i = 1; i < 5; i++) {
      if (!c.type(i).shape().equals(row)) {
        throw LoweringFault.of(
            "has spatial = 0 and input %d %s, needs %s".formatted(i, c.type(i), row));
      }
    }
    Expr epsilon = const_(c.element(4), c.attrFloat("epsilon"));
    Expr normal = div(sub(arg(0), arg(3)), sqrt(add(arg(4), epsilon)));
    return c.map(add(mul(normal, arg(1)), arg(2)), c.in(0), c.in(1), c.in(2), c.in(3), c.in(4));
  }

  private static List<Value> batch(OpContext c) {
    c.requireRank(0, 2);
    if (training(c)) {
      return trainedBatch(c);
    }
    return List.of(channels(c, c.in(3), c.in(4)));
  }

  private static Value channels(OpContext c, Value mean, Value variance) {
    ElementType wide = mean.type().element();
    Expr deviation = sqrt(add(arg(1), const_(wide, c.attrFloat("epsilon"))));
    Value scale = c.map(div(arg(0), deviation), c.cast(c.in(1), wide), variance);
    Value bias = c.map(sub(arg(0), mul(arg(1), arg(2))), c.cast(c.in(2), wide), mean, scale);
    int rank = c.rank(0);
    ElementType type = c.element(0);
    Expr scaled = add(mul(Ex.as(type, wide, arg(0)), arg(1)), arg(2));
    return c.map(
        Ex.as(wide, type, scaled), c.in(0), c.perChannel(scale, rank), c.perChannel(bias, rank));
  }

  /// With the batch's own statistics, and the running ones updated.
  private static List<Value> trainedBatch(OpContext c) {
    List<Integer> axes = IntStream.range(0, c.rank(0)).filter(i -> i != 1).boxed().toList();
    Value mean = ReduceOps.mean(c, c.in(0), axes, true);
    Value centred = c.sub(c.in(0), mean);
    Value variance = ReduceOps.mean(c, c.mul(centred, centred), axes, false);
    Value flatMean = c.reshape(mean, List.of(c.type(0).dim(1)));
    return List.of(
        channels(c, flatMean, variance),
        running(c, c.in(3), flatMean),
        running(c, c.in(4), variance));
  }

  private static Value running(OpContext c, Value before, Value now) {
    ElementType type = before.type().element();
    Expr kept = mul(arg(0), const_(type, c.attrFloat("momentum")));
    Expr added = mul(arg(1), const_(type, 1.0 - c.attrFloat("momentum")));
    return c.map(add(kept, added), before, c.cast(now, type));
  }

  private static Value normalized(OpContext c, Value x, List<Integer> axes, boolean centred) {
    return c.emit(new Op.Normalize(axes, c.attrFloat("epsilon"), centred), x);
  }

  private static Value instance(OpContext c) {
    int rank = c.rank(0);
    Value x = normalized(c, c.in(0), from(2, rank), true);
    return scaled(c, x, c.perChannel(c.in(1), rank), c.perChannel(c.in(2), rank));
  }

  private static Value scaled(OpContext c, Value x, Value scale, Value bias) {
    return c.map(add(mul(arg(0), arg(1)), arg(2)), x, scale, bias);
  }

  private static List<Integer> from(int axis, int rank) {
    return IntStream.range(axis, rank).boxed().toList();
  }

  /// Half types are normalised in 32 bits (`stash_type` 1).
  public static List<Value> layer(OpContext c) {
    List<Integer> axes = from(c.attrAxis("axis", c.rank(0)), c.rank(0));
    Value x = c.cast(c.in(0), wide(c));
    Value y = layer(c, c.in(0), x, axes, c.in(1), c.optional(2));
    if (c.outputs() < 2) {
      return List.of(y);
    }
    List<Value> all = new ArrayList<>(List.of(y));
    all.addAll(statistics(c, x, axes));
    return all;
  }

  private static ElementType wide(OpContext c) {
    ElementType type = c.element(0);
    return type == ElementType.F64 ? type : OpContext.elementType(c.attrInt("stash_type"));
  }

  /// The last axis of `x` normalised by mean and variance, in 32 bits at least.
  public static Value layer(OpContext c, Value x, Value scale, Optional<Value> bias) {
    List<Integer> last = List.of(x.type().rank() - 1);
    return layer(c, x, widened(c, x), last, scale, bias);
  }

  private static Value widened(OpContext c, Value x) {
    boolean long_ = x.type().element() == ElementType.F64;
    return c.cast(x, long_ ? ElementType.F64 : ElementType.F32);
  }

  private static Value layer(
      OpContext c, Value x, Value wide, List<Integer> axes, Value scale, Optional<Value> bias) {
    Value normal = c.cast(normalized(c, wide, axes, true), x.type().element());
    return bias.isPresent() ? scaled(c, normal, scale, bias.get()) : c.mul(normal, scale);
  }

  /// Mean and inverse deviation of the last axis of `x`, in 32 bits at least.
  public static List<Value> statistics(OpContext c, Value x) {
    return statistics(c, widened(c, x), List.of(x.type().rank() - 1));
  }

  private static List<Value> statistics(OpContext c, Value x, List<Integer> axes) {
    Value mean = ReduceOps.mean(c, x, axes, true);
    Value centred = c.sub(x, mean);
    Value variance = ReduceOps.mean(c, c.mul(centred, centred), axes, true);
    Expr epsilon = const_(x.type().element(), c.attrFloat("epsilon"));
    return List.of(mean, c.map(reciprocal(sqrt(add(X, epsilon))), variance));
  }

  public static Value rootMeanSquare(OpContext c) {
    List<Integer> axes = from(c.attrAxis("axis", c.rank(0)), c.rank(0));
    return rootMeanSquare(c, c.in(0), c.cast(c.in(0), wide(c)), axes, c.in(1));
  }

  /// The last axis of `x` over the root of its mean square, in 32 bits at least.
  public static Value rootMeanSquare(OpContext c, Value x, Value scale) {
    return rootMeanSquare(c, x, widened(c, x), List.of(x.type().rank() - 1), scale);
  }

  private static Value rootMeanSquare(
      OpContext c, Value x, Value wide, List<Integer> axes, Value scale) {
    ElementType type = x.type().element();
    Value normal = c.cast(normalized(c, wide, axes, false), type);
    return c.map(mul(Ex.as(type, scale.type().element(), arg(0)), arg(1)), normal, scale);
  }

  /// Channels in groups; before opset 21 scale and bias were per group.
  private static Value group(OpContext c, boolean perGroup) {
    List<Affine> shape = c.type(0).shape();
    long groups = c.attrInt("num_groups");
    if (groups < 1 || shape.size() < 3 || !shape.get(1).isMultipleOf(groups)) {
      throw LoweringFault.of("splits %s into %d groups of channels".formatted(c.type(0), groups));
    }
    List<Affine> grouped = new ArrayList<>();
    grouped.add(shape.get(0));
    grouped.add(Affine.of(groups));
    grouped.add(shape.get(1).dividedBy(groups));
    grouped.addAll(shape.subList(2, shape.size()));
    Value normal = normalized(c, c.reshape(c.in(0), grouped), from(2, grouped.size()), true);
    if (perGroup) {
      int rank = grouped.size();
      Value y = scaled(c, normal, c.perChannel(c.in(1), rank), c.perChannel(c.in(2), rank));
      return c.reshape(y, shape);
    }
    Value flat = c.reshape(normal, shape);
    return scaled(
        c, flat, c.perChannel(c.in(1), shape.size()), c.perChannel(c.in(2), shape.size()));
  }

  /// `x / ‖x‖_p`, 0 where the norm is 0.
  private static Value lp(OpContext c) {
    long p = c.attrInt("p");
    List<Integer> axes = List.of(c.attrAxis("axis", c.rank(0)));
    Value sum = c.reduce(ReduceKind.SUM, axes, true, PoolOps.power(c, p), c.in(0));
    Value norm = PoolOps.root(c, p, sum);
    Expr zero = const_(c.element(0), 0.0);
    Expr quotient = select(eq(arg(1), zero), zero, div(arg(0), arg(1)));
    return c.map(quotient, c.in(0), norm);
  }

  /// An image's channels, each alone or all as one, less their mean.
  private static Value triedMeanVariance(OpContext c) {
    c.requireRank(0, 3);
    int first = c.attrBool("across_channels") ? 1 : 2;
    List<Integer> axes = IntStream.range(first, c.rank(0)).boxed().toList();
    return c.attrBool("normalize_variance") ? meanVariance(c, axes) : centred(c, axes);
  }

  private static Value meanVariance(OpContext c) {
    long[] given = c.hasAttr("axes") ? c.attrInts("axes") : new long[] {0, 2, 3};
    return meanVariance(c, OpContext.axes(given, c.rank(0)));
  }

  private static Value centred(OpContext c, List<Integer> axes) {
    return c.sub(c.in(0), ReduceOps.mean(c, c.in(0), axes, true));
  }

  private static Value meanVariance(OpContext c, List<Integer> axes) {
    Value centred = centred(c, axes);
    Value variance = ReduceOps.mean(c, c.mul(centred, centred), axes, true);
    Expr deviation = add(sqrt(arg(1)), const_(c.element(0), 1e-9));
    return c.map(div(arg(0), deviation), centred, variance);
  }

  /// `x / (bias + alpha/size · Σ x²)^beta` over `size` neighbouring channels, a window over the
  /// channel axis taken as an image's height.
  private static Value localResponse(OpContext c) {
    c.requireRank(0, 3);
    int size = Math.toIntExact(c.attrInt("size"));
    ElementType type = c.element(0);
    List<Affine> shape = c.type(0).shape();
    Affine pixels = ShapeOps.product(shape.subList(2, shape.size()));
    Value squares = c.map(mul(X, X), c.in(0));
    Value image = c.reshape(squares, List.of(shape.get(0), Affine.ONE, shape.get(1), pixels));
    List<Integer> ones = Collections.nCopies(2, 1);
    var window =
        new Window(List.of(size, 1), ones, ones, List.of((size - 1) / 2, 0), List.of(size / 2, 0));
    Value sums = c.emit(new Op.WindowReduce(PoolKind.SUM, window, false), image);
    Expr factor = const_(type, c.attrFloat("alpha") / size);
    Expr base = add(const_(type, c.attrFloat("bias")), mul(factor, arg(1)));
    return c.map(div(arg(0), responsePower(c, base)), c.in(0), c.reshape(sums, shape));
  }

  /* Three quarters nearly always, of what is at least the bias. */
  private static Expr responsePower(OpContext c, Expr base) {
    float beta = c.attrFloat("beta");
    boolean isPositive = c.attrFloat("bias") > 0 && c.attrFloat("alpha") >= 0;
    Expr power = pow(base, const_(c.element(0), beta));
    return isPositive ? Powers.ofPositive(base, c.element(0), beta).orElse(power) : power;
  }
}
