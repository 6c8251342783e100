package io.miniinference.ops.nn;

import static io.miniinference.ir.Exprs.add;
import static io.miniinference.ir.Exprs.at;
import static io.miniinference.ir.Exprs.cast;
import static io.miniinference.ir.Exprs.const_;
import static io.miniinference.ir.Exprs.div;
import static io.miniinference.ir.Exprs.index;
import static io.miniinference.ir.Exprs.mul;
import static io.miniinference.ir.Exprs.select;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.Expr;
import io.miniinference.ir.Value;
import io.miniinference.layout.Affine;
import io.miniinference.ops.draft.CountedShapes;
import io.miniinference.ops.draft.Ex;
import io.miniinference.ops.draft.LoweringFault;
import io.miniinference.ops.draft.Sizes;
import io.miniinference.ops.math.MatMulOps;
import io.miniinference.ops.node.OpContext;
import io.miniinference.ops.node.OpTable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/// Resize and Upsample: axis after axis, each output element a weighted sum of a few input elements
/// whose places and weights are computed at import ([ONNX
/// Resize](https://onnx.ai/onnx/operators/onnx__Resize.html)).
public final class ResizeOps {
  private static final String SINCE_11 =
      "coordinate_transformation_mode=half_pixel cubic_coeff_a=-0.75 exclude_outside=0"
          + " extrapolation_value=0 mode=nearest nearest_mode=round_prefer_floor";

  /// Past so many taps a product with the matrix of weights is cheaper than fetching.
  private static final int MOST_FETCHED = 4;

  private ResizeOps() {}

  public static void addTo(OpTable table) {
    table
        .row("Upsample", 1, "1", "height_scale mode=nearest width_scale", ResizeOps::upsampleImage)
        .row("Upsample", 7, "1", "mode=nearest scales", ResizeOps::upsampleByAttribute)
        .row("Upsample", 9, "2", "mode=nearest", c -> oldResize(c, c.reals(1)))
        .row("Resize", 10, "2", "mode=nearest", c -> oldResize(c, c.reals(1)))
        .row("Resize", 11, "3-4", SINCE_11, ResizeOps::resize)
        .row("Resize", 13, "1-4", SINCE_11, ResizeOps::resize)
        .row(
            "Resize",
            18,
            "1-4",
            SINCE_11 + " antialias=0 axes keep_aspect_ratio_policy=stretch",
            ResizeOps::resize);
  }

  /// Before opset 7, of an image `[N, C, H, W]`.
  private static Value upsampleImage(OpContext c) {
    c.requireRank(0, 4, 4);
    double[] scales = {1, 1, c.attrFloat("height_scale"), c.attrFloat("width_scale")};
    return oldResize(c, scales);
  }

  private static Value upsampleByAttribute(OpContext c) {
    List<Float> scales = c.attributes().reals("scales");
    return oldResize(c, scales.stream().mapToDouble(Float::doubleValue).toArray());
  }

  /// Before opset 11: coordinates are divided by the scale, and rounded down.
  private static Value oldResize(OpContext c, double[] scales) {
    String mode = c.attrOneOf("mode", "nearest", "linear", "bilinear");
    var rule = ResizeTaps.Rule.simple(mode.equals("nearest") ? "nearest" : "linear");
    return scaled(c, allAxes(c), scales, rule, new double[0]);
  }

  private static List<Integer> allAxes(OpContext c) {
    return IntStream.range(0, c.rank(0)).boxed().toList();
  }

  private static Value resize(OpContext c) {
    boolean latest = c.opset() >= 18;
    List<Integer> axes =
        latest && c.hasAttr("axes")
            ? Arrays.stream(c.attrInts("axes"))
                .mapToObj(axis -> OpContext.axis(axis, c.rank(0)))
                .toList()
            : allAxes(c);
    var rule =
        new ResizeTaps.Rule(
            c.attrOneOf("mode", "nearest", "linear", "cubic"),
            coordinates(c),
            c.attrOneOf("nearest_mode", "round_prefer_floor", "round_prefer_ceil", "floor", "ceil"),
            c.attrFloat("cubic_coeff_a"),
            c.attrBool("exclude_outside"),
            latest && c.attrBool("antialias"),
            c.attrFloat("extrapolation_value"));
    double[] roi = rule.crops() ? region(c, axes.size()) : new double[0];
    boolean hasScales = c.has(2) && !c.type(2).elements().isZero();
    return hasScales
        ? scaled(c, axes, c.reals(2), rule, roi)
        : sized(c, axes, c.sizes(3), rule, roi);
  }

