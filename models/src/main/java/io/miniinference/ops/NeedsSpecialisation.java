package io.miniinference.ops;

import io.miniinference.onnx.ModelException;
import io.miniinference.onnx.Problem;
import java.util.List;

/// A sound model whose shapes are not all constants or multiples of one batch symbol: it can be
/// imported once the dimensions named are given ([ImportOptions#dims], [ImportOptions#batch]).
public final class NeedsSpecialisation extends ModelException {
  private static final long serialVersionUID = 1;

  NeedsSpecialisation(String subject, long opset, List<Problem> problems) {
    super(subject, opset, problems);
  }
}
