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

  /// Notes the value of an input in the request that the graph is built for. Large ones decide no
  /// shapes.
  void give(Value input, Tensor tensor) {
    if (tensor.elements() <= Known.MAX_ELEMENTS) {
      given(input, tensor, Set.of(input.name()));
    }
  }

  private void given(Value value, Tensor tensor, Set<String> inputs) {
    given.put(value, tensor);
    origins.put(value, inputs);
    if (!tensor.element().isFloat()) {
      known.put(value, SmallTensors.known(tensor));
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
      note(node);
      if (dependsOnBatchOnly(node)) {
        followsFromBatch.add(result);
      }
    }
    recent.add(result);
    return result;
  }

  /// What is known of a node that stays: its content for the inputs given, or its sizes.
  private void note(Node node) {
    Set<String> inputs = new TreeSet<>();
    node.inputs().forEach(v -> inputs.addAll(origins.getOrDefault(v, Set.of())));
    Optional<Tensor> tensor = inputs.isEmpty() ? Optional.empty() : Folding.given(node, this);
    if (tensor.isPresent()) {
      given(node.output(), tensor.get(), inputs);
      return;
    }
    Folding.known(node, this).ifPresent(values -> known.put(node.output(), values));
    if (!inputs.isEmpty() && known.containsKey(node.output())) {
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
    move(given, value, renamed);
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
