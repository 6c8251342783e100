package io.miniinference.runtime.pad;

import io.miniinference.onnx.ModelException;
import io.miniinference.onnx.Problem;
import io.miniinference.runtime.InvalidRequestException;
import io.miniinference.runtime.Model;
import io.miniinference.runtime.RequestShape;
import io.miniinference.runtime.Signature;
import io.miniinference.signature.Dimension;
import io.miniinference.signature.TensorSpec;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

/// To what the open sizes of a model's requests are filled up.
///
/// @param signature of the model
/// @param multiples by symbol; sizes become the next multiple, or the bound of the symbol if that
///   is less
record Padding(Signature signature, Map<String, Long> multiples) {
  Padding {
    multiples = Map.copyOf(multiples);
  }

  /// @throws ModelException if the model has no such symbols, or an output of which cannot be told
  ///   what follows from what was filled up
  static Padding of(Model model, Map<String, Long> multiples) {
    Signature signature = model.signature();
    Set<String> unknown = new TreeSet<>(multiples.keySet());
    unknown.removeAll(signature.symbols());
    if (!unknown.isEmpty()) {
      throw refused(
          signature,
          "%s is no open dimension of the model, which has %s (a name with brackets stands in brackets: padding[x[1]]=16)"
              .formatted(String.join(", ", unknown), signature.symbols()));
    }
    Signature found = OutputSizes.of(model, multiples);
    found.outputs().forEach(output -> requireKnown(found, output));
    return new Padding(found, multiples);
  }

  private static void requireKnown(Signature signature, TensorSpec output) {
    for (int axis = 0; axis < output.dims().size(); axis++) {
      if (!OutputSizes.isKnown(signature, output.dims().get(axis))) {
        throw refused(
            signature,
            "output '%s' is %s, and axis %d is neither as long as an open dimension of an input nor always the same, so that it cannot be cut; export the model with the dimension's name there"
                .formatted(output.name(), output, axis));
      }
    }
  }

  private static ModelException refused(Signature signature, String why) {
    return new ModelException(
        signature.model(),
        Problem.of("engine.models.settings.%s.padding: %s".formatted(signature.model(), why)));
  }

  /// What requests of a shape run as. A size of zero stays.
  RequestShape padded(RequestShape shape) {
    return new RequestShape(shape.batch(), padded(shape.sizes()));
  }

  /// As above, of sizes by symbol.
  Map<String, Long> padded(Map<String, Long> sizes) {
    Map<String, Long> padded = new HashMap<>(sizes);
    padded.replaceAll(this::padded);
    return padded;
  }

  private long padded(String symbol, long size) {
    long multiple = multiples.getOrDefault(symbol, 1L);
    if (size > Long.MAX_VALUE - multiple) {
      return size; // of an empty tensor; whether that runs is not for here to say
    }
    long up = Math.ceilDiv(size, multiple) * multiple;
    return Math.max(size, Math.min(up, signature.bounds().getOrDefault(symbol, Long.MAX_VALUE)));
  }

  /// The shape of an output that a request wants.
  ///
  /// @param own sizes of the request
  /// @param found shape of the output of the request as it ran
  /// @throws InvalidRequestException if the output is not as the file declares it
  long[] cut(TensorSpec output, RequestShape own, long[] found) {
    long[] cut = found.clone();
    Map<String, Long> ran = padded(own.sizes());
    for (int axis = 0; axis < found.length; axis++) {
      if (output.dims().get(axis) instanceof Dimension.Open(String symbol)) {
        requireSize(output, symbol, axis, found, size(ran, symbol));
        cut[axis] = size(own.sizes(), symbol);
      }
    }
    return cut;
  }

  private static long size(Map<String, Long> sizes, String symbol) {
    return Objects.requireNonNull(sizes.get(symbol), symbol);
  }

  private void requireSize(TensorSpec output, String symbol, int axis, long[] found, long wanted) {
    if (wanted != found[axis]) {
      throw new InvalidRequestException(
          "output '%s' of model '%s' is %s for %s of %d, not that on axis %d as the file says: it cannot be padded (engine.models.settings.%2$s.padding)"
              .formatted(
                  output.name(), signature.model(), Arrays.toString(found), symbol, wanted, axis));
    }
  }
}
