package io.miniinference.lower.steps;

import io.miniinference.interp.memory.TensorView;
import io.miniinference.ir.Expr;
import io.miniinference.ir.Exprs;
import io.miniinference.ir.Node;
import io.miniinference.ir.Op;
import io.miniinference.ir.Tensor;
import io.miniinference.ir.Value;
import io.miniinference.layout.Affine;
import io.miniinference.layout.IndexFunction;
import io.miniinference.plan.Array;
import io.miniinference.plan.Block;
import io.miniinference.plan.Body;
import io.miniinference.plan.LoopBuffers;
import io.miniinference.plan.Step;
import io.miniinference.schedule.Decision;
import io.miniinference.schedule.Schedule;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Lowers a loop. Each carried value has a place, its *state*: it is copied there before the loop
/// and at the end of each iteration, and read there by the next one and after the loop. Rows of all
/// iterations go to a place that moves through the result. The number of the iteration is a state
/// too, counted by the device.
final class LoopLowering {
  private final Lowering outer;
  private final ControlLowering control;
  private final Node node;
  private final Op.Loop loop;
  private final LoweringScope around;
  private final Lowering body;
  private final List<Array> starts = new ArrayList<>();
  private final List<Array> states = new ArrayList<>();
  private final List<Array> nexts = new ArrayList<>();
  private final List<Array> results = new ArrayList<>();
  private final List<LoopBuffers.Window> windows = new ArrayList<>();
  private final Set<Integer> put = new HashSet<>();

  LoopLowering(Lowering outer, ControlLowering control, Node node, Op.Loop loop) {
    this.outer = outer;
    this.control = control;
    this.node = node;
    this.loop = loop;
    around = outer.around().inner(node, 0, "");
    body = control.body(loop.body(), around);
  }

  void lower() {
    Decision trips = ControlLowering.decision(outer, node.inputs().get(0));
    Decision first = ControlLowering.decision(outer, node.inputs().get(1));
    List<Integer> carried = around.needs().carried(loop);
    carried.forEach(this::begin);
    Value iteration = loop.body().inputs().getFirst();
    boolean isCounted = around.needs().needs(iteration);
    if (isCounted) {
      beginCounting(iteration);
    }
    List<Integer> rows = control.results().stream().filter(i -> i >= loop.carried()).toList();
    List<Array> stacked = rows.stream().map(this::reserve).toList();
    int number = around.steps().next();
    putRows(rows, stacked);
    body.nodes(() -> putRows(rows, stacked));
    Decision goesOn = goesOn();
    carry(carried);
    if (isCounted) {
      count(iteration);
    }
    end(number, goesOn, trips, first);
    outer
        .steps()
        .schedule(new Schedule.Repeat(number, node, trips, first, goesOn, body.steps().part()));
  }

  /* How many iterations there are at least, as far as that is known at load. */
  private long fewest() {
    boolean isEntered = known(outer, node.inputs().get(1)) > 0;
    boolean goesOn = known(body, loop.body().outputs().getFirst()) > 0;
    long trips = isEntered ? known(outer, node.inputs().get(0)) : 0;
    return goesOn ? trips : Math.min(trips, 1);
  }

  private static long known(Lowering graph, Value scalar) {
    Tensor constant = graph.constant(scalar);
    return constant == null ? 0 : Math.max(0, TensorView.of(constant).wholeAt(0));
  }

  private void begin(int carried) {
    Value initial = node.inputs().get(2 + carried);
    Value parameter = loop.body().inputs().get(1 + carried);
    Array state = body.rowMajor(parameter);
    Array start = state.view(state.name() + " (initial)", state.index());
    outer.steps().copy(node, initial, outer.arrayOf(initial), start);
    addState(start, state, outer.name(node.outputs().get(carried)));
    body.put(parameter, state);
    outer.put(node.outputs().get(carried), results.getLast());
  }

  private void addState(Array start, Array state, String result) {
    starts.add(start);
    states.add(state);
    nexts.add(state);
    results.add(state.view(result, state.index()));
  }

  private void beginCounting(Value iteration) {
    Array state = body.rowMajor(iteration);
    outer
        .steps()
        .into(counter(iteration, Exprs.const_(0), List.of()), Step.Kind.COMPUTE, List.of(), state);
    addState(state, state, state.name() + " (end)");
    body.put(iteration, state);
  }

  private void count(Value iteration) {
    Expr next = Exprs.add(Exprs.arg(0), Exprs.const_(1));
    Array state = body.arrayOf(iteration);
    body.steps()
        .into(
            counter(iteration, next, List.of(iteration)), Step.Kind.COMPUTE, List.of(state), state);
  }

