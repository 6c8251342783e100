package io.miniinference.pass;

import io.miniinference.ir.Node;
import io.miniinference.ir.Tensor;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/// What computes a node of static shape from its inputs' contents, the interpreter for all but
/// tests, and what keeps the like for other shapes of a model.
@FunctionalInterface
public interface Evaluator {

  /// The node's results, or empty if the data does not allow it (an index out of bounds, a division
  /// by zero): such a node stays in the graph and fails its requests.
  Optional<List<Tensor>> evaluate(Node node, List<Tensor> inputs);

  /// What follows from a constant alone, and need not be computed again for another shape.
  ///
  /// @param what tells apart what is computed of the same constant
  /// @param bytes that the result takes
  default <T> T of(Tensor constant, Object what, long bytes, Supplier<T> computing) {
    return computing.get();
  }
}
