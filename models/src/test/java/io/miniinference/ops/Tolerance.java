package io.miniinference.ops;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.Tensor;
import io.miniinference.ops.draft.SmallTensors;
import java.util.Arrays;
import java.util.Optional;

/// When a float counts as right: `|x − y| ≤ rtol·|y| + atol`; NaN equals NaN, infinities equal
/// themselves. Integers and booleans are exact. Of `BF16`, `rtol` is two units in the last place at
/// least, as in ONNX's own runner.
record Tolerance(double rtol, double atol) {

  /// What tells two tensors apart, or empty.
  Optional<String> difference(Tensor actual, Tensor expected) {
    if (actual.element() != expected.element()
        || !Arrays.equals(actual.shape(), expected.shape())) {
      return Optional.of("type %s, expected %s".formatted(actual, expected));
    }
    boolean floats = actual.element().isFloat();
    double relative = actual.element() == ElementType.BF16 ? Math.max(rtol, 0x1p-6) : rtol;
    for (long i = 0; i < actual.elements(); i++) {
      boolean same =
          floats
              ? close(SmallTensors.real(actual, i), SmallTensors.real(expected, i), relative)
              : SmallTensors.integer(actual, i) == SmallTensors.integer(expected, i);
      if (!same) {
        return Optional.of(
            "element %d is %s, expected %s".formatted(i, shown(actual, i), shown(expected, i)));
      }
    }
    return Optional.empty();
  }

  private boolean close(double x, double y, double relative) {
    return x == y
        || (Double.isNaN(x) && Double.isNaN(y))
        || Math.abs(x - y) <= relative * Math.abs(y) + atol;
  }

  private static String shown(Tensor tensor, long i) {
    return tensor.element().isFloat()
        ? Double.toString(SmallTensors.real(tensor, i))
        : Long.toString(SmallTensors.integer(tensor, i));
  }
}
