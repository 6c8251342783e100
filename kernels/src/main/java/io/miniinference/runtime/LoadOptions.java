package io.miniinference.runtime;

import io.miniinference.ir.Tensor;
import io.miniinference.lower.Precision;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// How a model is loaded.
///
/// @param maxBatch largest batch its arenas are planned for
/// @param instances requests served side by side; 0 lets the engine choose (one for large batches,
///   more for small ones where the device has several workers, or overlaps runs)
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
    bounds.forEach(LoadOptions::requireSize);
    padding.forEach(LoadOptions::requireMultiple);
  }

  private static void requireSize(String symbol, long most) {
    if (most < 0) {
      throw new IllegalArgumentException(
          "bounds give " + symbol + " a largest size of " + most + ", not of 0 or more");
    }
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

  /* Options of which some components change. */
  private static final class Copy {
    private int maxBatch;
    private int instances;
    private Map<String, Long> dimensions;
    private Map<String, long[]> inputShapes;
    private Map<String, Tensor> inputValues;
    private int maxIterations;
    private int maxSpecialisations;
    private @Nullable Precision precision;
    private Map<String, Long> bounds;
    private Map<String, Long> padding;

    Copy(LoadOptions of) {
      maxBatch = of.maxBatch;
      instances = of.instances;
      dimensions = of.dimensions;
      inputShapes = of.inputShapes;
      inputValues = of.inputValues;
      maxIterations = of.maxIterations;
      maxSpecialisations = of.maxSpecialisations;
      precision = of.precision;
      bounds = of.bounds;
      padding = of.padding;
    }

    LoadOptions options() {
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
          padding);
    }
  }

  private LoadOptions with(Consumer<Copy> change) {
    Copy copy = new Copy(this);
    change.accept(copy);
    return copy.options();
  }

  public LoadOptions withMaxBatch(int batch) {
    return with(it -> it.maxBatch = batch);
  }

  /// With requests that are served side by side.
  ///
  /// @param count 0 lets the engine choose
  public LoadOptions withInstances(int count) {
    return with(it -> it.instances = count);
  }

  public LoadOptions withDimensions(Map<String, Long> values) {
    return with(it -> it.dimensions = values);
  }

  public LoadOptions withMaxIterations(int iterations) {
    return with(it -> it.maxIterations = iterations);
  }

  public LoadOptions withMaxSpecialisations(int most) {
    return with(it -> it.maxSpecialisations = most);
  }

  /// These options with a precision of the model's own.
  ///
  /// @param own null for the engine's
  public LoadOptions withPrecision(@Nullable Precision own) {
    return with(it -> it.precision = own);
  }

  /// These options with largest sizes of open dimensions.
  public LoadOptions withBounds(Map<String, Long> most) {
    return with(it -> it.bounds = most);
  }

  /// These options with multiples to which open sizes are filled up.
  public LoadOptions withPadding(Map<String, Long> multiples) {
    return with(it -> it.padding = multiples);
  }

  /// A batch, sizes, shapes and values for one specialisation.
  public LoadOptions fixed(
      int batch, Map<String, Long> sizes, Map<String, long[]> shapes, Map<String, Tensor> values) {
    return with(it -> {
      it.maxBatch = batch;
      it.instances = 1;
      it.dimensions = sizes;
      it.inputShapes = shapes;
      it.inputValues = values;
      it.bounds = Map.of();
      it.padding = Map.of();
    });
  }

  /// One request at a time, of exactly these inputs' shapes (and contents, where shapes depend on
  /// them): what a data set needs.
  public LoadOptions forData(Map<String, Tensor> inputs) {
    Map<String, long[]> shapes = new HashMap<>();
    inputs.forEach((name, tensor) -> shapes.put(name, tensor.shape()));
    return with(it -> {
      it.maxBatch = 1;
      it.instances = 1;
      it.inputShapes = shapes;
      it.inputValues = inputs;
      it.padding = Map.of();
    });
  }
}
