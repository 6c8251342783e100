package io.miniinference.ops.draft;

import io.miniinference.ir.CodedType;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Graph;
import io.miniinference.ir.Node;
import io.miniinference.ir.Op;
import io.miniinference.ir.Tensor;
import io.miniinference.ir.TensorType;
import io.miniinference.ir.Value;
import io.miniinference.ir.analysis.Fallible;
import io.miniinference.layout.Affine;
import io.miniinference.layout.Movement;
import io.miniinference.onnx.Problem;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// A graph while it is imported: its nodes so far and its constants. What is known of their values
/// is in [Facts].
///
/// Nodes whose operands are small constants are evaluated at once and leave a constant.
///
/// The body of a node has a draft of its own, which knows what the graph around it knows. Names are
/// unique over all of them, so that a value means the same wherever it is seen.
public final class Draft {
  private final @Nullable Draft outer;
  private final List<Node> nodes = new ArrayList<>();
  private final Map<Value, Tensor> constants = new LinkedHashMap<>();

  /// What stands for lists and optionals, which no node reads.
  private final Map<Value, Structure> structures = new HashMap<>();

  /// Those of the current ONNX node, whose tensors may still be renamed.
  private final Set<Value> recentStructures = new HashSet<>();

  /// The makers of the values of nodes that stay as they are, so many of them.
  private final Map<Value, Node> makers = new HashMap<>();

  private int indexed;

  /// Problems that would not be there if all sizes were known.
  private final Set<Problem> ofCounts;

  private final Set<String> names;
  private final Map<String, Integer> suffixes;

  /// Where the current ONNX node's core nodes begin; values made since may still be renamed.
  private int mark;

  private final Set<Value> recent = new HashSet<>();

  /// What values of the current ONNX node are called once it ends: one walk renames all of them.
  private final Map<Value, Value> renames = new HashMap<>();

  private final Facts facts;

  public Draft() {
    outer = null;
    ofCounts = new HashSet<>();
    names = new HashSet<>();
    suffixes = new HashMap<>();
    facts = new Facts(this, null);
  }

  private Draft(Draft outer) {
    this.outer = outer;
    ofCounts = outer.ofCounts;
    names = outer.names;
    suffixes = outer.suffixes;
    facts = new Facts(this, outer.facts);
  }

  /// What is known of the values of this draft, and of those around it.
  public Facts facts() {
    return facts;
  }

  /// The draft of a body in this graph.
  public Draft inner() {
    return new Draft(this);
  }

  /// The node that gives a value; empty if none of this draft does.
  Optional<Node> maker(Value value) {
    for (; indexed < mark; indexed++) {
      Node node = nodes.get(indexed);
      node.outputs().forEach(output -> makers.put(output, node));
    }
    Node known = makers.get(value);
    return known != null
        ? Optional.of(known)
        : nodes.subList(mark, nodes.size()).stream()
            .filter(node -> node.outputs().contains(value))
            .findFirst();
  }

  /// What a value repeats along axes of 1; empty if it repeats nothing.
  public Optional<Value> expanded(Value value) {
    return maker(value)
        .filter(node -> node.op() instanceof Op.View(Movement.Expand _))
        .map(node -> node.inputs().getFirst());
  }

  /// Whether this is the draft of a body.
  public boolean isBody() {
    return outer != null;
  }

  /// Whether the current ONNX node made a value.
  boolean isRecent(Value value) {
    return recent.contains(value);
  }

  /// Notes a problem that would not be there if all sizes were known.
  public void noteOfCounts(Problem problem) {
    ofCounts.add(problem);
  }

  /// Whether problems would not be there if the places at which masks are true were known.
  public boolean areOfCounts(Collection<Problem> problems) {
    return facts.chosen().hasMasks() && ofCounts.containsAll(problems);
  }

  public List<Node> nodes() {
    return nodes;
  }

  /// The results of nodes.
  ///
  /// @param first the first of them by place
  public List<Value> madeSince(int first) {
    return nodes.subList(first, nodes.size()).stream()
        .flatMap(node -> node.outputs().stream())
        .toList();
  }

  public Map<Value, Tensor> constants() {
    return constants;
  }

  /// Keeps generated names away from the file's own.
  public void reserve(String name) {
    names.add(name);
  }

  /// Ends the current ONNX node, or keeps what it made so far whatever comes.
  public void seal() {
    if (!renames.isEmpty()) {
      nodes.subList(mark, nodes.size()).replaceAll(this::renamed);
      recentStructures.forEach(list -> structures.computeIfPresent(list, (_, it) -> renamed(it)));
      renames.clear();
    }
    mark = nodes.size();
    recent.clear();
    recentStructures.clear();
  }

  /// Forgets the current ONNX node's core nodes: it turned out faulty.
  public void rollBack() {
    nodes.subList(mark, nodes.size()).clear();
    renames.clear();
    facts.forget(recent);
    recent.clear();
    recentStructures.clear();
  }

  /// A new value that no name of the file clashes with.
  Value fresh(String node, TensorType type) {
    return new Value(freshName(node), type);
  }

  private String freshName(String base) {
    String name;
    do {
      name = base + "/" + suffixes.merge(base, 1, Integer::sum);
    } while (!names.add(name));
    return name;
  }

  /// A name of a body's as it is called here: bodies beside each other may use the same names.
  public String unique(String name) {
    return names.add(name) ? name : freshName(name);
  }

