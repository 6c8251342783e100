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
import java.util.TreeSet;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/// A graph while it is imported: its nodes so far, its constants, and what is known of small
/// integer values, so that shapes which the file computes are known when they are used.
///
/// Nodes whose operands are small constants are evaluated at once and leave a constant.
///
/// The body of a node has a draft of its own, which knows what the graph around it knows. Names are
/// unique over all of them, so that a value means the same wherever it is seen.
public final class Draft {
  private final @Nullable Draft outer;
  private final List<Node> nodes = new ArrayList<>();
  private final Map<Value, Tensor> constants = new LinkedHashMap<>();
  private final Map<Value, SymbolicTensor> known = new HashMap<>();
  private final Set<Value> followsFromBatch = new HashSet<>();
  private GivenInputs request;
  private final Map<Value, Tensor> given = new HashMap<>();
  private final Set<Value> failed = new HashSet<>();

  /// For each value that is known, or known to fail, thanks to given inputs, those inputs.
  private final Map<Value, Set<String>> origins = new HashMap<>();

  private final Map<Value, CountedAxis> counted = new HashMap<>();

  private final Map<Value, PlannedSizes> planned = new HashMap<>();

  private final Chosen chosen = new Chosen(this);

  /// What stands for lists and optionals, which no node reads.
  private final Map<Value, Structure> structures = new HashMap<>();

  private final Counts counts;

  /// The makers of the values of nodes that stay as they are, so many of them.
  private final Map<Value, Node> makers = new HashMap<>();

  private int indexed;

  /// What values hold that are codes. Values of all drafts of a model are here: their names differ.
  private final Map<Value, CodedType> coded;

  /// Problems that would not be there if all sizes were known.
  private final Set<Problem> ofCounts;

  private final Set<String> consulted;
  private final Set<String> names;
  private final Map<String, Integer> suffixes;

  /// Where the current ONNX node's core nodes begin; values made since may still be renamed.
  private int mark;

  private final Set<Value> recent = new HashSet<>();

  /// What values of the current ONNX node are called once it ends: one walk renames all of them.
  private final Map<Value, Value> renames = new HashMap<>();

  public Draft() {
    outer = null;
    request = GivenInputs.NONE;
    coded = new HashMap<>();
    ofCounts = new HashSet<>();
    consulted = new TreeSet<>();
    names = new HashSet<>();
    suffixes = new HashMap<>();
    counts = new Counts(null);
  }

