package io.miniinference.ops.draft;

import io.miniinference.ir.CodedType;
import io.miniinference.ir.Node;
import io.miniinference.ir.Tensor;
import io.miniinference.ir.TensorType;
import io.miniinference.ir.Value;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// What is known of the values of a [Draft], so that sizes which the file computes are known when
/// they are used.
///
/// A value may be a constant, which holds in each run; it may be given, which holds in the request
/// that the graph is built for; its integers may be known, though they depend on the batch; and
/// they may be planned, where they follow from the size of a [CountedAxis]. Beside what a value is,
/// there is what it holds (codes or numbers), which of its axes is counted, and whether a run gets
/// it at all.
///
/// What is known of the graph around a body is known in the body.
public final class Facts {
  private final Draft draft;
  private final @Nullable Facts outer;

  /// The inputs of the request that the graph is built for.
  private GivenInputs request;

  /// What small values are in that request.
  private final Map<Value, Tensor> given = new HashMap<>();

  /// The integers of small values: in each run, or, if there are [#origins], in that request.
  private final Map<Value, SymbolicTensor> known = new HashMap<>();

  /// Small values that would be known if the batch were fixed.
  private final Set<Value> followsFromBatch = new HashSet<>();

  /// Values that no run gets.
  private final Set<Value> failed = new HashSet<>();

  /// For each value that is known, or known to fail, thanks to given inputs, those inputs.
  private final Map<Value, Set<String>> origins = new HashMap<>();

  /// The given inputs on whose values the graph relies; one set for all drafts of a model.
  private final Set<String> consulted;

  private final Map<Value, CountedAxis> counted = new HashMap<>();
  private final Map<Value, PlannedSizes> planned = new HashMap<>();
  private final Chosen chosen;
  private final Counts counts;

  /// What values hold that are codes. Values of all drafts of a model are here: their names differ.
  private final Map<Value, CodedType> coded;

  /// @param draft whose values they are of
  /// @param outer those of the draft around it
  Facts(Draft draft, @Nullable Facts outer) {
    this.draft = draft;
    this.outer = outer;
    request = outer == null ? GivenInputs.NONE : outer.request;
    consulted = outer == null ? new TreeSet<>() : outer.consulted;
    coded = outer == null ? new HashMap<>() : outer.coded;
    counts = new Counts(outer == null ? null : outer.counts);
    chosen = new Chosen(draft);
  }

  /* What is noted here, or in a draft around this one. */
  private <T> Optional<T> find(Value value, Function<Facts, Map<Value, T>> noted) {
    for (Facts facts = this; facts != null; facts = facts.outer) {
      T fact = noted.apply(facts).get(value);
      if (fact != null) {
        return Optional.of(fact);
      }
    }
    return Optional.empty();
  }

  /* Most models have none of most facts, and a node asks for each of them. */
  private boolean areAny(Function<Facts, Map<Value, ?>> noted) {
    for (Facts facts = this; facts != null; facts = facts.outer) {
      if (!noted.apply(facts).isEmpty()) {
        return true;
      }
    }
    return false;
  }

  // Contents.

  /// The constant.
  public @Nullable Tensor tensor(Value value) {
    return find(value, facts -> facts.draft.constants()).orElse(null);
  }

  /// The constant, or what the value is in the request that the graph is built for; a value that
  /// has the batch has the rows of that request there, and decides no size by itself.
  @Nullable Tensor content(Value value) {
    Tensor tensor = tensor(value);
    return tensor == null ? find(value, facts -> facts.given).orElse(null) : tensor;
  }

  /// The [#content] of a value without the batch.
  public @Nullable Tensor constantOrGiven(Value value) {
    return value.type().isStatic() ? content(value) : null;
  }

  /// The elements, if they are integers known at load.
  public Optional<SymbolicTensor> known(Value value) {
    Tensor tensor = tensor(value);
    return tensor != null
            && !tensor.element().isFloat()
            && tensor.elements() <= SymbolicTensor.MAX_ELEMENTS
        ? Optional.of(known.computeIfAbsent(value, _ -> SmallTensors.known(tensor)))
        : find(value, facts -> facts.known);
  }

  /// Whether the value would be known if the batch were fixed.
  public boolean followsFromBatch(Value value) {
    return followsFromBatch.contains(value) || (outer != null && outer.followsFromBatch(value));
  }

  // Given inputs.

  /// Notes the values of inputs in the request that the graph is built for. Large ones decide no
  /// shapes.
  public void give(GivenInputs inputs) {
    request = inputs;
    inputs.values().entrySet().stream()
        .filter(input -> input.getValue().elements() <= SymbolicTensor.MAX_ELEMENTS)
        .forEach(input -> give(input.getKey(), input.getValue(), Set.of(input.getKey().name())));
  }

  private void give(Value value, Tensor tensor, Set<String> inputs) {
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
    return find(value, facts -> facts.origins).orElse(Set.of());
  }

  private Set<String> originsOf(List<Value> values) {
    if (!areAny(facts -> facts.origins)) {
      return Set.of();
    }
    Set<String> all = new TreeSet<>();
    values.forEach(value -> all.addAll(originsOf(value)));
    return all;
  }

  // Failures.

