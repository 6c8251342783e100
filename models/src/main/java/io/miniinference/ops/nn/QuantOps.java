package io.miniinference.ops.nn;

import static io.miniinference.ir.Exprs.add;
import static io.miniinference.ir.Exprs.arg;
import static io.miniinference.ir.Exprs.at;
import static io.miniinference.ir.Exprs.cast;
import static io.miniinference.ir.Exprs.const_;
import static io.miniinference.ir.Exprs.div;
import static io.miniinference.ir.Exprs.index;
import static io.miniinference.ir.Exprs.max;
import static io.miniinference.ir.Exprs.min;
import static io.miniinference.ir.Exprs.mul;
import static io.miniinference.ir.Exprs.round;
import static io.miniinference.ir.Exprs.sub;

import io.miniinference.ir.CodedType;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Expr;
import io.miniinference.ir.Op.ReduceKind;
import io.miniinference.ir.Value;
import io.miniinference.layout.Affine;
import io.miniinference.ops.draft.Emitter;
import io.miniinference.ops.draft.Ex;
import io.miniinference.ops.draft.LoweringFault;
import io.miniinference.ops.math.MatMulOps;
import io.miniinference.ops.node.OpContext;
import io.miniinference.ops.node.OpTable;
import io.miniinference.ops.small.SmallTypes;
import io.miniinference.ops.small.SmallTypes.Rounding;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/// Quantisation: integers that stand for `(q − zero point) · scale`.
public final class QuantOps {
  /// The attributes of QuantizeLinear and DequantizeLinear.
  public static final String LINEAR = "axis=1 block_size=0 output_dtype=0 saturate=1 precision=0";

  private QuantOps() {}

  public static void addTo(OpTable table) {
    table
        .row("QuantizeLinear", 10, "2-3", LINEAR, QuantOps::quantize)
        .row("DequantizeLinear", 10, "2-3", LINEAR, QuantOps::dequantize)
        .rows("DynamicQuantizeLinear", 11, "1", "", c -> dynamic(c, c.in(0)))
        .row("MatMulInteger", 10, "2-4", "", QuantOps::matMul)
        .row("ConvInteger", 10, "2-4", WindowAttributes.NAMES + " group=1", QuantOps::conv)
        .row("QLinearMatMul", 10, "8", "", QuantOps::scaledMatMul)
        .row("QLinearConv", 10, "8-9", WindowAttributes.NAMES + " group=1", QuantOps::scaledConv);
  }

  private static double lowest(ElementType type) {
    return type.kind() == ElementType.Kind.UNSIGNED ? 0 : -Math.pow(2, type.bytes() * 8 - 1);
  }

  private static double highest(ElementType type) {
    boolean unsigned = type.kind() == ElementType.Kind.UNSIGNED;
    return Math.pow(2, type.bytes() * 8 - (unsigned ? 0 : 1)) - 1;
  }

  /// A float in the range of `type`, as such.
  private static Expr saturated(Expr x, ElementType real, ElementType type) {
    return cast(type, within(x, real, lowest(type), highest(type)));
  }

  private static Expr within(Expr x, ElementType real, double low, double high) {
    return min(max(x, const_(real, low)), const_(real, high));
  }

  /// An input as numbers: integers, or floats where it is of small floats.
  private static Value numbers(OpContext c, int i) {
    return c.coded(i).map(type -> SmallTypes.numbers(c, c.in(i), type)).orElse(c.in(i));
  }

  /// Scale or zero point, per tensor, per index of an axis or per block, as it broadcasts to input
  /// 0.
  private static Value spread(OpContext c, int i) {
    Value parameter = numbers(c, i);
    int rank = c.rank(0);
    if (parameter.type().rank() == 0 || parameter.type().shape().equals(List.of(Affine.ONE))) {
      return c.reshape(parameter);
    }
    int axis = c.attrAxis("axis", rank);
    if (parameter.type().rank() == 1) {
      return c.unsqueeze(parameter, 1, rank - 1 - axis);
    }
    return blocks(c, parameter, axis);
  }

  /// Each element repeated over its block along `axis`.
  private static Value blocks(OpContext c, Value parameter, int axis) {
    long size = c.attrInt("block_size");
    if (size < 1) {
      throw LoweringFault.of(
          "has parameters %s for %s and no block size".formatted(parameter.type(), c.type(0)));
    }
    requireBlocks(c, parameter, axis);
    List<Expr> coordinates = Ex.here(c.rank(0));
    coordinates.set(axis, div(index(axis), const_(size)));
    Affine last = parameter.type().dim(axis).times(size);
    Affine extent = c.type(0).dim(axis);
    if (!last.isConstant() || !extent.isConstant() || last.constant() < extent.constant()) {
      throw LoweringFault.of(
          "has parameters %s in blocks of %d for %s".formatted(parameter.type(), size, c.type(0)));
    }
    return c.compute(at(0, coordinates), c.type(0).shape(), parameter);
  }

