package io.miniinference.ops;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.Op;
import io.miniinference.ir.Tensor;
import io.miniinference.ir.Value;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A Loop written out iteration by iteration, so that in each of them the number of the iteration
/// is a constant and what is carried may have a shape of its own.
final class Unrolling {
  /// Iterations are nodes: far more of them would be a program that nobody could hold.
  private static final int MOST_NODES = 100_000;

  private final OpContext c;
  private final Value trips;
  private final Value condition;
  private final boolean hasCondition;
  private final List<List<Value>> rows = new ArrayList<>();
  private int nodes;

  /// @param trips scalar whose value is constant or given
  /// @param condition scalar whose value is constant or given
  Unrolling(OpContext c, Value trips, Value condition, boolean hasCondition) {
    this.c = c;
    this.trips = trips;
    this.condition = condition;
    this.hasCondition = hasCondition;
  }

  List<Value> run(List<Value> initial) {
    long count = SmallTensors.integers(known(trips, "the trip count"))[0];
    Value goesOn = condition;
    List<Value> carried = initial;
    for (long k = 0; k < count && ControlOps.isTrue(known(goesOn, "the condition")); k++) {
      List<Value> results = iteration(k, carried);
      goesOn = hasCondition ? results.getFirst() : condition;
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
    @Nullable Tensor tensor = c.draft().constantOrGiven(value);
    if (tensor == null) {
      throw LoweringFault.specialisable(
          "has shapes that differ by iteration, so that %s must be known at load, but it depends on data; give a data set with its values"
              .formatted(what));
    }
    c.draft().consult(value);
    return tensor;
  }

  /* One iteration, in which what is carried is read from around it. Constants that it makes are
  constants here. */
  private List<Value> iteration(long number, List<Value> carried) {
    BodyImport body = c.bodies().open("body");
    Emitter inside = c.into(body.draft());
    body.bind(0, LoopRule.whole(inside, number));
    body.bind(1, LoopRule.truth(inside));
    for (int i = 0; i < carried.size(); i++) {
      body.bind(2 + i, carried.get(i));
    }
    List<Value> outputs = new ArrayList<>(lowered(body, number));
    count(1 + body.draft().nodes().size(), number);
    outputs.set(
        0, ControlOps.scalar(inside, outputs.getFirst(), ElementType.BOOL, "the condition"));
    return results(body, outputs, number);
  }

  private static List<Value> lowered(BodyImport body, long number) {
    try {
      return body.lower();
    } catch (BodyFault fault) {
      throw fault.at(number);
    }
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
    List<Value> made =
        outputs.stream().filter(v -> body.draft().tensor(v) == null).distinct().toList();
    List<Value> around = made.isEmpty() ? List.of() : emit(body, made, number);
    List<Value> results = new ArrayList<>();
    for (Value output : outputs) {
      Tensor constant = body.draft().tensor(output);
      results.add(constant != null ? c.constant(constant) : around.get(made.indexOf(output)));
    }
    return results;
  }

  private List<Value> emit(BodyImport body, List<Value> made, long number) {
    List<Value> captured = List.copyOf(body.captured(made));
    List<Value> around =
        c.emit(new Op.Iteration(body.close("body", captured, made), number), captured);
    for (int i = 0; i < made.size(); i++) {
      c.draft().adopt(around.get(i), made.get(i), body.draft());
    }
    return around;
  }

  private Value stacked(int row) {
    if (rows.isEmpty()) {
      throw LoweringFault.of("makes rows whose shape is unknown, since it has no iteration");
    }
    return c.concat(0, rows.stream().map(values -> c.unsqueeze(values.get(row), 0, 1)).toList());
  }
}
