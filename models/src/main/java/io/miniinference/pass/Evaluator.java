package io.miniinference.pass;

import io.miniinference.ir.Node;
import io.miniinference.ir.Tensor;
import java.util.List;
import java.util.Optional;

/// What computes a node of static shape from its inputs' contents; the interpreter, for all but
/// tests.
@FunctionalInterface
public interface Evaluator {

  /// The node's results, or empty if the data does not allow it (an index out of bounds, a division
  /// by zero): such a node stays in the graph and fails its requests.
  Optional<List<Tensor>> evaluate(Node node, List<Tensor> inputs);
}
