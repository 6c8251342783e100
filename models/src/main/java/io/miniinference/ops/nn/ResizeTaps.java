package io.miniinference.ops.nn;

import io.miniinference.budget.LoadBudget;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Tensor;
import io.miniinference.ops.draft.LoweringFault;
import io.miniinference.ops.draft.SmallTensors;
import java.util.Optional;

/// Along one axis: which input elements an output element is made of, and with what weights.
final class ResizeTaps {
  private static final double TINY = 1e-12;

  /// How far from the middle of two elements a place counts as in the middle: what a scale, which
  /// is a float, makes of it.
  private static final double MIDDLE = 1e-6;

  private final Rule rule;
  private final long inputs;
  private final double scale;
  private final double[] region;

  /// Taps per output.
  private final int count;

  /// Per output: the index of the first tap before clamping.
  private final long[] first;

  /// The weights of output `i` begin at `i·count`; none where each output is one input as it is.
  private final double[] weights;

  private final boolean[] outside;

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
  /// @param most taps of all outputs together
  ResizeTaps(Rule rule, long inputs, long outputs, double scale, double[] region, long most) {
    this.rule = rule;
    this.inputs = inputs;
    this.scale = scale;
    this.region = region;
    double taps = outputs == 0 ? 1 : tapsOf(rule, scale);
    if (inputs < 1 || outputs < 0 || outputs * taps > Math.min(most, Integer.MAX_VALUE / 2)) {
      throw LoweringFault.of(
          "resizes %d elements to %d of %.0f weights each; there may be %d weights in all"
              .formatted(inputs, outputs, taps, most));
    }
    LoadBudget.spend(outputs * taps);
    count = (int) taps;
    first = new long[(int) outputs];
    weights = new double[isNearest() ? 0 : first.length * count];
    outside = new boolean[rule.crops() ? first.length : 0];
    for (int i = 0; i < first.length; i++) {
      addTaps(i, place(i, outputs));
    }
  }

  private static double tapsOf(Rule rule, double scale) {
    return rule.mode.equals("nearest") ? 1 : 2 - 2 * firstOf(rule, scale);
  }

  /* The first tap under a filter, from the element before the place. */
  private static double firstOf(Rule rule, double scale) {
    int radius = rule.mode.equals("linear") ? 1 : 2;
    return Math.floor(-radius / narrow(rule, scale)) + 1;
  }

  private static double narrow(Rule rule, double scale) {
    return rule.antialias ? Math.min(scale, 1) : 1;
  }

  private boolean isNearest() {
    return rule.mode.equals("nearest");
  }

  Rule rule() {
    return rule;
  }

  long inputs() {
    return inputs;
  }

  long outputs() {
    return first.length;
  }

  /// Taps per output.
  int count() {
    return count;
  }

  /// Whether each output is one input element as it is.
  boolean isSingle() {
    return count() == 1 && !rule.crops();
  }

  /// The place among the inputs that output `i` is taken at.
  private double place(long i, long outputs) {
    double whole = scale * inputs;
    double halfPixel = scaled(i + 0.5) - 0.5;
    return switch (rule.coordinates) {
      case "align_corners" -> whole == 1 ? 0 : i * (inputs - 1) / (whole - 1);
      case "asymmetric" -> scaled(i);
      case "tf_half_pixel_for_nn" -> scaled(i + 0.5);
      case "pytorch_half_pixel" -> whole == 1 ? -0.5 : halfPixel;
      case "half_pixel_symmetric" -> inputs / 2.0 * (1 - outputs / whole) + halfPixel;
      case "tf_crop_and_resize" -> cropped(i, whole);
      default -> halfPixel;
    };
  }

  /* A scale is a float: at that of 0.4, output 2 is of input 4.9999999. As a float the quotient is
  5, so that the nearest element is the one that PyTorch and ONNX Runtime take. */
  private double scaled(double output) {
    double place = output / scale;
    return isNearest() ? (float) place : place;
  }

