package io.miniinference.runtime.strings;

import io.miniinference.ir.Tensor;
import io.miniinference.onnx.OnnxModel;
import io.miniinference.runtime.LoadOptions;
import io.miniinference.runtime.PreparedModel;
import io.miniinference.strings.Dictionary;
import io.miniinference.strings.StringTable;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// The nodes of a model that make strings, or look into them, and follow from its inputs and
/// constants alone. The host computes them for each request; what they give are further inputs of
/// the rest, which is a model like any other: of open sizes where only the strings tell them.
public final class StringPrefix {
  private final OnnxModel rest;
  private final HostSteps steps;

  StringPrefix(OnnxModel rest, HostSteps steps) {
    this.rest = rest;
    this.steps = steps;
  }

  /// The nodes of a model, if there are any.
  ///
  /// @throws io.miniinference.onnx.ModelException if an attribute of one makes no sense
  public static Optional<StringPrefix> of(OnnxModel model) {
    boolean any =
        model.graph().getNodeList().stream()
            .anyMatch(node -> HostNode.of(model.name(), node).isPresent());
    return any
        ? Optional.of(PrefixSplit.of(model)).filter(it -> !it.steps.steps().isEmpty())
        : Optional.empty();
  }

  /// The model without these nodes, whose last inputs are what they give.
  public OnnxModel rest() {
    return rest;
  }

  /// What the host computes.
  HostSteps steps() {
    return steps;
  }

  /// Options of the model as those of the rest: where inputs are given, so is what follows from
  /// them.
  public LoadOptions options(LoadOptions options) {
    if (options.inputShapes().isEmpty()) {
      return options;
    }
    Map<String, Tensor> values = new HashMap<>(options.inputValues());
    Map<String, long[]> shapes = new HashMap<>(options.inputShapes());
    if (values.keySet().containsAll(steps.read())) {
      var table = new StringTable(Dictionary.EMPTY);
      Map<String, Tensor> made = steps.computed(values, table, HostBudget.ofLoad());
      values.putAll(made);
      made.forEach((name, tensor) -> shapes.put(name, tensor.shape()));
    }
    return options.fixed(options.maxBatch(), options.dimensions(), shapes, values);
  }

  /// A model that is prepared from the rest, as this one.
  public PreparedModel around(PreparedModel prepared) {
    return new PrefixedLoad(prepared, steps);
  }
}