  /* Read at the indices of input 0 along each axis but that of the blocks. */
  private static void requireBlocks(OpContext c, Value parameter, int axis) {
    List<Affine> shape = new ArrayList<>(parameter.type().shape());
    if (shape.size() == c.rank(0)) {
      shape.set(axis, c.type(0).dim(axis));
    }
    if (!shape.equals(c.type(0).shape())) {
      throw LoweringFault.of(
          "has parameters %s for %s, which differ in more than axis %d, that of the blocks"
              .formatted(parameter.type(), c.type(0), axis));
    }
  }

  public static Value quantize(OpContext c) {
    Optional<Value> zeroPoint = c.optional(2).map(z -> spread(c, 2));
    return smallTarget(c)
        .map(type -> small(c, type, zeroPoint))
        .orElseGet(() -> quantized(c, c.in(0), scale(c), zeroPoint, target(c)));
  }

  /// The scale, in the type in which it divides.
  private static Value scale(OpContext c) {
    long precision = c.attrInt("precision");
    Value scale = spread(c, 1);
    return precision == 0 ? scale : c.cast(scale, OpContext.elementType(precision));
  }

  private static Optional<CodedType> smallTarget(OpContext c) {
    long number = c.attrInt("output_dtype");
    Optional<CodedType> target =
        number == 0 ? c.optional(2).flatMap(c.facts()::coded) : CodedType.ofOnnx((int) number);
    return target.filter(SmallTypes::contains);
  }

  private static Value small(OpContext c, CodedType type, Optional<Value> zeroPoint) {
    Value scale = scale(c);
    ElementType real = scale.type().element();
    Expr quotient = div(Ex.as(c.element(0), real, arg(0)), arg(1));
    boolean isWhole = SmallTypes.isInteger(type);
    Expr steps = isWhole ? round(quotient) : quotient;
    Value y =
        zeroPoint
            .map(zero ->
                c.map(add(steps, Ex.as(zero.type().element(), real, arg(2))), c.in(0), scale, zero))
            .orElseGet(() -> c.map(steps, c.in(0), scale));
    if (isWhole) {
      Expr within = within(arg(0), real, SmallTypes.lowest(type), SmallTypes.highest(type));
      return c.codes(c.map(cast(type.element(), within), y), type);
    }
    return SmallTypes.codes(c, y, type, new Rounding(c.attrBool("saturate"), "up"));
  }

  /// `round(x / scale) + zero point` in the range of `target`.
  public static Value quantized(
      Emitter c, Value x, Value scale, Optional<Value> zeroPoint, ElementType target) {
    ElementType real = scale.type().element();
    Expr steps = round(div(Ex.as(x.type().element(), real, arg(0)), arg(1)));
    if (zeroPoint.isEmpty()) {
      return c.map(saturated(steps, real, integer(target)), x, scale);
    }
    Expr shifted = add(steps, cast(real, arg(2)));
    return c.map(saturated(shifted, real, integer(target)), x, scale, zeroPoint.get());
  }

  private static ElementType target(OpContext c) {
    long number = c.attrInt("output_dtype");
    if (number != 0) {
      return integer(OpContext.elementType(number));
    }
    return c.has(2) ? integer(c.element(2)) : ElementType.U8;
  }

  private static ElementType integer(ElementType type) {
    if (!type.isInteger()) {
      throw LoweringFault.of("quantises to %s, which is not supported".formatted(type));
    }
    return type;
  }

  public static Value dequantize(OpContext c) {
    long number = c.attrInt("output_dtype");
    Value scale = spread(c, 1);
    ElementType target = number == 0 ? scale.type().element() : OpContext.elementType(number);
    Optional<Value> zeroPoint = c.optional(2).map(z -> spread(c, 2));
    return dequantized(c, numbers(c, 0), scale, zeroPoint, target);
  }

  /// `(q − zero point) · scale` in type `target`.
  public static Value dequantized(
      Emitter c, Value q, Value scale, Optional<Value> zeroPoint, ElementType target) {
    ElementType real = scale.type().element();
    Expr x = cast(real, arg(0));
    if (zeroPoint.isEmpty()) {
      return c.map(Ex.as(real, target, mul(x, arg(1))), q, scale);
    }
    Expr centred = sub(x, cast(real, arg(2)));
    return c.map(Ex.as(real, target, mul(centred, arg(1))), q, scale, zeroPoint.get());
  }