  private double cropped(long i, double whole) {
    double extent = (region[1] - region[0]) * (inputs - 1);
    double inside = whole == 1 ? extent / 2 : i * extent / (whole - 1);
    return inside + region[0] * (inputs - 1);
  }

  private void addTaps(int output, double place) {
    if (rule.crops()) {
      outside[output] = place < 0 || place > inputs - 1;
    }
    if (isNearest()) {
      first[output] = (long) rounded(place);
    } else {
      addFilter(output, place);
    }
  }

  private double rounded(double place) {
    return switch (rule.nearest) {
      case "round_prefer_floor" -> Math.ceil(place - 0.5 - MIDDLE);
      case "round_prefer_ceil" -> Math.floor(place + 0.5 + MIDDLE);
      case "floor" -> Math.floor(place);
      default -> Math.ceil(place);
    };
  }

  /// Taps under a filter, widened where elements are skipped and antialiasing is asked for. A place
  /// that is an element counts as just right of the one before.
  private void addFilter(int output, double place) {
    double narrow = narrow(rule, scale);
    double base = Math.ceil(place) - 1;
    double ratio = place - base;
    int from = (int) firstOf(rule, scale);
    double[] taps = new double[count];
    for (int k = 0; k < taps.length; k++) {
      double distance = Math.abs((from + k - ratio) * narrow);
      taps[k] = rule.mode.equals("linear") ? Math.max(0, 1 - distance) : cubic(distance);
    }
    add(output, (long) base + from, taps);
  }

  private double cubic(double x) {
    double a = rule.cubicA;
    if (x <= 1) {
      return ((a + 2) * x - (a + 3)) * x * x + 1;
    }
    return x < 2 ? ((a * x - 5 * a) * x + 8 * a) * x - 4 * a : 0;
  }

  private void add(int output, long from, double[] taps) {
    double sum = 0;
    for (int k = 0; k < taps.length; k++) {
      boolean left = rule.excludeOutside && (from + k < 0 || from + k >= inputs);
      taps[k] = left ? 0 : taps[k];
      sum += taps[k];
    }
    double whole = Math.abs(sum) > TINY ? sum : 1;
    for (int k = 0; k < taps.length; k++) {
      weights[output * count + k] = taps[k] / whole;
    }
    first[output] = from;
  }

  private double weight(int output, int tap) {
    return isNearest() ? 1 : weights[output * count + tap];
  }

  private long clamped(int output, int tap) {
    return Math.clamp(first[output] + tap, 0, inputs - 1);
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
    long[] places = new long[count() * first.length];
    for (int k = 0; k < count(); k++) {
      for (int i = 0; i < first.length; i++) {
        places[k * first.length + i] = clamped(i, k);
      }
    }
    return SmallTensors.of(ElementType.I64, new long[] {count(), outputs()}, places);
  }

  /// `[taps, outputs]`: the weight of each tap.
  Tensor weights(ElementType type) {
    double[] values = new double[count() * first.length];
    for (int k = 0; k < count(); k++) {
      for (int i = 0; i < first.length; i++) {
        values[k * first.length + i] = weight(i, k);
      }
    }
    return SmallTensors.of(type, new long[] {count(), outputs()}, values);
  }

  /// `[inputs, outputs]`: the same as a matrix.
  Tensor matrix(ElementType type) {
    double[] values = new double[Math.toIntExact(Math.multiplyExact(inputs, outputs()))];
    for (int i = 0; i < first.length; i++) {
      for (int k = 0; k < count(); k++) {
        values[(int) (clamped(i, k) * outputs() + i)] += weight(i, k);
      }
    }
    return SmallTensors.of(type, new long[] {inputs, outputs()}, values);
  }

  /// `bool[outputs]`: whether the place is outside the input.
  Tensor outside() {
    long[] flags = new long[first.length];
    for (int i = 0; i < outside.length; i++) {
      flags[i] = outside[i] ? 1 : 0;
    }
    return SmallTensors.of(ElementType.BOOL, new long[] {outputs()}, flags);
  }
}
