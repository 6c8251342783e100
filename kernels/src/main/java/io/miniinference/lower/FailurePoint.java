package io.miniinference.lower;

/// A step that can fail, as messages name it.
///
/// @param step the step's number
/// @param node the ONNX node's name, or `#k`
/// @param op the ONNX operator
/// @param axis the dimension of the indexed tensor; of an index tuple that of its first component,
///   and those of the others follow
/// @param perRow whether axis 0 of the index tensor is the batch, so that a failure belongs to a
///   row and not to the run
/// @param positionsPerRow elements of the index tensor per row, if `perRow`
public record FailurePoint(
    int step, String node, String op, int axis, boolean perRow, long positionsPerRow) {}
