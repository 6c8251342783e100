package io.miniinference.ops.nn;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.Tensor;
import io.miniinference.ops.draft.LoweringFault;
import io.miniinference.ops.draft.SmallTensors;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Along one axis: which input elements an output element is made of, and with what weights.
final class ResizeTaps {
  private static final double TINY = 1e-12;

  private final Rule rule;
  private final long inputs;
  private final double scale;
  private final double[] region;

  /// Per output: the index of the first tap before clamping, and all weights.
  private final List<double[]> weights = new ArrayList<>();

  private final List<Long> first = new ArrayList<>();
  private final List<Boolean> outside = new ArrayList<>();

  /// What all axes have in common: ONNX's attributes.
  record Rule(
      String mode,
      String coordinates,
      String nearest,
      double cubicA,
      boolean excludeOutside,
      boolean antialias,
      double extrapolation) {

    /// Coordinates divided by the scale, rounded down.
    static Rule simple(String mode) {
      return new Rule(mode, "asymmetric", "floor", -0.75, false, false, 0);
    }

    /// Whether a region of the input is resized, not all of it.
    boolean crops() {
      return coordinates.equals("tf_crop_and_resize");
    }
  }

  /// @param region start and end of the part that is resized, as fractions
  ResizeTaps(Rule rule, long inputs, long outputs, double scale, double[] region) {
    this.rule = rule;
    this.inputs = inputs;
    this.scale = scale;
    this.region = region;
    if (inputs < 1 || outputs > 1 << 24) {
      throw LoweringFault.of("resizes %d elements to %d".formatted(inputs, outputs));
    }
    for (long i = 0; i < outputs; i++) {
      addTaps(place(i, outputs));
    }
  }

  Rule rule() {
    return rule;
  }

  long inputs() {
    return inputs;
  }

  long outputs() {
    return first.size();
  }

  /// Taps per output.
  int count() {
    return weights.isEmpty() ? 1 : weights.getFirst().length;
  }

  /// Whether each output is one input element as it is.
  boolean isSingle() {
    return count() == 1 && !rule.crops();
  }

  /// The place among the inputs that output `i` is taken at.
  private double place(long i, long outputs) {
    double whole = scale * inputs;
    double halfPixel = (i + 0.5) / scale - 0.5;
    return switch (rule.coordinates) {
      case "align_corners" -> whole == 1 ? 0 : i * (inputs - 1) / (whole - 1);
      case "asymmetric" -> i / scale;
      case "tf_half_pixel_for_nn" -> (i + 0.5) / scale;
      case "pytorch_half_pixel" -> whole == 1 ? -0.5 : halfPixel;
      case "half_pixel_symmetric" -> inputs / 2.0 * (1 - outputs / whole) + halfPixel;
      case "tf_crop_and_resize" -> cropped(i, whole);
      default -> halfPixel;
    };
  }

  private double cropped(long i, double whole) {
    double extent = (region[1] - region[0]) * (inputs - 1);
    double inside = whole == 1 ? extent / 2 : i * extent / (whole - 1);
    return inside + region[0] * (inputs - 1);
  }

  private void addTaps(double place) {
    outside.add(rule.crops() && (place < 0 || place > inputs - 1));
    switch (rule.mode) {
      case "nearest" -> add((long) rounded(place), 1);
      case "linear" -> addFilter(place, 1);
      default -> addFilter(place, 2);
    }
  }

  private double rounded(double place) {
    return switch (rule.nearest) {
      case "round_prefer_floor" -> Math.ceil(place - 0.5);
      case "round_prefer_ceil" -> Math.floor(place + 0.5);
      case "floor" -> Math.floor(place);
      default -> Math.ceil(place);
    };
  }

  /// Taps under a filter of `radius` elements, widened where elements are skipped and antialiasing
  /// is asked for. A place that is an element counts as just right of the one before.
  private void addFilter(double place, int radius) {
    double narrow = rule.antialias ? Math.min(scale, 1) : 1;
    double base = Math.ceil(place) - 1;
    double ratio = place - base;
    int from = (int) Math.floor(-radius / narrow) + 1;
    double[] taps = new double[2 - 2 * from];
    for (int k = 0; k < taps.length; k++) {
      double distance = Math.abs((from + k - ratio) * narrow);
      taps[k] = radius == 1 ? Math.max(0, 1 - distance) : cubic(distance);
    }
    add((long) base + from, taps);
  }

  private double cubic(double x) {
    double a = rule.cubicA;
    if (x <= 1) {
      return ((a + 2) * x - (a + 3)) * x * x + 1;
    }
    return x < 2 ? ((a * x - 5 * a) * x + 8 * a) * x - 4 * a : 0;
  }

  private void add(long from, double... taps) {
    double sum = 0;
    for (int k = 0; k < taps.length; k++) {
      boolean left = rule.excludeOutside && (from + k < 0 || from + k >= inputs);
      taps[k] = left ? 0 : taps[k];
      sum += taps[k];
    }
    if (Math.abs(sum) > TINY) {
      for (int k = 0; k < taps.length; k++) {
        taps[k] /= sum;
      }
    }
    first.add(from);
    weights.add(taps);
  }

  private long clamped(int output, int tap) {
    return Math.clamp(first.get(output) + tap, 0, inputs - 1);
  }

  /// `k`, if output `i` is input `⌊i/k⌋`.
  Optional<Long> wholeFactor() {
    if (outputs() == 0 || outputs() % inputs != 0) {
      return Optional.empty();
    }
    long factor = outputs() / inputs;
    for (int i = 0; i < outputs(); i++) {
      if (clamped(i, 0) != i / factor) {
        return Optional.empty();
      }
    }
    return Optional.of(factor);
  }

  /// `i64[taps, outputs]`: the input element of each tap.
  Tensor places() {
    long[] places = new long[count() * first.size()];
    for (int k = 0; k < count(); k++) {
      for (int i = 0; i < first.size(); i++) {
        places[k * first.size() + i] = clamped(i, k);
      }
    }
    return SmallTensors.of(ElementType.I64, new long[] {count(), outputs()}, places);
  }

  /// `[taps, outputs]`: the weight of each tap.
  Tensor weights(ElementType type) {
    double[] values = new double[count() * first.size()];
    for (int k = 0; k < count(); k++) {
      for (int i = 0; i < first.size(); i++) {
        values[k * first.size() + i] = weights.get(i)[k];
      }
    }
    return SmallTensors.of(type, new long[] {count(), outputs()}, values);
  }

  /// `[inputs, outputs]`: the same as a matrix.
  Tensor matrix(ElementType type) {
    double[] values = new double[Math.toIntExact(Math.multiplyExact(inputs, outputs()))];
    for (int i = 0; i < first.size(); i++) {
      for (int k = 0; k < count(); k++) {
        values[(int) (clamped(i, k) * outputs() + i)] += weights.get(i)[k];
      }
    }
    return SmallTensors.of(type, new long[] {inputs, outputs()}, values);
  }

  /// `bool[outputs]`: whether the place is outside the input.
  Tensor outside() {
    long[] flags = outside.stream().mapToLong(flag -> flag ? 1 : 0).toArray();
    return SmallTensors.of(ElementType.BOOL, new long[] {outputs()}, flags);
  }
}
