package io.miniinference.pass;

import io.miniinference.ir.Graph;
import io.miniinference.ir.Node;
import io.miniinference.ir.Op;
import io.miniinference.ir.Tensor;
import io.miniinference.ir.TensorType;
import io.miniinference.ir.Value;
import io.miniinference.layout.Affine;
import io.miniinference.layout.Movement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Which axes of a model's values are of another extent in another request, by the values' names.
/// It is found by comparing the model's graphs for several sizes, and says nothing of what a value
/// is: where it is wrong or misses one, decisions are made anew for each shape.
///
/// @param axes open axes by the name of a value
public record OpenAxes(Map<String, Set<Integer>> axes) {
  public static final OpenAxes NONE = new OpenAxes(Map.of());

  public OpenAxes {
    axes = Map.copyOf(axes);
  }

  /// Axes in which two graphs of one model differ.
  public static OpenAxes between(Graph one, Graph other) {
    Map<String, TensorType> types = new HashMap<>();
    values(other).forEach(value -> types.put(value.name(), value.type()));
    Map<String, Set<Integer>> axes = new HashMap<>();
    for (Value value : values(one)) {
      TensorType there = types.get(value.name());
      if (there != null && there.rank() == value.type().rank()) {
        axes.put(value.name(), differing(value.type(), there));
      }
    }
    axes.values().removeIf(Set::isEmpty);
    return new OpenAxes(axes);
  }

  private static Set<Integer> differing(TensorType one, TensorType other) {
    Set<Integer> axes = new HashSet<>();
    for (int axis = 0; axis < one.rank(); axis++) {
      if (!one.dim(axis).equals(other.dim(axis))) {
        axes.add(axis);
      }
    }
    return axes;
  }

  private static List<Value> values(Graph graph) {
    List<Value> values = new ArrayList<>(graph.inputs());
    values.addAll(graph.constants().keySet());
    graph.nodes().forEach(node -> values.addAll(node.outputs()));
    return values;
  }

  /// Those of either.
  public OpenAxes and(OpenAxes other) {
    Map<String, Set<Integer>> all = new HashMap<>(axes);
    other.axes.forEach((name, more) ->
        all.merge(
            name,
            more,
            (a, b) -> {
              Set<Integer> both = new HashSet<>(a);
              both.addAll(b);
              return both;
            }));
    return new OpenAxes(all);
  }

  /// The graph with its open sizes marked as such ([Affine#isOpen]).
  public Graph mark(Graph graph) {
    if (axes.isEmpty()) {
      return graph;
    }
    Map<Value, Tensor> constants = new LinkedHashMap<>();
    graph.constants().forEach((value, tensor) -> constants.put(mark(value), tensor));
    return new Graph(
        graph.name(),
        mark(graph.inputs()),
        mark(graph.outputs()),
        graph.nodes().stream().map(this::mark).toList(),
        constants,
        graph.rowwise());
  }

  private List<Value> mark(List<Value> values) {
    return values.stream().map(this::mark).toList();
  }

  private Value mark(Value value) {
    Set<Integer> open = axes.get(value.name());
    if (open == null) {
      return value;
    }
    List<Affine> shape = new ArrayList<>();
    for (int axis = 0; axis < value.type().rank(); axis++) {
      Affine dim = value.type().dim(axis);
      shape.add(open.contains(axis) ? dim.opened() : dim);
    }
    return new Value(value.name(), value.type().withShape(shape));
  }

  private Node mark(Node node) {
    List<Value> outputs = mark(node.outputs());
    return new Node(
        node.name(),
        node.onnxOp(),
        marked(node.op(), outputs),
        node.epilogue(),
        node.operands(),
        mark(node.inputs()),
        outputs);
  }

  /* Operators that have the shape of their result say it as that does. */
  private static Op marked(Op op, List<Value> outputs) {
    return switch (op) {
      case Op.Elementwise map -> new Op.Elementwise(map.expr(), outputs.getFirst().type());
      case Op.View view -> new Op.View(marked(view.map(), outputs.getFirst().type().shape()));
      case Op.Concat _, Op.Scatter _, Op.Gather _, Op.Reduce _, Op.Regular _, Op.Control _ -> op;
    };
  }

  private static Movement marked(Movement map, List<Affine> shape) {
    return switch (map) {
      case Movement.Reshape _ -> new Movement.Reshape(shape);
      case Movement.Expand _ -> new Movement.Expand(shape);
      case Movement.Slice slice -> new Movement.Slice(slice.starts(), slice.steps(), shape);
      case Movement.Transpose _ -> map;
    };
  }
}
