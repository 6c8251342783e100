package io.miniinference.runtime.specialise;

import io.miniinference.ir.Tensor;
import io.miniinference.runtime.LoadOptions;
import io.miniinference.runtime.RequestShape;
import io.miniinference.signature.TensorSpec;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// What a model with open sizes is compiled for, so that it serves a request.
///
/// @param key the same for requests that it serves
/// @param known inputs by whose values the key tells requests apart
/// @param fixed what of the request is fixed in it
record RequestSizes(String key, LoadOptions options, Set<String> known, Fixed fixed) {
  /// What of a request is fixed, from the least to all. Only where the batch is open do failures
  /// belong to rows.
  enum Fixed {
    /// Sizes besides the batch, and those that follow from values of inputs of constant shape.
    OTHERS,
    /// Sizes that follow from any values, too. Where an input with the batch decides over one, the
    /// batch is that of the request, and a symbol all the same.
    VALUES,
    /// The batch as well: sizes follow from it that are no multiples of it.
    ALL
  }

  /// The requests to a model.
  ///
  /// @param inputs as the file declares them
  /// @param hasBatch whether one of their symbols is the batch
  record Of(List<TensorSpec> inputs, boolean hasBatch, LoadOptions loaded) {

    /// The sizes of a request; empty if no batch can be told that could be open, or if less does
    /// the same.
    ///
    /// @param known inputs that are known to decide over sizes
    Optional<RequestSizes> sizes(Fixed fixed, RequestValues values, Set<String> known) {
      return switch (fixed) {
        case OTHERS -> open(values).map(sizes -> others(sizes, values, known));
        case VALUES ->
            open(values)
                .filter(_ -> inputs.stream().anyMatch(i -> isOpenAndSmall(i, values)))
                .map(sizes -> values(sizes, values, known));
        case ALL -> Optional.of(all(values, known));
      };
    }

    private Optional<RequestShape> open(RequestValues values) {
      return hasBatch ? Optional.of(values.shape()) : Optional.empty();
    }

    private static boolean isOpenAndSmall(TensorSpec input, RequestValues values) {
      return !input.isFixed() && values.has(input.name());
    }

    private RequestSizes others(RequestShape sizes, RequestValues values, Set<String> known) {
      Map<String, Tensor> given = values.values();
      inputs.stream().filter(i -> !i.isFixed()).forEach(i -> given.remove(i.name()));
      return upTo(sizes, given, Fixed.OTHERS, values, known);
    }

    private RequestSizes values(RequestShape sizes, RequestValues values, Set<String> known) {
      return upTo(sizes, values.values(), Fixed.VALUES, values, known);
    }

    /* The batch is open up to the largest, or is the request's if its rows decide. */
    private RequestSizes upTo(
        RequestShape sizes,
        Map<String, Tensor> given,
        Fixed fixed,
        RequestValues values,
        Set<String> known) {
      boolean rowsDecide =
          inputs.stream().anyMatch(i -> known.contains(i.name()) && isOpenAndSmall(i, values));
      int rows = Math.max(1, (int) sizes.batch());
      int most = rowsDecide ? rows : most(rows);
      Map<String, Long> dimensions = new TreeMap<>(loaded.dimensions());
      dimensions.putAll(sizes.sizes());
      String batch = rowsDecide ? " of batch " + sizes.batch() : " up to batch " + most;
      return new RequestSizes(
          (dimensions + batch + " " + values.key(known)).strip(),
          loaded.fixed(most, dimensions, Map.of(), given),
          known,
          fixed);
    }

    /* What is called a batch may be anything else, of which there may be more than of rows. */
    private int most(int rows) {
      return rows <= loaded.maxBatch() ? loaded.maxBatch() : Integer.highestOneBit(2 * rows - 1);
    }

    private RequestSizes all(RequestValues values, Set<String> known) {
      List<long[]> shapes = values.request().shapes();
      Map<String, long[]> named = new HashMap<>();
      for (int i = 0; i < inputs.size(); i++) {
        named.put(inputs.get(i).name(), shapes.get(i));
      }
      LoadOptions options = loaded.fixed(1, loaded.dimensions(), named, values.values());
      String key = "shapes " + text(shapes) + values.key(known);
      return new RequestSizes(key, options, known, Fixed.ALL);
    }
  }

  /// Shapes, one behind the other.
  static String text(List<long[]> shapes) {
    return shapes.stream().map(Arrays::toString).collect(Collectors.joining(", "));
  }
}
