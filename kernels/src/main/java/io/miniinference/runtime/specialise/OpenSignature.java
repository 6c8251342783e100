package io.miniinference.runtime.specialise;

import io.miniinference.onnx.OnnxModel;
import io.miniinference.ops.DeclaredTypes;
import io.miniinference.ops.ModelStrings;
import io.miniinference.runtime.InvalidRequestException;
import io.miniinference.runtime.LoadOptions;
import io.miniinference.runtime.RequestShape;
import io.miniinference.runtime.Signature;
import io.miniinference.runtime.specialise.RequestSizes.Fixed;
import io.miniinference.signature.TensorSpec;
import io.miniinference.strings.Dictionary;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/// What requests to a model with open sizes may look like, and what it is compiled for so that it
/// serves them.
///
/// @param batch the symbol on axis 0 of inputs that is the batch
record OpenSignature(Signature signature, Optional<String> batch, RequestSizes.Of requests) {
  private static final int MOST_ROWS = 1 << 20;

  static OpenSignature of(OnnxModel model, LoadOptions options) {
    DeclaredTypes declared = DeclaredTypes.of(model, options.dimensions());
    Signature signature =
        new Signature(
            model.name(),
            declared.inputs(),
            declared.outputs(),
            maxBatch(declared, options),
            options.bounds(),
            dictionary(model, declared));
    boolean hasBatch = declared.batch().isPresent();
    return new OpenSignature(
        signature, declared.batch(), new RequestSizes.Of(signature.inputs(), hasBatch, options));
  }

  private static Dictionary dictionary(OnnxModel model, DeclaredTypes declared) {
    boolean hasStrings =
        Stream.concat(declared.inputs().stream(), declared.outputs().stream())
            .anyMatch(TensorSpec::isOfStrings);
    return hasStrings ? ModelStrings.of(model) : Dictionary.EMPTY;
  }

  /* Nothing is reserved for a batch. A symbol that is merely alone on axis 0 may as well count
  anything else. */
  private static int maxBatch(DeclaredTypes declared, LoadOptions options) {
    if (declared.batch().isEmpty()) {
      return 1;
    }
    return declared.hasNamedBatch() ? options.maxBatch() : MOST_ROWS;
  }

  /// What serves a request of which only the shape is known, with the batch open if there is one.
  RequestSizes sizes(RequestShape shape) {
    RequestValues shapes = RequestValues.unknown(signature, signature.shapes(shape));
    return requests
        .sizes(Fixed.OTHERS, shapes, Set.of())
        .or(() -> requests.sizes(Fixed.ALL, shapes, Set.of()))
        .orElseThrow();
  }

  /// What serves a request of exactly a shape.
  RequestSizes exactly(RequestShape shape) {
    RequestValues shapes = RequestValues.unknown(signature, signature.shapes(shape));
    return requests.sizes(Fixed.ALL, shapes, Set.of()).orElseThrow();
  }

  /// A shape whose sizes are named, the batch among them; it is 1 if it is not.
  RequestShape named(Map<String, Long> sizes) {
    Map<String, Long> others = new TreeMap<>(sizes);
    Long rows = batch.map(others::remove).orElse(null);
    Set<String> unknown = new TreeSet<>(others.keySet());
    unknown.removeAll(signature.symbols());
    if (!unknown.isEmpty()) {
      throw new InvalidRequestException(
          "model '%s' has no open dimension %s; it has %s and the batch %s"
              .formatted(
                  signature.model(), unknown, signature.symbols(), batch.orElse("is not open")));
    }
    if (rows != null && rows < 1) {
      throw new InvalidRequestException(
          "model '%s' is to be compiled for a batch of %d: it is 1 or more"
              .formatted(signature.model(), rows));
    }
    return new RequestShape(rows == null ? 1 : rows, others);
  }
}