  Value constant(String node, Tensor tensor) {
    Value value = fresh(node, tensor.type());
    constants.put(value, tensor);
    recent.add(value);
    return value;
  }

  /// A value that stands for a list or an optional.
  Value structure(String node, Structure structure) {
    Value value = fresh(node, new TensorType(ElementType.BOOL, List.of(Affine.ZERO)));
    structures.put(value, structure);
    recentStructures.add(value);
    return value;
  }

  /// What a value stands for; empty if it is a tensor.
  public Optional<Structure> structure(Value value) {
    Structure own = structures.get(value);
    return own != null || outer == null ? Optional.ofNullable(own) : outer.structure(value);
  }

  private void requireTensors(List<Value> operands) {
    for (Value operand : operands) {
      structure(operand)
          .ifPresent(it -> {
            throw LoweringFault.of("takes %s, and needs a tensor".formatted(it.what()));
          });
    }
  }

  /// A constant of the file.
  public Value initializer(String name, Tensor tensor) {
    var value = new Value(name, tensor.type());
    constants.put(value, tensor);
    return value;
  }

  /// Adds a node with bodies; its results.
  List<Value> add(Node template, List<TensorType> results) {
    requireTensors(template.inputs());
    if (template.inputs().stream().anyMatch(facts::isCounted)) {
      throw CountedAxes.joins();
    }
    List<Value> outputs = results.stream().map(type -> fresh(template.name(), type)).toList();
    Node node = with(outputs, template);
    nodes.add(node);
    recent.addAll(outputs);
    facts.failIfAny(node);
    List<Optional<CodedType>> held = CodedValues.ofBodies(template, facts::coded);
    for (int i = 0; i < outputs.size(); i++) {
      Value output = outputs.get(i);
      held.get(i).ifPresent(type -> facts.code(output, type));
    }
    return outputs;
  }

  private static Node with(List<Value> outputs, Node template) {
    return new Node(
        template.name(),
        template.onnxOp(),
        template.op(),
        null,
        template.operands(),
        template.inputs(),
        outputs);
  }

  /// The values that may not be come to, of the graph around this one and those around that: what
  /// they follow from may fail.
  public Set<Value> fallibleAround() {
    return outer == null ? Set.of() : outer.fallible();
  }

  private Set<Value> fallible() {
    Set<Value> all = new HashSet<>(fallibleAround());
    Fallible own =
        Fallible.in(new Graph("draft", List.of(), List.of(), nodes, constants, List.of()));
    for (Node node : nodes) {
      if (own.mayFail(node) || node.inputs().stream().anyMatch(all::contains)) {
        all.addAll(node.outputs());
      }
    }
    return all;
  }

  /// Adds a node, or evaluates it; its only result either way.
  Value add(Node node) {
    return addAll(node).getFirst();
  }

  /// Adds a node that takes codes for numbers; its only result.
  Value addUncoded(Node node) {
    return addNode(node).getFirst();
  }

  /// Adds a node, or evaluates it; its results either way.
  List<Value> addAll(Node node) {
    return addMoving(node, this::addNode);
  }

  /// Adds a node that takes filler for what it is: no axis of its results is counted.
  Value addWhole(Node node) {
    return addMoving(node, this::added).getFirst();
  }

  /* A node that mixes codes with others is refused before it is added. */
  private List<Value> addMoving(Node node, Function<Node, List<Value>> adding) {
    requireTensors(node.inputs());
    Optional<CodedType> held =
        facts.hasCodes() ? CodedValues.of(node, facts::coded) : Optional.empty();
    List<Value> results = adding.apply(node);
    held.ifPresent(type -> results.forEach(result -> facts.code(result, type)));
    return results;
  }

  private List<Value> addNode(Node node) {
    facts.noteCounted(node);
    return added(node);
  }

  private List<Value> added(Node node) {
    List<Value> results = node.outputs();
    Optional<List<Tensor>> tensors = Folding.constant(node, facts).or(() -> facts.note(node));
    if (tensors.isPresent()) {
      for (int i = 0; i < results.size(); i++) {
        constants.put(results.get(i), tensors.get().get(i));
      }
    } else {
      nodes.add(node);
    }
    facts.notePlanned(node);
    recent.addAll(results);
    return results;
  }

  /// Gives a value of the current ONNX node its name in the file; values from before keep theirs.
  ///
  /// @param shared whether the name may be that of a value in another body
  public Value named(Value value, String name, boolean shared) {
    if (!recent.remove(value)) {
      return renames.getOrDefault(value, value);
    }
    var renamed = new Value(shared ? unique(name) : name, value.type());
    renames.put(value, renamed);
    Facts.move(constants, value, renamed);
    facts.rename(value, renamed);
    return renamed;
  }

  private Node renamed(Node node) {
    return new Node(
        node.name(),
        node.onnxOp(),
        node.op(),
        node.epilogue(),
        node.operands(),
        renamed(node.inputs()),
        renamed(node.outputs()));
  }

  private Structure renamed(Structure structure) {
    return switch (structure) {
      case Structure.Sequence(List<Value> elements) -> new Structure.Sequence(renamed(elements));
      case Structure.Nothing nothing -> nothing;
    };
  }

  private List<Value> renamed(List<Value> values) {
    return values.stream().map(v -> renames.getOrDefault(v, v)).toList();
  }
}