  private static String coordinates(OpContext c) {
    return c.attrOneOf(
        "coordinate_transformation_mode",
        "half_pixel",
        "half_pixel_symmetric",
        "pytorch_half_pixel",
        "align_corners",
        "asymmetric",
        "tf_half_pixel_for_nn",
        "tf_crop_and_resize");
  }

  private static Value scaled(
      OpContext c, List<Integer> axes, double[] scales, ResizeTaps.Rule rule, double[] roi) {
    if (scales.length != axes.size()) {
      throw LoweringFault.of("has %d scales for %d axes".formatted(scales.length, axes.size()));
    }
    Map<Integer, ResizeTaps> taps = new LinkedHashMap<>();
    for (int i = 0; i < scales.length; i++) {
      boolean whole = scales[i] == 1 && !rule.crops();
      if (!whole) {
        long extent = extent(c, axes.get(i));
        long out = scaledExtent(extent, checked(scales[i]));
        taps.put(axes.get(i), taps(c, rule, extent, out, scales[i], part(roi, i)));
      }
    }
    return resized(c, taps);
  }

  /* In floats, as scales are: 20 elements at 0.35 are 7, and in doubles of that float they are 6. */
  private static long scaledExtent(long extent, double scale) {
    return (long) (float) (extent * scale);
  }

  /* By the axes in their order. Where each element is one of the input as it is, nothing is made
  between axes. */
  private static Value resized(OpContext c, Map<Integer, ResizeTaps> taps) {
    Value x = c.in(0);
    if (!taps.isEmpty() && taps.values().stream().allMatch(ResizeTaps::isSingle)) {
      return fetched(c, x, taps);
    }
    for (Map.Entry<Integer, ResizeTaps> along : taps.entrySet()) {
      x = along(c, x, along.getKey(), along.getValue());
    }
    return x;
  }

  private static double checked(double scale) {
    if (!(scale > 0 && scale < 1 << 20)) {
      throw LoweringFault.of("has scale " + scale);
    }
    return scale;
  }

  private static long extent(OpContext c, int axis) {
    Affine extent = c.type(0).dim(axis);
    if (!extent.isConstant()) {
      throw LoweringFault.specialisable(
          "resizes axis %d of %s; fix the batch".formatted(axis, extent));
    }
    return extent.constant();
  }

  private static double[] region(OpContext c, int axes) {
    double[] roi = c.reals(1);
    if (roi.length != 2 * axes) {
      throw LoweringFault.of("has a region of %d numbers for %d axes".formatted(roi.length, axes));
    }
    return roi;
  }

  /// Start and end of axis `i` in a region of interest.
  private static double[] part(double[] roi, int i) {
    return roi.length == 0 ? new double[] {0, 1} : new double[] {roi[i], roi[i + roi.length / 2]};
  }

  private static Value sized(
      OpContext c, List<Integer> axes, List<Affine> sizes, ResizeTaps.Rule rule, double[] roi) {
    if (sizes.size() != axes.size()) {
      throw LoweringFault.of("has %d sizes for %d axes".formatted(sizes.size(), axes.size()));
    }
    CountedShapes.requireUnsized(c.facts(), c.in(0), axes, sizes);
    Optional<Double> common = commonScale(c, axes, sizes);
    Map<Integer, ResizeTaps> taps = new LinkedHashMap<>();
    for (int i = 0; i < axes.size(); i++) {
      boolean kept = sizes.get(i).equals(c.type(0).dim(axes.get(i)));
      if (common.map(scale -> scale == 1).orElse(kept) && !rule.crops()) {
        continue;
      }
      long extent = extent(c, axes.get(i));
      double wanted = Sizes.dimension(sizes.get(i), axes.get(i), i).asConstant();
      double scale = common.orElse(wanted / extent);
      long out = common.isPresent() ? (long) Math.floor(scale * extent + 0.5) : (long) wanted;
      taps.put(axes.get(i), taps(c, rule, extent, out, scale, part(roi, i)));
    }
    return resized(c, taps);
  }

