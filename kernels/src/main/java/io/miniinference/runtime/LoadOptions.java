package io.miniinference.runtime;

import io.miniinference.ir.Tensor;
import io.miniinference.lower.Precision;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// How a model is loaded.
///
/// @param maxBatch largest batch its arenas are planned for
/// @param instances requests served side by side; 0 lets the engine choose (one for large batches,
///   more for small ones where the device has several workers)
/// @param dimensions values of input symbols other than the batch
/// @param inputShapes shapes of inputs by name, which fixes them at load; empty to keep the batch
///   open
/// @param inputValues contents of inputs by name, used only where a shape depends on them
/// @param maxIterations most iterations of all loops of a request together
/// @param maxSpecialisations of a model that is compiled per shape, how many stay compiled: the one
///   that was used longest ago makes room
/// @param precision how exactly it is computed if it is of `f32` numbers; null for the precision of
///   the engine
/// @param bounds largest sizes of open dimensions by symbol: larger requests are refused, and if
///   all have one, a load takes room for a request of those sizes
/// @param padding multiples by symbol to which sizes of requests are filled up with zeros, 2 or
///   more; answers are cut to what was asked
public record LoadOptions(
    int maxBatch,
    int instances,
    Map<String, Long> dimensions,
    Map<String, long[]> inputShapes,
    Map<String, Tensor> inputValues,
    int maxIterations,
    int maxSpecialisations,
    @Nullable Precision precision,
    Map<String, Long> bounds,
    Map<String, Long> padding) {
  private static final int MOST_ITERATIONS = 1_000_000;
  private static final int MOST_SPECIALISATIONS = 32;

  public LoadOptions {
    if (maxBatch < 1) {
      throw new IllegalArgumentException("the maximum batch is " + maxBatch + ", not 1 or more");
    }
    if (instances < 0) {
      throw new IllegalArgumentException(instances + " instances: 0 for the default, or more");
    }
    if (maxIterations < 1) {
      throw new IllegalArgumentException(
          "loops may take " + maxIterations + " iterations, not 1 or more");
    }
    if (maxSpecialisations < 1) {
      throw new IllegalArgumentException(
          maxSpecialisations + " specialisations stay compiled, not 1 or more");
    }
    dimensions = Map.copyOf(dimensions);
    inputShapes = Map.copyOf(inputShapes);
    inputValues = Map.copyOf(inputValues);
    bounds = Map.copyOf(bounds);
    padding = Map.copyOf(padding);
    padding.forEach(LoadOptions::requireMultiple);
  }

  private static void requireMultiple(String symbol, long multiple) {
    if (multiple < 2) {
      throw new IllegalArgumentException(
          "padding of " + symbol + " to multiples of " + multiple + ", not of 2 or more");
    }
  }

  /// The usual bounds on loops and specialisations, and the engine's precision.
  public LoadOptions(
      int maxBatch,
      int instances,
      Map<String, Long> dimensions,
      Map<String, long[]> inputShapes,
      Map<String, Tensor> inputValues) {
    this(
        maxBatch,
        instances,
        dimensions,
        inputShapes,
        inputValues,
        MOST_ITERATIONS,
        MOST_SPECIALISATIONS,
        null,
        Map.of(),
        Map.of());
  }

  public static LoadOptions defaults() {
    return new LoadOptions(256, 0, Map.of(), Map.of(), Map.of());
  }

  public LoadOptions withMaxBatch(int batch) {
    return new LoadOptions(
        batch,
        instances,
        dimensions,
        inputShapes,
        inputValues,
        maxIterations,
        maxSpecialisations,
        precision,
        bounds,
        padding);
  }

  /// With requests that are served side by side.
  ///
  /// @param count 0 lets the engine choose
  public LoadOptions withInstances(int count) {
    return new LoadOptions(
        maxBatch,
        count,
        dimensions,
        inputShapes,
        inputValues,
        maxIterations,
        maxSpecialisations,
        precision,
        bounds,
        padding);
  }

  public LoadOptions withDimensions(Map<String, Long> values) {
    return new LoadOptions(
        maxBatch,
        instances,
        values,
        inputShapes,
        inputValues,
        maxIterations,
        maxSpecialisations,
        precision,
        bounds,
        padding);
  }

  public LoadOptions withMaxIterations(int iterations) {
    return new LoadOptions(
        maxBatch,
        instances,
        dimensions,
        inputShapes,
        inputValues,
        iterations,
        maxSpecialisations,
        precision,
        bounds,
        padding);
  }

  public LoadOptions withMaxSpecialisations(int most) {
    return new LoadOptions(
        maxBatch,
        instances,
        dimensions,
        inputShapes,
        inputValues,
        maxIterations,
        most,
        precision,
        bounds,
        padding);
  }

  /// These options with a precision of the model's own.
  ///
  /// @param own null for the engine's
  public LoadOptions withPrecision(@Nullable Precision own) {
    return new LoadOptions(
        maxBatch,
        instances,
        dimensions,
        inputShapes,
        inputValues,
        maxIterations,
        maxSpecialisations,
        own,
        bounds,
        padding);
  }

  /// These options with largest sizes of open dimensions.
  public LoadOptions withBounds(Map<String, Long> most) {
    return new LoadOptions(
        maxBatch,
        instances,
        dimensions,
        inputShapes,
        inputValues,
        maxIterations,
        maxSpecialisations,
        precision,
        most,
        padding);
  }

  /// These options with multiples to which open sizes are filled up.
  public LoadOptions withPadding(Map<String, Long> multiples) {
    return new LoadOptions(
        maxBatch,
        instances,
        dimensions,
        inputShapes,
        inputValues,
        maxIterations,
        maxSpecialisations,
        precision,
        bounds,
        multiples);
  }

  /// A batch, sizes, shapes and values for one specialisation.
  public LoadOptions fixed(
      int batch, Map<String, Long> sizes, Map<String, long[]> shapes, Map<String, Tensor> values) {
    return new LoadOptions(
        batch,
        1,
        sizes,
        shapes,
        values,
        maxIterations,
        maxSpecialisations,
        precision,
        Map.of(),
        Map.of());
  }

  /// One request at a time, of exactly these inputs' shapes (and contents, where shapes depend on
  /// them): what a data set needs.
  public LoadOptions forData(Map<String, Tensor> inputs) {
    Map<String, long[]> shapes = new java.util.HashMap<>();
    inputs.forEach((name, tensor) -> shapes.put(name, tensor.shape()));
    return new LoadOptions(
        1,
        1,
        dimensions,
        shapes,
        inputs,
        maxIterations,
        maxSpecialisations,
        precision,
        bounds,
        Map.of());
  }
}
