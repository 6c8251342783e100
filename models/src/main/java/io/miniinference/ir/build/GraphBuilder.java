package io.miniinference.ir.build;

import io.miniinference.ir.Graph;
import io.miniinference.ir.Node;
import io.miniinference.ir.Op;
import io.miniinference.ir.Tensor;
import io.miniinference.ir.TensorType;
import io.miniinference.ir.Value;
import io.miniinference.ir.analysis.Rowwise;
import io.miniinference.ir.type.GraphCheck;
import io.miniinference.ir.type.OpType;
import io.miniinference.layout.Movement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// A graph in the making: values with unique names, nodes whose types [OpType] gives.
///
/// An importer asks for a [Lowering] per ONNX node and gives the ONNX name to what it results in:
///
/// ```java
/// Lowering node = graph.lowering("gelu_3", "Gelu");
/// Value y = node.result(node.elementwise(expr, x), "y");
/// ```
public final class GraphBuilder {
  private final String graphName;
  private final List<Value> inputs = new ArrayList<>();
  private final Map<Value, Tensor> constants = new LinkedHashMap<>();
  private final List<Node> nodes = new ArrayList<>();
  private final Set<String> names = new HashSet<>();
  private final Map<String, Integer> nextSuffix = new HashMap<>();
  /* Where each value was made that still has an inner name. */
  private final Map<Value, Integer> unnamed = new HashMap<>();

  public GraphBuilder(String graphName) {
    this.graphName = graphName;
  }

  /// An input.
  ///
  /// @throws IllegalArgumentException if the name is taken
  public Value input(String name, TensorType type) {
    Value value = new Value(unique(name), type);
    inputs.add(value);
    return value;
  }

  /// A constant.
  ///
  /// @throws IllegalArgumentException if the name is taken
  public Value constant(String name, Tensor tensor) {
    return hold(unique(name), tensor);
  }

  Value innerConstant(String base, Tensor tensor) {
    return hold(fresh(base), tensor);
  }

  private Value hold(String name, Tensor tensor) {
    Value value = new Value(name, tensor.type());
    constants.put(value, tensor);
    return value;
  }

  /// The content of a constant; absent for any other value.
  public Optional<Tensor> constantOf(Value value) {
    return Optional.ofNullable(constants.get(value));
  }

  /// What builds the core nodes of one ONNX node. Its results and constants are called `name/0`,
  /// `name/1`, … until [Lowering#result] gives them an ONNX name.
  public Lowering lowering(String name, String onnxOp) {
    return new Lowering(this, name, onnxOp);
  }

  /// The finished graph, checked by [GraphCheck], with [Rowwise] found out.
  public Graph build(List<Value> outputs) {
    List<Boolean> unknown = outputs.stream().map(_ -> false).toList();
    Graph graph = new Graph(graphName, inputs, outputs, nodes, constants, unknown);
    return Rowwise.mark(GraphCheck.check(graph));
  }

  /// Adds a node with a fresh inner name under `base`.
  Value addInner(Node template, String base) {
    return addAll(template, base).getFirst();
  }

  /// Adds a node with a fresh inner name under `base` for each of its results.
  List<Value> addAll(Node template, String base) {
    List<Value> outputs =
        OpType.outputs(template).stream().map(type -> new Value(fresh(base), type)).toList();
    outputs.forEach(v -> unnamed.put(v, nodes.size()));
    nodes.add(withOutputs(template, outputs));
    return outputs;
  }

  /// Renames an inner result; a value that has an ONNX name already, an input or a constant gets a
  /// view (without bytes or work) of that name instead.
  Value name(Value value, String name, Lowering by) {
    Integer producer = unnamed.remove(value);
    Value renamed = new Value(unique(name), value.type());
    if (producer == null) {
      Op same = new Op.View(new Movement.Reshape(value.type().shape()));
      nodes.add(Node.of(by.name(), by.onnxOp(), same, List.of(value), renamed));
      return renamed;
    }
    Node made = nodes.get(producer);
    nodes.set(producer, withOutputs(made, replaced(made.outputs(), value, renamed)));
    for (int k = producer + 1; k < nodes.size(); k++) {
      nodes.set(k, withInput(nodes.get(k), value, renamed));
    }
    names.remove(value.name());
    return renamed;
  }

  private String fresh(String base) {
    String name;
    do {
      int k = nextSuffix.merge(base, 1, Integer::sum) - 1;
      name = base + "/" + k;
    } while (!names.add(name));
    return name;
  }

  private String unique(String name) {
    if (!names.add(name)) {
      throw new IllegalArgumentException("two values are called '" + name + "'");
    }
    return name;
  }

  private static List<Value> replaced(List<Value> values, Value old, Value now) {
    return values.stream().map(v -> v.equals(old) ? now : v).toList();
  }

  private static Node withOutputs(Node node, List<Value> outputs) {
    return new Node(
        node.name(),
        node.onnxOp(),
        node.op(),
        node.epilogue(),
        node.operands(),
        node.inputs(),
        outputs);
  }

  private static Node withInput(Node node, Value old, Value now) {
    if (!node.inputs().contains(old)) {
      return node;
    }
    return new Node(
        node.name(),
        node.onnxOp(),
        node.op(),
        node.epilogue(),
        node.operands(),
        replaced(node.inputs(), old, now),
        node.outputs());
  }
}