  /// The one scale that keeps the aspect ratio, if the node asks for it.
  private static Optional<Double> commonScale(OpContext c, List<Integer> axes, List<Affine> sizes) {
    if (c.opset() < 18) {
      return Optional.empty();
    }
    String policy = c.attrOneOf("keep_aspect_ratio_policy", "stretch", "not_larger", "not_smaller");
    if (policy.equals("stretch")) {
      return Optional.empty();
    }
    double[] scales = new double[axes.size()];
    for (int i = 0; i < scales.length; i++) {
      int axis = axes.get(i);
      scales[i] = (double) Sizes.dimension(sizes.get(i), axis, i).asConstant() / extent(c, axis);
    }
    var all = Arrays.stream(scales);
    return Optional.of((policy.equals("not_larger") ? all.min() : all.max()).orElse(1));
  }

  /* Their tables are bounded before they are made. */
  private static ResizeTaps taps(
      OpContext c, ResizeTaps.Rule rule, long inputs, long outputs, double scale, double[] part) {
    return new ResizeTaps(rule, inputs, outputs, scale, part, c.maxFoldedBytes() / 16);
  }

  private static Value along(OpContext c, Value x, int axis, ResizeTaps taps) {
    return taps.isSingle()
        ? fetched(c, x, Map.of(axis, taps))
        : blended(c, x, axis, shape(x, Map.of(axis, taps)), taps);
  }

  private static List<Affine> shape(Value x, Map<Integer, ResizeTaps> taps) {
    List<Affine> shape = new ArrayList<>(x.type().shape());
    taps.forEach((axis, along) -> shape.set(axis, Affine.of(along.outputs())));
    return shape;
  }

  private static Value fetched(OpContext c, Value x, Map<Integer, ResizeTaps> taps) {
    List<Expr> coordinates = Ex.here(x.type().rank());
    List<Value> inputs = new ArrayList<>(List.of(x));
    taps.forEach((axis, along) -> {
      Optional<Long> factor = along.wholeFactor();
      if (factor.isPresent()) {
        coordinates.set(axis, div(index(axis), const_(factor.get())));
      } else {
        coordinates.set(axis, at(inputs.size(), const_(0), index(axis)));
        inputs.add(c.constant(along.places()));
      }
    });
    return c.compute(at(0, coordinates), shape(x, taps), inputs.toArray(Value[]::new));
  }

  private static Value blended(
      OpContext c, Value x, int axis, List<Affine> shape, ResizeTaps taps) {
    ElementType type = x.type().element();
    ElementType real = type == ElementType.F64 ? type : ElementType.F32;
    Value sum =
        taps.count() > MOST_FETCHED
            ? product(c, c.cast(x, real), axis, taps)
            : c.compute(
                weighted(axis, shape.size(), type, real, taps),
                shape,
                x,
                c.constant(taps.places()),
                c.constant(taps.weights(real)));
    Value outside = c.constant(taps.outside());
    Expr extrapolated = const_(real, taps.rule().extrapolation());
    Expr chosen = select(at(1, index(axis)), extrapolated, Ex.x());
    return c.cast(taps.rule().crops() ? c.compute(chosen, shape, sum, outside) : sum, type);
  }

  /// `Σ_k weight[k, i]·x[…, place[k, i], …]`.
  private static Expr weighted(
      int axis, int rank, ElementType type, ElementType real, ResizeTaps taps) {
    Expr sum = const_(real, 0.0);
    for (int k = 0; k < taps.count(); k++) {
      List<Expr> coordinates = Ex.here(rank);
      coordinates.set(axis, at(1, const_(k), index(axis)));
      Expr element = type == real ? at(0, coordinates) : cast(real, at(0, coordinates));
      Expr term = mul(at(2, const_(k), index(axis)), element);
      sum = k == 0 ? term : add(sum, term);
    }
    return sum;
  }

  private static Value product(OpContext c, Value x, int axis, ResizeTaps taps) {
    int rank = x.type().rank();
    List<Integer> swap = new ArrayList<>(IntStream.range(0, rank).boxed().toList());
    swap.set(axis, rank - 1);
    swap.set(rank - 1, axis);
    Value matrix = c.constant(taps.matrix(x.type().element()));
    Value last = MatMulOps.matMul(c, c.transpose(x, swap), matrix);
    return c.transpose(last, swap);
  }
}
