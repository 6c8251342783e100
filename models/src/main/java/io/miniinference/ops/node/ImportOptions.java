package io.miniinference.ops.node;

import io.miniinference.ir.Tensor;
import io.miniinference.onnx.ReadLimits;
import java.util.Map;

/// What is fixed about a model before it is imported, and how much importing may take.
///
/// @param dims sizes of input dimensions by symbol; a dimension without a name is `input[axis]`
/// @param inputShapes whole shapes by input name, as a data set gives them; they win over `dims`
/// @param inputValues values of inputs that decide shapes, as a data set gives them; used only
///   where a shape needs them
/// @param batch the batch symbol's value, or 0 to keep it symbolic
/// @param maxFoldedBytes largest constant that importing may compute
/// @param limits how large a tensor of the file may be
/// @param constants what was read of the model before
/// @param countsSizes whether sizes that follow from data are planned at their largest; if not,
///   they must follow from constants, sizes and the values given
public record ImportOptions(
    Map<String, Long> dims,
    Map<String, long[]> inputShapes,
    Map<String, Tensor> inputValues,
    long batch,
    long maxFoldedBytes,
    ReadLimits limits,
    ReadConstants constants,
    boolean countsSizes) {
  private static final long DEFAULT_FOLDED_BYTES = 256L << 20;

  public ImportOptions {
    dims = Map.copyOf(dims);
    inputShapes = Map.copyOf(inputShapes);
    inputValues = Map.copyOf(inputValues);
    if (batch < 0) {
      throw new IllegalArgumentException("batch " + batch + " is negative; 0 keeps it symbolic");
    }
  }

  /// Whether sizes or values are fixed that the file leaves open.
  public boolean isSpecific() {
    return batch > 0 || !(dims.isEmpty() && inputShapes.isEmpty() && inputValues.isEmpty());
  }

  /// A symbolic batch, nothing else fixed.
  public static ImportOptions defaults() {
    return new ImportOptions(
        Map.of(),
        Map.of(),
        Map.of(),
        0,
        DEFAULT_FOLDED_BYTES,
        ReadLimits.defaults(),
        new ReadConstants(),
        true);
  }

  public ImportOptions withDims(Map<String, Long> other) {
    return new ImportOptions(
        other, inputShapes, inputValues, batch, maxFoldedBytes, limits, constants, countsSizes);
  }

  public ImportOptions withInputShapes(Map<String, long[]> other) {
    return new ImportOptions(
        dims, other, inputValues, batch, maxFoldedBytes, limits, constants, countsSizes);
  }

  public ImportOptions withInputValues(Map<String, Tensor> other) {
    return new ImportOptions(
        dims, inputShapes, other, batch, maxFoldedBytes, limits, constants, countsSizes);
  }

  /// @param other the pool's capacity: a constant that does not fit it is of no use
  public ImportOptions withMaxFoldedBytes(long other) {
    return new ImportOptions(
        dims, inputShapes, inputValues, batch, other, limits, constants, countsSizes);
  }

  /// @param other what earlier imports of the same model read
  public ImportOptions withConstants(ReadConstants other) {
    return new ImportOptions(
        dims, inputShapes, inputValues, batch, maxFoldedBytes, limits, other, countsSizes);
  }

  public ImportOptions withCountedSizes(boolean other) {
    return new ImportOptions(
        dims, inputShapes, inputValues, batch, maxFoldedBytes, limits, constants, other);
  }
}
