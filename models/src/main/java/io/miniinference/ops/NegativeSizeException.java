package io.miniinference.ops;

import io.miniinference.ir.Graph;
import io.miniinference.onnx.ModelException;
import io.miniinference.onnx.Problem;
import io.miniinference.ops.node.NegativeSize;
import java.util.List;
import java.util.Optional;

/// A sound model whose given sizes or input values make a size negative: a failure of the request
/// that has these ([io.miniinference.ops.node.ImportOptions]).
public final class NegativeSizeException extends ModelException {
  private static final long serialVersionUID = 1;
  private final transient NegativeSize size;
  private final transient Optional<Graph> earlier;

  NegativeSizeException(
      String subject, long opset, Problem problem, NegativeSize size, Optional<Graph> earlier) {
    super(subject, opset, List.of(problem));
    this.size = size;
    this.earlier = earlier;
  }

  /// What may fail ahead of the node with that size, as a graph of the model's inputs; empty if
  /// nothing may.
  public Optional<Graph> earlier() {
    return earlier;
  }

  /// The first in order of execution.
  public NegativeSize size() {
    return size;
  }
}