  private Node counter(Value iteration, Expr expr, List<Value> inputs) {
    Op op = new Op.Elementwise(expr, iteration.type());
    return Node.of(node.name() + "/iteration", node.onnxOp(), op, inputs, iteration);
  }

  /* Memory for rows that iterations will write. */
  private Array reserve(int result) {
    Value rows = node.outputs().get(result);
    Array whole = outer.rowMajor(rows);
    Array state = whole.view(around.prefix() + rows.name(), whole.index());
    String name = node.name() + "/" + rows.name();
    outer.steps().plan(step(name, List.of(), List.of(state), List.of()));
    addState(state, state, outer.name(rows));
    outer.put(rows, results.getLast());
    return state;
  }

  /* Rows of which the value is made by now, before anything is written over that. */
  private void putRows(List<Integer> rows, List<Array> stacked) {
    for (int i = 0; i < rows.size(); i++) {
      Value row = loop.body().outputs().get(1 + rows.get(i));
      if (body.isMade(row) && put.add(i)) {
        put(row, stacked.get(i));
      }
    }
  }

  /* A copy to the row of this iteration, and for the planner an update of all rows by it. */
  private void put(Value row, Array rows) {
    IndexFunction index = IndexFunction.rowMajor(row.type().shape());
    Affine bytes = row.type().elements().times(rows.elementBytes());
    Block window = around.blocks().window(rows.name() + "[i]", bytes);
    windows.add(new LoopBuffers.Window(window, rows));
    Array place = new Array(window.name(), window, index, rows.elementBytes());
    body.steps().copy(node, row, body.arrayOf(row), place);
    String name = node.name() + "/" + rows.name();
    List<Step.InPlace> update = List.of(new Step.InPlace(0, 1));
    body.steps().plan(step(name, List.of(place, rows), List.of(rows), update));
  }

  /* The condition as it was before the states are written again. */
  private Decision goesOn() {
    Value condition = loop.body().outputs().getFirst();
    Decision decision = ControlLowering.decision(body, condition);
    if (decision instanceof Decision.OnDevice(Array array)) {
      Array kept = isOnState(array) ? apart(condition, array) : array;
      return new Decision.OnDevice(kept);
    }
    return decision;
  }

  private boolean isOnState(Array array) {
    return states.stream().anyMatch(state -> state.block().equals(array.block()));
  }

  private Array apart(Value value, Array source) {
    Array copy = body.rowMajor(new Value(value.name() + " (next)", value.type()));
    body.steps().copy(node, value, source, copy);
    return copy;
  }

  /* What lies on a state is taken from there before any state is written. */
  private void carry(List<Integer> carried) {
    List<Array> next = new ArrayList<>();
    for (int k = 0; k < carried.size(); k++) {
      Value value = loop.body().outputs().get(1 + carried.get(k));
      Array made = body.arrayOf(value);
      boolean stays = isState(made, states.get(k));
      next.add(isOnState(made) && !stays ? apart(value, made) : made);
    }
    for (int k = 0; k < carried.size(); k++) {
      if (!isState(next.get(k), states.get(k))) {
        Value value = loop.body().outputs().get(1 + carried.get(k));
        Array state = states.get(k);
        Array target = state.view(state.name() + " (carried)", state.index());
        body.steps().copy(node, value, next.get(k), target);
        nexts.set(k, target);
      }
    }
  }

  private static boolean isState(Array array, Array state) {
    return array.block().equals(state.block()) && array.index().equivalent(state.index());
  }

  private void end(int number, Decision goesOn, Decision... before) {
    List<Array> kept = ControlLowering.read(goesOn);
    if (!kept.isEmpty()) {
      body.steps().plan(step(node.name() + "/condition", kept, List.of(), List.of()));
    }
    List<Array> reads = new ArrayList<>(starts);
    reads.addAll(ControlLowering.read(before));
    Body planned =
        new Body(
            around.prefix(),
            Body.Kind.LOOP,
            states,
            body.steps().planned(),
            nexts,
            new LoopBuffers(fewest(), windows, List.of()));
    control.plan(number, reads, results, List.of(planned));
  }

  private Step step(
      String name, List<Array> reads, List<Array> writes, List<Step.InPlace> inPlace) {
    return new Step(
        around.steps().next(),
        outer.around().prefix() + name,
        node.onnxOp(),
        Step.Kind.COMPUTE,
        reads,
        writes,
        List.of(),
        inPlace,
        List.of());
  }
}
