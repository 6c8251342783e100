package io.miniinference.ops;

import io.miniinference.ir.Graph;
import io.miniinference.onnx.ModelException;
import io.miniinference.onnx.Problem;
import java.util.List;
import java.util.Optional;

/// A sound model whose shapes are not all constants or multiples of one batch symbol: it can be
/// imported once the dimensions named are given ([io.miniinference.ops.node.ImportOptions#dims],
/// [io.miniinference.ops.node.ImportOptions#batch]).
public final class NeedsSpecialisation extends ModelException {
  private static final long serialVersionUID = 1;
  private final transient Optional<Graph> earlier;

  NeedsSpecialisation(String subject, long opset, List<Problem> problems, Optional<Graph> earlier) {
    super(subject, opset, problems);
    this.earlier = earlier;
  }

  /// The same, with the problems for which sizes must be given: without them, what follows cannot
  /// do with sizes that are planned at their largest.
  NeedsSpecialisation because(ModelException refused) {
    return new NeedsSpecialisation(refused.subject(), refused.opset(), refused.problems(), earlier);
  }

  /// What may fail ahead of the first size that is not known, as a graph of the model's inputs: a
  /// size is not known either if what it follows from fails. Empty if nothing may, or if no sizes
  /// or values are given that it could follow from.
  public Optional<Graph> earlier() {
    return earlier;
  }
}
