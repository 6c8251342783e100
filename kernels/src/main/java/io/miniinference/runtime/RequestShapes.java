package io.miniinference.runtime;

import io.miniinference.ir.Value;
import io.miniinference.layout.Affine;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/// Checks a request's shapes against a model's inputs and finds the batch size.
final class RequestShapes {
  private RequestShapes() {}

  /// The batch size of the request; 1 for a model without a batch axis.
  ///
  /// @throws InvalidRequestException if a shape does not fit, with what was expected
  static long batch(String model, List<Value> inputs, List<long[]> shapes, long maxBatch) {
    if (shapes.size() != inputs.size()) {
      throw new InvalidRequestException(
          "model '" + model + "' takes " + inputs.size() + " inputs, got " + shapes.size());
    }
    long batch = -1;
    for (int i = 0; i < inputs.size(); i++) {
      long own = match(model, inputs.get(i), shapes.get(i));
      if (own >= 0 && batch >= 0 && own != batch) {
        throw new InvalidRequestException(
            "inputs of one request to '" + model + "' have batch sizes " + batch + " and " + own);
      }
      batch = Math.max(batch, own);
    }
    if (batch > maxBatch) {
      throw new InvalidRequestException(
          "inference request batch-size must be <= "
              + maxBatch
              + " for '"
              + model
              + "', got "
              + batch);
    }
    return batch < 0 ? 1 : batch;
  }

  /* The batch size that makes the input's type this shape; −1 where it has none. */
  private static long match(String model, Value input, long[] shape) {
    List<Affine> dims = input.type().shape();
    long batch = -1;
    boolean fits = dims.size() == shape.length;
    for (int axis = 0; fits && axis < shape.length; axis++) {
      Affine dim = dims.get(axis);
      if (dim.isConstant()) {
        fits = dim.constant() == shape[axis];
      } else {
        long own = shape[axis] / dim.perBatch();
        fits = shape[axis] >= 0 && dim.at(own) == shape[axis] && (batch < 0 || batch == own);
        batch = own;
      }
    }
    if (!fits) {
      throw new InvalidRequestException(
          "unexpected shape for input '"
              + input.name()
              + "' for model '"
              + model
              + "'. Expected "
              + text(dims)
              + ", got "
              + text(shape));
    }
    return batch;
  }

  private static String text(List<Affine> dims) {
    return dims.stream()
        .map(d -> d.isConstant() ? d.toString() : "-1")
        .collect(Collectors.joining(",", "[", "]"));
  }

  private static String text(long[] shape) {
    return LongStream.of(shape).mapToObj(Long::toString).collect(Collectors.joining(",", "[", "]"));
  }
}
