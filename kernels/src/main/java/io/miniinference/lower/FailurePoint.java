package io.miniinference.lower;

import io.miniinference.ir.Expr;
import io.miniinference.ir.IndexBounds;
import org.jspecify.annotations.Nullable;

/// A step that can fail, as messages name it.
///
/// @param step the step's number
/// @param node the ONNX node's name, or `#k`
/// @param op the ONNX operator
/// @param axis the dimension of the indexed tensor; of an index tuple that of its first component,
///   and those of the others follow
/// @param perRow whether axis 0 of the index tensor (or of the result, where a divisor has it too)
///   is the batch, so that a failure belongs to a row and not to the run
/// @param positionsPerRow elements of that tensor per row, if `perRow`
/// @param size of a step that takes a size for an index, whose size it is
/// @param divisionByZero of an elementwise step, whether it divides an integer by zero at an index;
///   null where indices fail
/// @param timed whether its kernel takes the clock ([LoweredProgram#clockId]), since in loops the
///   number of the step does not tell when it failed
public record FailurePoint(
    int step,
    String node,
    String op,
    int axis,
    boolean perRow,
    long positionsPerRow,
    IndexBounds.@Nullable Size size,
    @Nullable Expr divisionByZero,
    boolean timed) {}
