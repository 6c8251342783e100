package io.miniinference.ops.math;

import static io.miniinference.ir.Exprs.add;
import static io.miniinference.ir.Exprs.arg;
import static io.miniinference.ir.Exprs.const_;
import static io.miniinference.ir.Exprs.mul;
import static io.miniinference.ir.Exprs.tanh;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.Expr;
import io.miniinference.ir.Value;
import io.miniinference.layout.Affine;
import io.miniinference.ops.draft.Ex;
import io.miniinference.ops.draft.LoweringFault;
import io.miniinference.ops.draft.Sizes;
import io.miniinference.ops.draft.SmallTensors;
import io.miniinference.ops.node.OpContext;
import io.miniinference.ops.node.OpTable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.function.Function;

/// Operators that the standard had on trial and dropped with opset 10
/// ([removal](https://github.com/onnx/onnx/pull/1909)). Converters from Core ML wrote them, and
/// ONNX Runtime still has them.
public final class TrialOps {
  private static final long DROPPED = 10;

  private TrialOps() {}

  public static void addTo(OpTable table) {
    trial(table, "Affine", "alpha=1 beta=0", TrialOps::affine);
    trial(table, "Scale", "scale=1", c -> c.map(mul(factor(c, "scale"), Ex.x()), c.in(0)));
    trial(table, "ScaledTanh", "alpha beta", c -> outer(c, tanh(inner(c))));
    trial(table, "ParametricSoftplus", "alpha beta", TrialOps::softplus);
    trial(table, "ImageScaler", "scale=1 bias", TrialOps::image);
    trial(table, "Crop", "border scale", TrialOps::crop);
  }

  private static void trial(
      OpTable table, String name, String attributes, Function<OpContext, Value> rule) {
    table.row(
        name,
        1,
        "1",
        attributes,
        c -> {
          if (c.opset() >= DROPPED) {
            throw LoweringFault.of("is no operator of ONNX since opset " + DROPPED);
          }
          return rule.apply(c);
        });
  }

  private static Expr factor(OpContext c, String attribute) {
    return const_(c.element(0), c.attrFloat(attribute));
  }

  /// `beta·x`.
  private static Expr inner(OpContext c) {
    return mul(factor(c, "beta"), Ex.x());
  }

  /// `alpha` times a function of the input.
  private static Value outer(OpContext c, Expr function) {
    return c.map(mul(factor(c, "alpha"), function), c.in(0));
  }

  private static Value affine(OpContext c) {
    return c.map(add(mul(factor(c, "alpha"), Ex.x()), factor(c, "beta")), c.in(0));
  }

  /// `alpha · log(1 + exp(beta·x))`.
  private static Value softplus(OpContext c) {
    return outer(c, ActivationOps.softplus(c.element(0), inner(c)));
  }

  /// `scale·x + bias` of an image `[N, C, H, W]`, with a bias for each channel.
  private static Value image(OpContext c) {
    c.requireRank(0, 4, 4);
    List<Float> given = c.attributes().reals("bias");
    if (!c.type(0).dim(1).equals(Affine.of(given.size()))) {
      throw LoweringFault.of(
          "has a bias of %d numbers for the channels of %s".formatted(given.size(), c.type(0)));
    }
    ElementType type = c.element(0);
    double[] bias = given.stream().mapToDouble(Float::doubleValue).toArray();
    Value channels = c.constant(SmallTensors.of(type, new long[] {bias.length}, bias));
    return c.map(add(mul(factor(c, "scale"), Ex.x()), arg(1)), c.in(0), c.perChannel(channels, 4));
  }

  /// Without a border of an image `[N, C, H, W]`; of what is left, the first `scale` rows and
  /// columns if that is given.
  private static Value crop(OpContext c) {
    c.requireRank(0, 4, 4);
    long[] border = c.attrInts("border"); // left, top, right, bottom
    long[] scale = c.attrInts("scale");
    boolean negative = Arrays.stream(border).anyMatch(size -> size < 0);
    if (border.length != 4 || negative || (scale.length != 0 && scale.length != 2)) {
      throw LoweringFault.of(
          "has border %s and scale %s, needs 4 sizes and 2"
              .formatted(Arrays.toString(border), Arrays.toString(scale)));
    }
    List<Affine> starts = new ArrayList<>(Collections.nCopies(4, Affine.ZERO));
    List<Affine> extents = new ArrayList<>(c.type(0).shape());
    for (int side = 0; side < 2; side++) {
      int axis = 2 + side;
      Affine start = Affine.of(border[1 - side]);
      Affine left = extents.get(axis).minus(start).minus(Affine.of(border[3 - side]));
      starts.set(axis, start);
      extents.set(
          axis, Sizes.dimension(scale.length == 0 ? left : Affine.of(scale[side]), axis, 0));
    }
    return c.slice(c.in(0), starts, Collections.nCopies(4, 1L), extents);
  }
}