  /// `x` in 8 bits, with the scale and the zero point that follow from its range, 0 included.
  public static List<Value> dynamic(Emitter c, Value x) {
    ElementType real = x.type().element();
    Value high = extreme(c, ReduceKind.MAX, x);
    Value low = extreme(c, ReduceKind.MIN, x);
    Expr zero = const_(real, 0.0);
    Expr steps = const_(real, 255.0);
    Value scale = c.map(div(sub(max(arg(0), zero), min(arg(1), zero)), steps), high, low);
    Expr rounded = round(sub(zero, div(min(arg(0), zero), arg(1))));
    Value zeroPoint = c.map(saturated(rounded, real, ElementType.U8), low, scale);
    Expr value = add(round(div(arg(0), arg(1))), cast(real, arg(2)));
    Value y = c.map(saturated(value, real, ElementType.U8), x, scale, zeroPoint);
    return List.of(y, scale, zeroPoint);
  }

  /* The extreme of all elements, of each row first: kernels reduce rows beside one another, and all
  of one in a single work-group. */
  private static Value extreme(Emitter c, ReduceKind kind, Value x) {
    int rank = x.type().rank();
    Value rows = rank < 2 ? x : c.reduce(kind, List.of(rank - 1), false, Ex.x(), x);
    List<Integer> axes = IntStream.range(0, rows.type().rank()).boxed().toList();
    return c.reduce(kind, axes, false, Ex.x(), rows);
  }

  /// An operand in 32 bits, less its zero point.
  public static Value centred(Emitter c, Value x, Optional<Value> zeroPoint) {
    Expr wide = cast(ElementType.I32, arg(0));
    if (zeroPoint.isEmpty()) {
      return c.map(wide, x);
    }
    return c.map(sub(wide, cast(ElementType.I32, arg(1))), x, zeroPoint.get());
  }

  /// A parameter of a product, or one per row, as it broadcasts to the rows of a matrix.
  public static Value perRow(Emitter c, Value parameter) {
    Value rows = perColumn(c, parameter);
    return rows.type().rank() == 1 ? c.unsqueeze(rows, 1, 1) : rows;
  }

  /* One of a vector has no axis, so that it gives none to a product that has none. */
  private static Value perColumn(Emitter c, Value parameter) {
    return parameter.type().elements().equals(Affine.ONE) ? c.reshape(parameter) : parameter;
  }

  private static Value matMul(OpContext c) {
    Value a = centred(c, c.in(0), c.optional(2).map(p -> perRow(c, p)));
    Optional<Value> zeroB = c.optional(3).map(p -> perColumn(c, p));
    return MatMulOps.matMul(c, a, centred(c, c.in(1), zeroB));
  }

  private static Value conv(OpContext c) {
    Optional<Value> zero = c.optional(3).map(z -> perFeature(c, z));
    Value w = centred(c, c.in(1), zero);
    return ConvOps.conv(c, centred(c, c.in(0), c.optional(2).map(z -> c.reshape(z))), w);
  }

  /// A parameter per feature, as it broadcasts to the weights `[M, C, K…]`.
  private static Value perFeature(OpContext c, Value parameter) {
    boolean single = parameter.type().elements().equals(Affine.ONE);
    return single ? c.reshape(parameter) : c.unsqueeze(parameter, 1, c.rank(0) - 1);
  }

  /// Integer products times the operands' scales over the result's, rounded and shifted.
  public static Value rescaled(Emitter c, Value product, Value factor, Value zeroPoint) {
    ElementType real = factor.type().element();
    Expr shifted = add(round(mul(cast(real, arg(0)), arg(1))), cast(real, arg(2)));
    ElementType target = integer(zeroPoint.type().element());
    return c.map(saturated(shifted, real, target), product, factor, zeroPoint);
  }

  private static Value scaledMatMul(OpContext c) {
    Value a = centred(c, c.in(0), Optional.of(perRow(c, c.in(2))));
    Optional<Value> zeroB = c.optional(5).map(p -> perColumn(c, p));
    Value product = MatMulOps.matMul(c, a, centred(c, c.in(3), zeroB));
    Expr factor = div(mul(arg(0), arg(1)), arg(2));
    Value scaleA = perRow(c, c.in(1));
    Value scale = c.map(factor, scaleA, perColumn(c, c.in(4)), perRow(c, c.in(6)));
    return rescaled(c, product, scale, perRow(c, c.in(7)));
  }

  public static Value scaledConv(OpContext c) {
    int rank = c.rank(0);
    Value x = centred(c, c.in(0), Optional.of(c.reshape(c.in(2))));
    Value w = centred(c, c.in(3), Optional.of(perFeature(c, c.in(5))));
    Value product = ConvOps.conv(c, x, w);
    if (c.has(8)) {
      product = c.add(product, c.perChannel(c.in(8), rank));
    }
    Value scaleW = c.in(4);
    boolean single = scaleW.type().elements().equals(Affine.ONE);
    Value perChannel = single ? c.reshape(scaleW) : c.perChannel(scaleW, rank);
    Expr factor = div(mul(arg(0), arg(1)), arg(2));
    Value scale = c.map(factor, c.reshape(c.in(1)), perChannel, c.reshape(c.in(6)));
    return rescaled(c, product, scale, c.reshape(c.in(7)));
  }
}
