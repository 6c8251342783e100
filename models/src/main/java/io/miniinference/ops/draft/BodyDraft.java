package io.miniinference.ops.draft;

import io.miniinference.ir.Graph;
import io.miniinference.ir.Node;
import io.miniinference.ir.Tensor;
import io.miniinference.ir.TensorType;
import io.miniinference.ir.Value;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// A body in the making: a draft inside another, with parameters. What its nodes read from around
/// it is found out at the end.
public class BodyDraft {
  private final Draft draft;
  private final List<Value> parameters = new ArrayList<>();

  /// @param draft of this body
  public BodyDraft(Draft draft) {
    this.draft = draft;
  }

  public final Draft draft() {
    return draft;
  }

  /// What is known of the values of this body.
  public final Facts facts() {
    return draft.facts();
  }

  /// A further input: a value that differs from run to run.
  public final Value parameter(String name, TensorType type) {
    Value parameter = new Value(draft.unique(name), type);
    parameters.add(parameter);
    return parameter;
  }

  /// A further input that holds what a value does.
  public final Value parameter(String name, Value like) {
    Value parameter = parameter(name, like.type());
    facts().codeAs(parameter, like);
    return parameter;
  }

  /// The values that the nodes, or `outputs`, read from around the body: all that is neither a
  /// parameter, nor made inside, nor constant.
  public final Set<Value> captured(List<Value> outputs) {
    Set<Value> inside = new LinkedHashSet<>(parameters);
    Set<Value> captured = new LinkedHashSet<>();
    for (Node node : draft.nodes()) {
      node.inputs().stream().filter(v -> !inside.contains(v)).forEach(captured::add);
      inside.addAll(node.outputs());
    }
    outputs.stream().filter(v -> !inside.contains(v)).forEach(captured::add);
    captured.removeIf(v -> facts().tensor(v) != null);
    return captured;
  }

  /// The body as a graph.
  ///
  /// @param captured inputs after the parameters; at least what [#captured] gives
  public final Graph close(String name, List<Value> captured, List<Value> outputs) {
    var inputs = new ArrayList<>(parameters);
    inputs.addAll(captured);
    Map<Value, Tensor> constants = new LinkedHashMap<>();
    draft.nodes().forEach(node -> node.inputs().forEach(v -> constant(v, constants)));
    outputs.forEach(v -> constant(v, constants));
    List<Boolean> rowwise = outputs.stream().map(_ -> false).toList();
    return new Graph(name, inputs, outputs, draft.nodes(), constants, rowwise);
  }

  private void constant(Value value, Map<Value, Tensor> constants) {
    Tensor tensor = facts().tensor(value);
    if (tensor != null) {
      constants.put(value, tensor);
    }
  }

  public static List<TensorType> types(List<Value> values) {
    return values.stream().map(Value::type).toList();
  }
}
