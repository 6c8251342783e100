package io.miniinference.ops;

import io.miniinference.ir.Node;
import io.miniinference.ir.Op;
import io.miniinference.ir.Tensor;
import io.miniinference.ir.TensorType;
import io.miniinference.ir.Value;
import io.miniinference.layout.Affine;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// A graph while it is imported: its nodes so far, its constants, and what is known of small
/// integer values, so that shapes which the file computes are known when they are used.
///
/// Nodes whose operands are small constants are evaluated at once and leave a constant.
final class Draft {
  private final List<Node> nodes = new ArrayList<>();
  private final Map<Value, Tensor> constants = new LinkedHashMap<>();
  private final Map<Value, Known> known = new HashMap<>();
  private final Set<Value> followsFromBatch = new HashSet<>();
  private final Map<Value, Tensor> given = new HashMap<>();

  /// For each value that is known thanks to given inputs, those inputs.
  private final Map<Value, Set<String>> origins = new HashMap<>();

  private final Set<String> consulted = new TreeSet<>();
  private final Set<String> names = new HashSet<>();
  private final Map<String, Integer> suffixes = new HashMap<>();

  /// Where the current ONNX node's core nodes begin; values made since may still be renamed.
  private int mark;

  private final Set<Value> recent = new HashSet<>();

  List<Node> nodes() {
    return nodes;
  }

  Map<Value, Tensor> constants() {
    return constants;
  }

  /// Keeps generated names away from the file's own.
  void reserve(String name) {
    names.add(name);
  }

  /// Ends the current ONNX node.
  void seal() {
    mark = nodes.size();
    recent.clear();
  }

  /// Forgets the current ONNX node's core nodes: it turned out faulty.
  void rollBack() {
    nodes.subList(mark, nodes.size()).clear();
    recent.clear();
  }

  /// A new value that no name of the file clashes with.
  Value fresh(String node, TensorType type) {
    String name;
    do {
      name = node + "/" + suffixes.merge(node, 1, Integer::sum);
    } while (!names.add(name));
    return new Value(name, type);
  }

  Value constant(String node, Tensor tensor) {
    Value value = fresh(node, tensor.type());
    constants.put(value, tensor);
    recent.add(value);
    return value;
  }

  /// A constant of the file.
  Value initializer(String name, Tensor tensor) {
    var value = new Value(name, tensor.type());
    constants.put(value, tensor);
    return value;
  }

  /// Notes the value of an input in the request that the graph is built for.
  void give(Value input, Tensor tensor) {
    given.put(input, tensor);
    origins.put(input, Set.of(input.name()));
    if (!tensor.element().isFloat() && tensor.elements() <= Known.MAX_ELEMENTS) {
      known.put(input, SmallTensors.known(tensor));
    }
  }

  /// The given inputs whose values were used.
  Set<String> consulted() {
    return consulted;
  }

  /// Notes that the graph relies on what is known of a value.
  void consult(Value value) {
    consulted.addAll(origins.getOrDefault(value, Set.of()));
  }

  /// Adds a node, or evaluates it; its result either way.
  Value add(Node node) {
    Value result = node.output();
    Optional<Tensor> tensor = Folding.constant(node, this);
    if (tensor.isPresent()) {
      constants.put(result, tensor.get());
    } else {
      nodes.add(node);
      Folding.known(node, this).ifPresent(values -> known(node, values));
      if (dependsOnBatchOnly(node)) {
        followsFromBatch.add(result);
      }
    }
    recent.add(result);
    return result;
  }

  private void known(Node node, Known values) {
    known.put(node.output(), values);
    Set<String> inputs = new TreeSet<>();
    node.inputs().forEach(v -> inputs.addAll(origins.getOrDefault(v, Set.of())));
    if (!inputs.isEmpty()) {
      origins.put(node.output(), inputs);
    }
  }

  /// Gives a value of the current ONNX node its name in the file; values from before keep theirs.
  Value named(Value value, String name) {
    if (!recent.remove(value)) {
      return value;
    }
    var renamed = new Value(name, value.type());
    nodes.subList(mark, nodes.size()).replaceAll(node -> rename(node, value, renamed));
    move(constants, value, renamed);
    move(known, value, renamed);
    move(origins, value, renamed);
    if (followsFromBatch.remove(value)) {
      followsFromBatch.add(renamed);
    }
    return renamed;
  }

  private static <T> void move(Map<Value, T> map, Value from, Value to) {
    T content = map.remove(from);
    if (content != null) {
      map.put(to, content);
    }
  }

  private static Node rename(Node node, Value from, Value to) {
    List<Value> inputs = node.inputs().stream().map(v -> v.equals(from) ? to : v).toList();
    Value output = node.output().equals(from) ? to : node.output();
    return new Node(
        node.name(), node.onnxOp(), node.op(), node.epilogue(), node.operands(), inputs, output);
  }

  /// The constant.
  @Nullable Tensor tensor(Value value) {
    return constants.get(value);
  }

  /// The constant, or the value that is given for the input.
  @Nullable Tensor constantOrGiven(Value value) {
    Tensor tensor = constants.get(value);
    return tensor == null ? given.get(value) : tensor;
  }

  /// The elements, if they are integers known at load.
  Optional<Known> known(Value value) {
    Tensor tensor = constants.get(value);
    if (tensor != null && !tensor.element().isFloat() && tensor.elements() <= Known.MAX_ELEMENTS) {
      return Optional.of(known.computeIfAbsent(value, v -> SmallTensors.known(tensor)));
    }
    return Optional.ofNullable(known.get(value));
  }

  /// Whether the value would be known if the batch were fixed.
  boolean followsFromBatch(Value value) {
    return followsFromBatch.contains(value);
  }

  private boolean dependsOnBatchOnly(Node node) {
    boolean small =
        node.output().type().elements().equals(Affine.ZERO)
            || node.output().type().elements().at(1) <= Known.MAX_ELEMENTS;
    boolean position = node.op() instanceof Op.Elementwise;
    return small
        && (position || !node.inputs().isEmpty())
        && node.inputs().stream()
            .allMatch(v -> constants.containsKey(v) || known.containsKey(v) || followsFromBatch(v));
  }
}
