package io.miniinference.ops;

import io.miniinference.onnx.ModelException;
import io.miniinference.onnx.Problem;
import java.util.List;

/// A sound model whose given input values make a size negative: a failure of the request that has
/// these values ([ImportOptions#inputValues]).
public final class NegativeSizeException extends ModelException {
  private static final long serialVersionUID = 1;
  private final transient NegativeSize size;

  NegativeSizeException(String subject, long opset, Problem problem, NegativeSize size) {
    super(subject, opset, List.of(problem));
    this.size = size;
  }

  /// The first in order of execution.
  public NegativeSize size() {
    return size;
  }
}
