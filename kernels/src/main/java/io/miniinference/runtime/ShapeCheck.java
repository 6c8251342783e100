package io.miniinference.runtime;

import io.miniinference.signature.Dimension;
import io.miniinference.signature.TensorSpec;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The check of one request's shapes by a [Signature], in any order of inputs. The messages begin
/// as Triton's do, since clients look for them.
public final class ShapeCheck {
  /// Of an input: kernels number what they compute in 32 bits.
  private static final long MOST_ELEMENTS = Integer.MAX_VALUE;

  private final Signature signature;
  private final Map<String, Size> sizes = new HashMap<>();
  private @Nullable Size batch;

  /// A size and the input that first had it.
  private record Size(long value, String input, int axis) {}

  ShapeCheck(Signature signature) {
    this.signature = signature;
  }

  /// Checks the shape of an input.
  ///
  /// @param input its place in the signature
  /// @throws InvalidRequestException if it does not fit the signature, or inputs that came before
  public void input(int input, long[] shape) {
    TensorSpec spec = signature.inputs().get(input);
    List<Dimension> dims = spec.dims();
    if (dims.contains(new Dimension.Rest())) {
      return;
    }
    if (!fits(dims, shape)) {
      throw unexpected(spec, shape, "");
    }
    for (int axis = 0; axis < shape.length; axis++) {
      take(spec, axis, shape);
    }
    if (!isCountable(shape)) {
      throw unexpected(spec, shape, ": its sizes are beyond %d together".formatted(MOST_ELEMENTS));
    }
  }

  /* Also without the sizes that are 0: a program for none of them is that for one. */
  private static boolean isCountable(long[] shape) {
    long elements = 1;
    for (long size : shape) {
      if (size > MOST_ELEMENTS / elements) {
        return false;
      }
      elements *= Math.max(1, size);
    }
    return true;
  }

  private static boolean fits(List<Dimension> dims, long[] shape) {
    boolean fits = dims.size() == shape.length;
    for (int axis = 0; fits && axis < shape.length; axis++) {
      fits = fits(dims.get(axis), shape[axis]);
    }
    return fits;
  }

  private static boolean fits(Dimension dim, long size) {
    return switch (dim) {
      case Dimension.Fixed fixed -> fixed.size() == size;
      case Dimension.Batch rows -> size >= 0 && size % rows.factor() == 0;
      case Dimension.Open _, Dimension.Rest _ -> size >= 0;
    };
  }

  private void take(TensorSpec spec, int axis, long[] shape) {
    switch (spec.dims().get(axis)) {
      case Dimension.Batch rows -> batch(spec, axis, shape, shape[axis] / rows.factor());
      case Dimension.Open open -> size(open.symbol(), spec, axis, shape);
      case Dimension.Fixed _, Dimension.Rest _ -> {}
    }
  }

  private void batch(TensorSpec spec, int axis, long[] shape, long rows) {
    if (rows > signature.maxBatch()) {
      throw new InvalidRequestException(
          "inference request batch-size must be <= %d for '%s', got %d"
              .formatted(signature.maxBatch(), signature.model(), rows));
    }
    Size first = batch == null ? new Size(rows, spec.name(), axis) : batch;
    if (first.value != rows && first.input.equals(spec.name())) {
      throw disagreement("the batch", first, spec, axis, shape, rows);
    }
    if (first.value != rows) {
      throw new InvalidRequestException(
          "input '%s' batch size does not match other inputs for '%s': %d and %d"
              .formatted(spec.name(), signature.model(), rows, first.value));
    }
    batch = first;
  }

  private void size(String symbol, TensorSpec spec, int axis, long[] shape) {
    long most = signature.bounds().getOrDefault(symbol, Long.MAX_VALUE);
    if (shape[axis] > most) {
      throw beyond(symbol, most, spec, axis, shape);
    }
    Size first = sizes.computeIfAbsent(symbol, _ -> new Size(shape[axis], spec.name(), axis));
    if (first.value != shape[axis]) {
      throw disagreement("'" + symbol + "'", first, spec, axis, shape, shape[axis]);
    }
  }

  private InvalidRequestException beyond(
      String symbol, long most, TensorSpec spec, int axis, long[] shape) {
    return new InvalidRequestException(
        "input '%1$s' has size %2$d on axis %3$d, and model '%4$s' takes at most %5$d of '%6$s' (engine.models.settings.%4$s.bounds.%6$s)"
            .formatted(spec.name(), shape[axis], axis, signature.model(), most, symbol));
  }

  private InvalidRequestException disagreement(
      String what, Size first, TensorSpec spec, int axis, long[] shape, long size) {
    return unexpected(
        spec,
        shape,
        ": %s is %d on axis %d of '%s' and %d on axis %d of '%s'"
            .formatted(what, first.value, first.axis, first.input, size, axis, spec.name()));
  }

  private InvalidRequestException unexpected(TensorSpec spec, long[] shape, String more) {
    return new InvalidRequestException(
        "unexpected shape for input '%s' for model '%s'. Expected %s, got %s%s"
            .formatted(
                spec.name(), signature.model(), text(spec.declaredShape()), text(shape), more));
  }

  private static String text(long[] shape) {
    return Arrays.toString(shape).replace(" ", "");
  }

  /// What the inputs so far give.
  public RequestShape shape() {
    Map<String, Long> values = new HashMap<>();
    sizes.forEach((symbol, size) -> values.put(symbol, size.value));
    return new RequestShape(batch == null ? 1 : batch.value, values);
  }
}
