package io.miniinference.runtime;

import io.miniinference.ir.Graph;
import io.miniinference.signature.Codes;
import io.miniinference.signature.Cuts;
import io.miniinference.signature.Dimension;
import io.miniinference.signature.TensorSpec;
import io.miniinference.strings.Dictionary;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// What requests to a model may look like: the one authority over their shapes. Metadata, checks of
/// requests, limits of batches and the choice of a specialisation follow from it.
///
/// @param inputs in the file's order
/// @param outputs in the file's order
/// @param maxBatch largest batch of one request, 1 for a model without a batch dimension
/// @param bounds largest sizes of open dimensions by symbol, for those that have one
/// @param dictionary the codes of the model's strings, for requests with further ones to have a
///   [io.miniinference.strings.StringTable] over it
public record Signature(
    String model,
    List<TensorSpec> inputs,
    List<TensorSpec> outputs,
    int maxBatch,
    Map<String, Long> bounds,
    Dictionary dictionary) {
  public Signature {
    inputs = List.copyOf(inputs);
    outputs = List.copyOf(outputs);
    bounds = Map.copyOf(bounds);
    if (maxBatch < 1) {
      throw new IllegalArgumentException("model '" + model + "' takes batches up to " + maxBatch);
    }
  }

  /// Without bounds, of a model without strings.
  public Signature(String model, List<TensorSpec> inputs, List<TensorSpec> outputs, int maxBatch) {
    this(model, inputs, outputs, maxBatch, Map.of(), Dictionary.EMPTY);
  }

  /// That of a graph, whose sizes all follow from the batch, but for outputs that are cut.
  public static Signature of(String model, Graph graph, Cuts cuts, Codes codes, int maxBatch) {
    List<TensorSpec> outputs = cuts.specs(graph).stream().map(codes::declared).toList();
    return new Signature(
        model, codes.inputs(graph), outputs, maxBatch, Map.of(), codes.dictionary());
  }

  /// The same with inputs and outputs of other shapes.
  public Signature with(List<TensorSpec> otherInputs, List<TensorSpec> otherOutputs) {
    return new Signature(model, otherInputs, otherOutputs, maxBatch, bounds, dictionary);
  }

  /// Whether an input or an output is of strings.
  public boolean hasStrings() {
    return Stream.concat(inputs.stream(), outputs.stream()).anyMatch(TensorSpec::isOfStrings);
  }

  /// The sizes that a request's shapes give to what is open.
  ///
  /// @param shapes one per input
  /// @throws InvalidRequestException if a shape does not fit, or they do not fit each other
  public RequestShape check(List<long[]> shapes) {
    if (shapes.size() != inputs.size()) {
      throw new InvalidRequestException(
          "model '%s' takes %d inputs, got %d".formatted(model, inputs.size(), shapes.size()));
    }
    ShapeCheck check = check();
    for (int i = 0; i < shapes.size(); i++) {
      check.input(i, shapes.get(i));
    }
    return check.shape();
  }

  /// A check of one request, input by input.
  public ShapeCheck check() {
    return new ShapeCheck(this);
  }

  /// The symbols of the open dimensions of inputs.
  public Set<String> symbols() {
    return inputs.stream()
        .flatMap(input -> input.dims().stream())
        .filter(Dimension.Open.class::isInstance)
        .map(dim -> ((Dimension.Open) dim).symbol())
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /// Shapes of which the batch and the open dimensions have these sizes.
  ///
  /// @throws InvalidRequestException if the size of a symbol is missing, or an input has no shape
  public List<long[]> shapes(RequestShape sizes) {
    return inputs.stream().map(input -> shape(input, sizes)).toList();
  }

  private long[] shape(TensorSpec input, RequestShape sizes) {
    return input.dims().stream().mapToLong(dim -> size(input, dim, sizes)).toArray();
  }

  private long size(TensorSpec input, Dimension dim, RequestShape sizes) {
    return switch (dim) {
      case Dimension.Fixed fixed -> fixed.size();
      case Dimension.Batch rows -> Math.multiplyExact(rows.factor(), sizes.batch());
      case Dimension.Open open -> {
        Long size = sizes.sizes().get(open.symbol());
        if (size == null) {
          throw new InvalidRequestException(
              "input '%s' of model '%s' is %s: give the size of %s"
                  .formatted(input.name(), model, input, open.symbol()));
        }
        yield size;
      }
      case Dimension.Rest _ ->
          throw new InvalidRequestException(
              "input '%s' of model '%s' declares no shape".formatted(input.name(), model));
    };
  }

  /// Whether each input and output is made of the rows of a batch, on axis 0 and there alone, all
  /// of one size.
  public boolean isByRows() {
    return Stream.concat(inputs.stream(), outputs.stream())
        .allMatch(spec ->
            spec.isByRows()
                && spec.dims().stream().skip(1).allMatch(Dimension.Fixed.class::isInstance));
  }

  /// Whether inputs have the batch among their dimensions.
  public boolean hasBatch() {
    return inputs.stream()
        .flatMap(input -> input.dims().stream())
        .anyMatch(Dimension.Batch.class::isInstance);
  }
}
