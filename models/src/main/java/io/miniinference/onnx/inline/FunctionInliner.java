package io.miniinference.onnx.inline;

import io.miniinference.onnx.OnnxGraph;
import io.miniinference.onnx.OnnxModel;
import io.miniinference.onnx.Problems;
import io.miniinference.onnx.ReadLimits;

/// Expands the calls of a model's own functions, so that import sees operators only.
///
/// Inner values get the name of the call in front (`call/value`), made unique in the model.
/// Attributes given by a call take the place of references to them, else their defaults, else the
/// referring attribute is left out ([IR:
/// Functions](https://onnx.ai/onnx/repo-docs/IR.html#functions)). Nodes of a function keep the
/// operator set versions that the function imports.
public final class FunctionInliner {
  private FunctionInliner() {}

  /// The model's graph without calls.
  ///
  /// @throws io.miniinference.onnx.ModelException with all problems that were found
  public static OnnxGraph inline(OnnxModel model, ReadLimits limits) {
    Problems problems = model.problems();
    OnnxGraph graph = inline(model, limits, problems);
    problems.throwIfAny();
    return graph;
  }

  /// The model's graph without calls; what is wrong is added to the problems, and the graph then
  /// lacks the parts concerned.
  ///
  /// @throws io.miniinference.onnx.ModelException if functions are recursive, nest too deeply or
  ///   expand past the limit
  public static OnnxGraph inline(OnnxModel model, ReadLimits limits, Problems problems) {
    FunctionCalls.check(model.functions(), problems);
    return new Expansion(model, limits.nodes(), problems).run();
  }
}