  /// Whether a run in which a value would be computed has failed before: what it follows from does
  /// not compute for the constants of the file and the inputs given.
  public boolean isFailed(Value value) {
    return failed.contains(value) || (outer != null && outer.isFailed(value));
  }

  /// Notes that no run gets a value, since its node fails for what is known of its operands.
  void fail(Value value, List<Value> operands) {
    failed.add(value);
    origins.put(value, originsOf(operands));
  }

  /// Notes that no run gets the results of a node if it does not get an operand.
  void failIfAny(Node node) {
    if (node.inputs().stream().anyMatch(this::isFailed)) {
      node.outputs().forEach(output -> fail(output, node.inputs()));
    }
  }

  // Codes.

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

  /// Whether any value holds codes.
  boolean hasCodes() {
    return !coded.isEmpty();
  }

  /// The type whose codes a value holds; empty if it holds numbers.
  public Optional<CodedType> coded(Value value) {
    return Optional.ofNullable(coded.get(value));
  }

  // Counted axes.

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
    return find(value, facts -> facts.counted);
  }

  /// Whether any value has such an axis.
  public boolean hasCounted() {
    return areAny(facts -> facts.counted);
  }

  /// Whether only the device can tell how long an axis of a value is.
  public boolean isCounted(Value value) {
    return counted(value).isPresent();
  }

  /// Notes which axis of a node's results is counted, since that of an operand is.
  ///
  /// @throws LoweringFault if the node joins what lies along such an axis
  void noteCounted(Node node) {
    List<Value> results = node.outputs();
    if (hasCounted() && results.stream().noneMatch(counted::containsKey)) {
      CountedAxes.of(node, this::counted, draft.constants())
          .ifPresent(axis -> results.forEach(result -> counted.put(result, axis)));
    }
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
    return find(value, facts -> facts.planned);
  }

  /// Whether something is known of a value that follows from the size of a counted axis.
  public boolean isPlanned(Value value) {
    return planned(value).isPresent();
  }

  /// Notes what is known of a value that follows from the size of a counted axis, or what it is, if
  /// it is the same for each size.
  public void plan(Value value, PlannedSizes sizes) {
    if (sizes.isConstant()) {
      known.put(value, new SymbolicTensor(sizes.largest()));
    } else {
      planned.put(value, sizes);
    }
  }

  /// Notes what a node makes of sizes that follow from that of a counted axis.
  void notePlanned(Node node) {
    if (areAny(facts -> facts.planned)) {
      PlannedSizes.of(node, this).ifPresent(sizes -> plan(node.output(), sizes));
    }
  }

  // What follows for the results of nodes.

  /// Notes what is known of a node whose operands are no constants: that it fails, its content for
  /// the inputs given, or its sizes.
  ///
  /// @return the result, if it is of integers that are the same in each run, whatever the batch:
  ///   what takes no sizes, such as a condition or a root, computes with them
  Optional<List<Tensor>> note(Node node) {
    failIfAny(node);
    Set<String> inputs = originsOf(node.inputs());
    Optional<List<Tensor>> contents =
        inputs.isEmpty() ? Optional.empty() : Folding.given(node, this);
    if (contents.isPresent()) {
      noteGiven(node.outputs(), contents.get(), inputs);
    } else {
      noteKnown(node, inputs);
    }
    if (Folding.followsFromBatch(node, this)) {
      followsFromBatch.addAll(node.outputs());
    }
    return inputs.isEmpty() && node.outputs().size() == 1
        ? settled(node.output())
        : Optional.empty();
  }

  private Optional<List<Tensor>> settled(Value value) {
    return Optional.ofNullable(known.get(value))
        .filter(SymbolicTensor::isConstant)
        .map(integers -> {
          TensorType type = value.type();
          return List.of(SmallTensors.of(type.element(), type.shapeAt(1), integers.constants()));
        });
  }

  private void noteGiven(List<Value> values, List<Tensor> tensors, Set<String> inputs) {
    for (int i = 0; i < values.size(); i++) {
      give(values.get(i), tensors.get(i), inputs);
    }
  }

  private void noteKnown(Node node, Set<String> inputs) {
    Folding.known(node, this).ifPresent(values -> known.put(node.output(), values));
    if (!inputs.isEmpty()) {
      node.outputs().stream()
          .filter(known::containsKey)
          .forEach(value -> origins.put(value, inputs));
    }
  }

  /// Notes that a value is what a body made, so that it is known here if it is known there.
  ///
  /// @param body what is known in that body
  public void adopt(Value value, Value made, Facts body) {
    Tensor tensor = body.given.get(made);
    if (tensor != null) {
      give(value, tensor, body.originsOf(made));
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

  /// Moves what is known of a value to what it is called from now on.
  void rename(Value from, Value to) {
    for (Map<Value, ?> facts : List.of(known, given, origins, coded, counted, planned)) {
      move(facts, from, to);
    }
    for (Set<Value> facts : List.of(followsFromBatch, failed)) {
      if (facts.remove(from)) {
        facts.add(to);
      }
    }
    chosen.rename(from, to);
  }

  static <T> void move(Map<Value, T> map, Value from, Value to) {
    T content = map.remove(from);
    if (content != null) {
      map.put(to, content);
    }
  }

  /// Forgets what a node made that turned out faulty.
  void forget(Set<Value> values) {
    counts.forget(values);
    chosen.forget(values);
  }
}