  private Draft(Draft outer) {
    this.outer = outer;
    request = outer.request;
    coded = outer.coded;
    ofCounts = outer.ofCounts;
    consulted = outer.consulted;
    names = outer.names;
    suffixes = outer.suffixes;
    counts = new Counts(outer.counts);
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
    return chosen.hasMasks() && ofCounts.containsAll(problems);
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
      renames.clear();
    }
    mark = nodes.size();
    recent.clear();
  }

  /// Forgets the current ONNX node's core nodes: it turned out faulty.
  public void rollBack() {
    nodes.subList(mark, nodes.size()).clear();
    renames.clear();
    counts.forget(recent);
    chosen.forget(recent);
    recent.clear();
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

  /// Notes the values of inputs in the request that the graph is built for. Large ones decide no
  /// shapes.
  public void give(GivenInputs inputs) {
    request = inputs;
    inputs.values().entrySet().stream()
        .filter(input -> input.getValue().elements() <= SymbolicTensor.MAX_ELEMENTS)
        .forEach(input -> given(input.getKey(), input.getValue(), Set.of(input.getKey().name())));
  }

  private void given(Value value, Tensor tensor, Set<String> inputs) {
    given.put(value, tensor);
    origins.put(value, inputs);
    if (value.type().isStatic() && !tensor.element().isFloat()) {
      known.put(value, SmallTensors.known(tensor));
    }
  }

  /// Rows of the request that the graph is built for.
  long givenBatch() {
    return request.batch();
  }

  /// Whether what is known of values holds for [#givenBatch] alone, since inputs with the batch
  /// were used for it.
  boolean followsFromRows(List<Value> values) {
    return request.anyHasBatch(originsOf(values));
  }

  /// The given inputs whose values were used.
  public Set<String> consulted() {
    return consulted;
  }

  /// Notes that the graph relies on what is known of a value.
  public void consult(Value value) {
    consulted.addAll(originsOf(value));
  }

  private Set<String> originsOf(Value value) {
    Set<String> own = origins.get(value);
    return own != null ? own : outer == null ? Set.of() : outer.originsOf(value);
  }

  private Set<String> originsOf(List<Value> values) {
    Set<String> all = new TreeSet<>();
    values.forEach(value -> all.addAll(originsOf(value)));
    return all;
  }

  /// Notes that the elements of a value are codes.
  public void code(Value value, CodedType type) {
    if (value.type().element() != type.element()) {
      throw new IllegalArgumentException(value + " holds no codes of " + type);
    }
    coded.put(value, type);
  }

  /// Notes that a value holds what another one does.
  public void codeAs(Value value, Value other) {
    coded(other).ifPresent(type -> code(value, type));
  }

  /// The type whose codes a value holds; empty if it holds numbers.
  public Optional<CodedType> coded(Value value) {
    return Optional.ofNullable(coded.get(value));
  }

  /// Notes that only the device can tell how long an axis of a value is.
  ///
  /// @throws LoweringFault in a body, whose results have sizes that are known
  public void count(Value value, CountedAxis axis) {
    if (outer != null) {
      throw LoweringFault.of("has a result of a size that follows from data, inside of a body");
    }
    counted.put(value, axis);
  }

  /// The axis of a value of which only the device can tell how long it is.
  public Optional<CountedAxis> counted(Value value) {
    CountedAxis own = counted.get(value);
    return own != null || outer == null ? Optional.ofNullable(own) : outer.counted(value);
  }

  /// What is known of elements that masks choose.
  public Chosen chosen() {
    return chosen;
  }

  /// What follows from counts.
  public Counts counts() {
    return counts;
  }

  /// What is known of a value that follows from the size of a counted axis.
  public Optional<PlannedSizes> planned(Value value) {
    PlannedSizes own = planned.get(value);
    return own != null || outer == null ? Optional.ofNullable(own) : outer.planned(value);
  }

  /// Whether something is known of a value that follows from the size of a counted axis.
  public boolean isPlanned(Value value) {
    return planned(value).isPresent();
  }

  /// Adds a node with bodies; its results.
  List<Value> add(Node template, List<TensorType> results) {
    requireTensors(template.inputs());
    if (template.inputs().stream().anyMatch(value -> counted(value).isPresent())) {
      throw CountedAxes.joins();
    }
    List<Value> outputs = results.stream().map(t -> fresh(template.name(), t)).toList();
    nodes.add(
        new Node(
            template.name(),
            template.onnxOp(),
            template.op(),
            null,
            template.operands(),
            template.inputs(),
            outputs));
    recent.addAll(outputs);
    outputs.forEach(output -> failIfAny(template.inputs(), output));
    List<Optional<CodedType>> held = CodedValues.ofBodies(template, this::coded);
    for (int i = 0; i < outputs.size(); i++) {
      Value output = outputs.get(i);
      held.get(i).ifPresent(type -> code(output, type));
    }
    return outputs;
  }

  private void failIfAny(List<Value> operands, Value result) {
    if (operands.stream().anyMatch(this::isFailed)) {
      fail(result, operands);
    }
  }

  /// Notes that no run gets a value, since its node fails for what is known of its operands.
  void fail(Value value, List<Value> operands) {
    failed.add(value);
    origins.put(value, originsOf(operands));
  }

  /// Whether a run in which a value would be computed has failed before: what it follows from does
  /// not compute for the constants of the file and the inputs given.
  public boolean isFailed(Value value) {
    return failed.contains(value) || (outer != null && outer.isFailed(value));
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

  /// Notes that a value is what a body made, so that it is known here if it is known there.
  public void adopt(Value value, Value made, Draft body) {
    Tensor tensor = body.given.get(made);
    if (tensor != null) {
      given(value, tensor, body.originsOf(made));
    } else if (body.known.containsKey(made)) {
      known.put(value, body.known.get(made));
      origins.put(value, body.originsOf(made));
    }
    if (body.followsFromBatch.contains(made)) {
      followsFromBatch.add(value);
    }
    if (body.isFailed(made)) {
      failed.add(value);
      origins.put(value, body.originsOf(made));
    }
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
    requireTensors(node.inputs());
    Optional<CodedType> held = CodedValues.of(node, this::coded);
    List<Value> results = addNode(node);
    held.ifPresent(type -> results.forEach(result -> code(result, type)));
    return results;
  }

  /// Adds a node that takes filler for what it is: no axis of its results is counted.
  Value addWhole(Node node) {
    requireTensors(node.inputs());
    Optional<CodedType> held = CodedValues.of(node, this::coded);
    Value result = added(node).getFirst();
    held.ifPresent(type -> code(result, type));
    return result;
  }

  private List<Value> addNode(Node node) {
    List<Value> results = node.outputs();
    if (results.stream().noneMatch(counted::containsKey)) {
      CountedAxes.of(node, this::counted, constants)
          .ifPresent(axis -> results.forEach(result -> counted.put(result, axis)));
    }
    return added(node);
  }

  private List<Value> added(Node node) {
    List<Value> results = node.outputs();
    Optional<List<Tensor>> tensors = Folding.constant(node, this);
    if (tensors.isPresent()) {
      forEach(results, tensors.get(), constants::put);
    } else {
      nodes.add(node);
      results.forEach(result -> failIfAny(node.inputs(), result));
      note(node);
      if (dependsOnBatchOnly(node)) {
        followsFromBatch.addAll(results);
      }
    }
    PlannedSizes.of(node, this).ifPresent(sizes -> noteSizes(node.output(), sizes));
    recent.addAll(results);
    return results;
  }

  /// Notes what is known of a value that follows from the size of a counted axis, or what it is, if
  /// it is the same for each size.
  public void noteSizes(Value value, PlannedSizes sizes) {
    if (sizes.isConstant()) {
      known.put(value, new SymbolicTensor(sizes.largest()));
    } else {
      planned.put(value, sizes);
    }
  }

  private static void forEach(
      List<Value> values, List<Tensor> tensors, BiConsumer<Value, Tensor> action) {
    for (int i = 0; i < values.size(); i++) {
      action.accept(values.get(i), tensors.get(i));
    }
  }

  /// What is known of a node that stays: its content for the inputs given, or its sizes.
  private void note(Node node) {
    Set<String> inputs = originsOf(node.inputs());
    Optional<List<Tensor>> tensors =
        inputs.isEmpty() ? Optional.empty() : Folding.given(node, this);
    if (tensors.isPresent()) {
      forEach(node.outputs(), tensors.get(), (value, tensor) -> given(value, tensor, inputs));
      return;
    }
    Folding.known(node, this).ifPresent(values -> known.put(node.output(), values));
    if (!inputs.isEmpty()) {
      node.outputs().stream()
          .filter(known::containsKey)
          .forEach(value -> origins.put(value, inputs));
    }
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
    move(constants, value, renamed);
    move(known, value, renamed);
    move(given, value, renamed);
    move(origins, value, renamed);
    move(coded, value, renamed);
    move(counted, value, renamed);
    move(planned, value, renamed);
    chosen.rename(value, renamed);
    if (followsFromBatch.remove(value)) {
      followsFromBatch.add(renamed);
    }
    if (failed.remove(value)) {
      failed.add(renamed);
    }
    return renamed;
  }

  static <T> void move(Map<Value, T> map, Value from, Value to) {
    T content = map.remove(from);
    if (content != null) {
      map.put(to, content);
    }
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

  private List<Value> renamed(List<Value> values) {
    return values.stream().map(v -> renames.getOrDefault(v, v)).toList();
  }

  /// The constant.
  public @Nullable Tensor tensor(Value value) {
    Tensor own = constants.get(value);
    return own != null || outer == null ? own : outer.tensor(value);
  }

  /// The constant, or what the value is in the request that the graph is built for; a value that
  /// has the batch has the rows of that request there, and decides no size by itself.
  @Nullable Tensor content(Value value) {
    Tensor tensor = tensor(value);
    return tensor == null ? given(value) : tensor;
  }

  /// The [#content] of a value without the batch.
  public @Nullable Tensor constantOrGiven(Value value) {
    return value.type().isStatic() ? content(value) : null;
  }

  private @Nullable Tensor given(Value value) {
    Tensor own = given.get(value);
    return own != null || outer == null ? own : outer.given(value);
  }

  /// The elements, if they are integers known at load.
  public Optional<SymbolicTensor> known(Value value) {
    Tensor tensor = tensor(value);
    if (tensor != null
        && !tensor.element().isFloat()
        && tensor.elements() <= SymbolicTensor.MAX_ELEMENTS) {
      return Optional.of(known.computeIfAbsent(value, v -> SmallTensors.known(tensor)));
    }
    SymbolicTensor own = known.get(value);
    return own != null || outer == null ? Optional.ofNullable(own) : outer.known(value);
  }

  /// Whether the value would be known if the batch were fixed.
  public boolean followsFromBatch(Value value) {
    return followsFromBatch.contains(value) || (outer != null && outer.followsFromBatch(value));
  }

  private boolean dependsOnBatchOnly(Node node) {
    boolean small =
        node.outputs().stream()
            .map(v -> v.type().elements())
            .allMatch(
                count -> count.equals(Affine.ZERO) || count.at(1) <= SymbolicTensor.MAX_ELEMENTS);
    boolean position = node.op() instanceof Op.Elementwise;
    return small
        && (position || !node.inputs().isEmpty())
        && node.inputs().stream()
            .allMatch(v -> tensor(v) != null || known(v).isPresent() || followsFromBatch(v));
  }
}
