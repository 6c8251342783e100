package io.miniinference.ops.control;

import io.miniinference.ir.Op;
import io.miniinference.ir.Tensor;
import io.miniinference.ir.Value;
import io.miniinference.ops.draft.Emitter;
import io.miniinference.ops.draft.FlatValues;
import io.miniinference.ops.draft.LoweringFault;
import io.miniinference.ops.draft.SmallTensors;
import io.miniinference.ops.node.BodyFault;
import io.miniinference.ops.node.BodyImport;
import io.miniinference.ops.node.OpContext;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A Loop or Scan written out iteration by iteration, so that in each of them the number of the
/// iteration is a constant and what is carried may have a shape of its own.
final class Unrolling {
  /// Iterations are nodes: far more of them would be a program that nobody could hold.
  private static final int MOST_NODES = 100_000;

  /// How many tensors of lists that an iteration hands on take as long as a node.
  private static final int TENSORS_PER_NODE = 256;

  private final OpContext c;
  private final Value trips;
  private final Value condition;
  private final Iteration kind;
  private final List<List<Value>> rows = new ArrayList<>();

  /// What the iterations so far made of the draft around them.
  private final List<Value> ahead = new ArrayList<>();

  private int nodes;

  /// What is special about the iterations of a Loop or Scan.
  interface Iteration {

    /// Binds the inputs of a body.
    ///
    /// @param inside writes into the body
    void bind(BodyImport body, Emitter inside, long number, List<Value> carried);

    /// The condition to go on, what is carried, and rows.
    ///
    /// @param outputs of the body
    List<Value> results(Emitter inside, List<Value> outputs);
  }

  /// @param trips scalar whose value is constant or given
  /// @param condition scalar whose value is constant or given
  Unrolling(OpContext c, Value trips, Value condition, Iteration kind) {
    this.c = c;
    this.trips = trips;
    this.condition = condition;
    this.kind = kind;
  }

  List<Value> run(List<Value> initial) {
    long count = SmallTensors.integers(known(trips, "the trip count"))[0];
    Value goesOn = condition;
    List<Value> carried = initial;
    for (long k = 0; k < count && ControlOps.isTrue(known(goesOn, "the condition")); k++) {
      List<Value> results = iteration(k, carried);
      goesOn = results.getFirst();
      carried = results.subList(1, 1 + initial.size());
      rows.add(results.subList(1 + initial.size(), results.size()));
    }
    List<Value> outputs = new ArrayList<>(carried);
    for (int i = 0; outputs.size() < c.outputs(); i++) {
      outputs.add(stacked(i));
    }
    return outputs;
  }

  private Tensor known(Value value, String what) {
    @Nullable Tensor tensor = c.facts().constantOrGiven(value);
    if (tensor == null) {
      c.draft().seal(); // what may have failed in iterations before
      if (c.facts().isFailed(value)) {
        c.facts().consult(value);
        throw LoweringFault.failed(
            "has shapes that differ by iteration, and %s follows from what fails".formatted(what));
      }
      throw LoweringFault.ofData("has shapes that differ by iteration, so that " + what);
    }
    c.facts().consult(value);
    return tensor;
  }

  /* One iteration, in which what is carried is read from around it. Constants that it makes are
  constants here. */
  private List<Value> iteration(long number, List<Value> carried) {
    BodyImport body = c.bodies().open("body");
    Emitter inside = c.into(body.draft());
    kind.bind(body, inside, number, carried);
    body.draft().seal();
    List<Value> outputs = lowered(body, number);
    int tensors = new FlatValues(body.draft(), outputs).tensors().size();
    count(1 + body.draft().nodes().size() + tensors / TENSORS_PER_NODE, number);
    return results(body, kind.results(inside, outputs), number);
  }

  private List<Value> lowered(BodyImport body, long number) {
    try {
      return body.lowerWithLists();
    } catch (BodyFault fault) {
      emit(body, made(body, body.ahead()), number);
      c.draft().seal();
      throw fault.at(number).behind(ahead);
    }
  }

  private static List<Value> made(BodyImport body, List<Value> values) {
    return values.stream().filter(v -> body.facts().tensor(v) == null).distinct().toList();
  }

  private void count(int more, long number) {
    nodes += more;
    if (nodes > MOST_NODES) {
      throw LoweringFault.of(
          "has shapes that differ by iteration, and %d iterations of it are more than %d nodes"
              .formatted(number + 1, MOST_NODES));
    }
  }

  private List<Value> results(BodyImport body, List<Value> outputs, long number) {
    FlatValues flat = new FlatValues(body.draft(), outputs);
    Set<Value> from = flat.hasStructures() ? around(body, outputs) : Set.of();
    List<Value> made = made(body, flat.tensors().stream().filter(v -> !from.contains(v)).toList());
    List<Value> around = emit(body, made, number);
    Map<Value, Value> places = new HashMap<>();
    for (int i = 0; i < made.size(); i++) {
      places.put(made.get(i), around.get(i));
    }
    return flat.outside(c, value -> outside(body, value, places));
  }

  /* What lists only pass on, and no output gives by itself. */
  private static Set<Value> around(BodyImport body, List<Value> outputs) {
    Set<Value> around = new HashSet<>(new FlatValues(body.draft(), outputs).tensors());
    body.draft().nodes().forEach(node -> around.removeAll(node.outputs()));
    outputs.forEach(around::remove);
    return around;
  }

  private Value outside(BodyImport body, Value value, Map<Value, Value> places) {
    Tensor constant = body.facts().tensor(value);
    Value outside =
        constant != null && c.facts().tensor(value) == null
            ? c.constant(constant)
            : places.getOrDefault(value, value);
    c.facts().codeAs(outside, value);
    return outside;
  }

  /* An iteration that gives `made`; none if that is nothing. */
  private List<Value> emit(BodyImport body, List<Value> made, long number) {
    if (made.isEmpty()) {
      return List.of();
    }
    List<Value> captured = List.copyOf(body.captured(made));
    List<Value> around =
        c.emit(new Op.Iteration(body.close("body", captured, made), number), captured);
    for (int i = 0; i < made.size(); i++) {
      c.facts().adopt(around.get(i), made.get(i), body.facts());
    }
    ahead.addAll(around);
    return around;
  }

  private Value stacked(int row) {
    if (rows.isEmpty()) {
      throw LoweringFault.of("makes rows whose shape is unknown, since it has no iteration");
    }
    return c.concat(0, rows.stream().map(values -> c.unsqueeze(values.get(row), 0, 1)).toList());
  }
}
