package io.miniinference.ops.control;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.Op;
import io.miniinference.ir.Tensor;
import io.miniinference.ir.TensorType;
import io.miniinference.ir.Value;
import io.miniinference.layout.Affine;
import io.miniinference.onnx.Quote;
import io.miniinference.ops.draft.Emitter;
import io.miniinference.ops.draft.FlatValues;
import io.miniinference.ops.draft.LoweringFault;
import io.miniinference.ops.draft.SmallTensors;
import io.miniinference.ops.draft.SymbolicTensor;
import io.miniinference.ops.node.BodyFault;
import io.miniinference.ops.node.BodyImport;
import io.miniinference.ops.node.OpContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// ONNX Loop. It stays a loop where one body serves all iterations; it is unrolled where shapes
/// inside follow from the number of the iteration and that of iterations is known.
///
/// Without a condition the body's own condition is ignored, as the standard has it.
final class LoopRule {
  /// Inputs before those that are carried: trip count and condition.
  private static final int CARRIED = 2;

  private final OpContext c;
  private final List<Value> initial = new ArrayList<>();
  private final Value trips;
  private final Value condition;
  private final boolean hasCondition;

  LoopRule(OpContext c) {
    this.c = c;
    for (int i = CARRIED; i < c.inputs(); i++) {
      initial.add(c.in(i));
    }
    trips =
        ControlOps.scalar(
            c,
            c.optional(0).orElseGet(() -> whole(c, Long.MAX_VALUE)),
            ElementType.I64,
            "the trip count");
    hasCondition = c.has(1);
    condition =
        ControlOps.scalar(
            c, c.optional(1).orElseGet(() -> truth(c)), ElementType.BOOL, "the condition");
  }

  static Value whole(Emitter e, long value) {
    return e.constant(SmallTensors.of(ElementType.I64, new long[0], value));
  }

  static Value truth(Emitter e) {
    return e.constant(SmallTensors.of(ElementType.BOOL, new long[0], 1L));
  }

  List<Value> lower() {
    BodyImport body = c.bodies().open("body");
    checkCounts(body);
    if (new FlatValues(c.draft(), initial).hasStructures()) {
      return withLists();
    }
    Emitter inside = c.into(body.draft());
    body.bindNumber(inside, 0, body.parameter(0, TensorType.of(ElementType.I64)));
    body.bindNumber(inside, 1, truth(inside));
    for (int i = 0; i < initial.size(); i++) {
      body.parameter(CARRIED + i, initial.get(i));
    }
    List<Value> outputs;
    try {
      outputs = body.lower();
    } catch (BodyFault fault) {
      if (fault.isOfValues() && isCounted()) {
        return unrolled();
      }
      if (c.facts().constantOrGiven(condition) != null && c.facts().known(trips).isPresent()) {
        throw ofBatch(c, fault);
      }
      if (fault.isDeadEnd()) {
        return endingInFirst(fault);
      }
      throw fault;
    }
    return loop(body, outputs);
  }

  /* Lists are there while a model is imported only, and so is the loop. */
  private List<Value> withLists() {
    if (isCounted()) {
      return unrolled();
    }
    throw uncounted("carries a list of tensors");
  }

  /* A loop that fails in its first iteration, of which only the device knows whether it has one.
  There the number of the iteration is known, and what is carried is what it was before. */
  private List<Value> endingInFirst(BodyFault inAnyIteration) {
    BodyImport body = c.bodies().open("body");
    body.parameter("iteration", TensorType.of(ElementType.I64));
    initial.forEach(value -> body.parameter(value.name(), value));
    new Iteration().bind(body, c.into(body.draft()), 0, initial);
    body.draft().seal();
    try {
      body.lower();
    } catch (BodyFault fault) {
      if (fault.isDeadEnd()) {
        return ending(body, fault);
      }
      throw fault;
    }
    throw inAnyIteration;
  }

  private List<Value> ending(BodyImport body, BodyFault fault) {
    if (c.outputs() > initial.size()) {
      throw uncounted("makes a row in each iteration");
    }
    Value never = c.into(body.draft()).constant(SmallTensors.of(ElementType.BOOL, new long[0], 0L));
    List<Value> results = new ArrayList<>(List.of(never));
    results.addAll(DeadEnd.of(body, fault).resultsAs(c, initial));
    return emit(body, results, Affine.ZERO);
  }

  private void checkCounts(BodyImport body) {
    int carried = initial.size();
    if (body.inputs() != CARRIED + carried || body.outputs() < 1 + carried) {
      throw LoweringFault.of(
          "carries %d values, and its body has %d inputs and %d outputs; it needs %d inputs, and outputs for the condition and each of them"
              .formatted(carried, body.inputs(), body.outputs(), CARRIED + carried));
    }
    if (body.outputs() - 1 < c.outputs()) {
      throw LoweringFault.of(
          "has %d outputs, and its body gives %d".formatted(c.outputs(), body.outputs() - 1));
    }
  }

