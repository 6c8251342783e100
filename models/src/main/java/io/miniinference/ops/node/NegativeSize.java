package io.miniinference.ops.node;

import org.jspecify.annotations.Nullable;

/// A size that a request's inputs or their shapes make negative, at the first node where that
/// happens.
///
/// @param node the ONNX node's name, or `#k`
/// @param op the ONNX operator
/// @param axis of the node's result
/// @param position in the tensor that holds the sizes
/// @param size less than 0
/// @param iteration of the loop around the node, where that is known
public record NegativeSize(
    String node, String op, int axis, int position, long size, @Nullable Integer iteration) {

  /// The same, in an iteration of a loop; an inner loop's number stays.
  NegativeSize at(long number) {
    int around = iteration == null ? Math.toIntExact(number) : iteration;
    return new NegativeSize(node, op, axis, position, size, around);
  }
}
