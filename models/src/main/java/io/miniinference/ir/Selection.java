package io.miniinference.ir;

/// How an index operand names elements of a data operand: what a Gather reads, and what a Scatter
/// writes. [Addressing] has the one form into which all of them go.
public sealed interface Selection {

  /// One index names all that lies at its place on `axis` of the data (ONNX Gather).
  record Slices(int axis) implements Selection {}

  /// One index for each element, which is moved along `axis` only; the index operand has the data's
  /// rank, and on the other axes no more than the data's extents (ONNX GatherElements,
  /// ScatterElements).
  record Elements(int axis) implements Selection {}

  /// The last axis of the index operand holds tuples: places on as many axes of the data, after
  /// `batchDims` leading axes that both have in common (ONNX GatherND, ScatterND).
  record Tuples(int batchDims) implements Selection {}
}