  /* Whether the loop may be unrolled: that it ends is known. */
  private boolean isCounted() {
    return c.facts().constantOrGiven(trips) != null && c.facts().constantOrGiven(condition) != null;
  }

  private List<Value> unrolled() {
    return new Unrolling(c, trips, condition, new Iteration()).run(initial);
  }

  /// What is wrong with the body of a loop of as many iterations as the batch has rows: with a
  /// fixed batch it can be told of which iteration a size is that the request's values make.
  static RuntimeException ofBatch(OpContext c, BodyFault fault) {
    return fault.isOfValues() && !c.facts().consulted().isEmpty()
        ? LoweringFault.specialisable(
            "has sizes in its body that follow from values; fix the batch")
        : fault;
  }

  private final class Iteration implements Unrolling.Iteration {
    @Override
    public void bind(BodyImport body, Emitter inside, long number, List<Value> carried) {
      body.bindNumber(inside, 0, whole(inside, number));
      body.bindNumber(inside, 1, truth(inside));
      for (int i = 0; i < carried.size(); i++) {
        body.bind(CARRIED + i, carried.get(i));
      }
    }

    @Override
    public List<Value> results(Emitter inside, List<Value> outputs) {
      List<Value> results = new ArrayList<>(outputs);
      results.set(0, goesOn(inside, outputs));
      return results;
    }
  }

  /* Without a condition nothing ends the loop early, whatever the body says. */
  private Value goesOn(Emitter inside, List<Value> outputs) {
    return hasCondition
        ? ControlOps.scalar(inside, outputs.getFirst(), ElementType.BOOL, "the condition")
        : truth(inside);
  }

  private List<Value> loop(BodyImport body, List<Value> outputs) {
    Emitter inside = c.into(body.draft());
    Value goesOn = goesOn(inside, outputs);
    List<Value> results = new ArrayList<>(List.of(goesOn));
    results.addAll(outputs.subList(1, outputs.size()));
    Optional<String> misfit = misfit(results);
    Optional<Affine> iterations = iterations(body.facts().tensor(goesOn));
    boolean rows = results.size() > 1 + initial.size();
    if (misfit.isEmpty() && (!rows || iterations.isPresent())) {
      return emit(body, results, rows ? iterations.get() : Affine.ZERO);
    }
    if (isCounted()) {
      return unrolled();
    }
    throw uncounted(misfit.orElse("makes a row in each iteration"));
  }

  private LoweringFault uncounted(String why) {
    if (c.facts().isFailed(trips) || c.facts().isFailed(condition)) {
      c.facts().consult(trips);
      c.facts().consult(condition);
      return LoweringFault.failed(why + ", and the number of iterations follows from what fails");
    }
    return LoweringFault.ofData(why + ", so that the number of iterations");
  }

  private Optional<String> misfit(List<Value> results) {
    for (int i = 0; i < initial.size(); i++) {
      TensorType before = initial.get(i).type();
      TensorType after = results.get(1 + i).type();
      if (!before.equals(after)) {
        return Optional.of(
            "carries %s, which is %s before and %s after an iteration"
                .formatted(Quote.of(c.in(CARRIED + i).name()), before, after));
      }
    }
    return Optional.empty();
  }

  /* The number of iterations, if it is known; that a graph relies on it is noted only when it does. */
  private Optional<Affine> iterations(@Nullable Tensor goesOn) {
    Tensor first = c.facts().constantOrGiven(condition);
    Optional<SymbolicTensor> count = c.facts().known(trips);
    if (goesOn == null || first == null || count.isEmpty() || !ControlOps.isTrue(goesOn)) {
      return Optional.empty();
    }
    Affine size = count.get().values().getFirst();
    if (!ControlOps.isTrue(first) || (size.isConstant() && size.constant() < 0)) {
      return Optional.of(Affine.ZERO);
    }
    return size.isDimension() && size.constant() >= 0 && size.perBatch() >= 0
        ? Optional.of(size)
        : Optional.empty();
  }

  private List<Value> emit(BodyImport body, List<Value> results, Affine iterations) {
    if (results.size() > 1 + initial.size()) {
      c.facts().consult(trips);
      c.facts().consult(condition);
    }
    List<Value> captured = List.copyOf(body.captured(results));
    List<Value> operands = new ArrayList<>(List.of(trips, condition));
    operands.addAll(initial);
    operands.addAll(captured);
    return c.emit(
        new Op.Loop(body.close("body", captured, results), initial.size(), iterations), operands);
  }
}
