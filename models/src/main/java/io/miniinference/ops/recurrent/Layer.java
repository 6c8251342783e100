package io.miniinference.ops.recurrent;

import io.miniinference.ir.RecurrentCell;
import io.miniinference.ir.TensorType;
import io.miniinference.ir.Value;
import io.miniinference.ir.type.Shapes;
import io.miniinference.layout.Affine;
import io.miniinference.ops.draft.LoweringFault;
import io.miniinference.ops.node.OpContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/// A recurrent layer: its directions one after the other, each a node for all steps.
///
/// Inputs are taken with the batch first: what exporters turn for the sake of the standard's order
/// is turned back here, and neither is carried out.
final class Layer {
  private static final int LENGTHS = 4;
  private static final int FIRST_STATE = 5;
  private static final int PEEPHOLES = 7;

  private final OpContext c;
  private final RecurrentCell.Kind kind;
  private final boolean batchFirst;
  private final Value weights;
  private final Value stateWeights;
  private final Value rows;
  private final long hidden;
  private final List<Direction> directions;

  /// @param weights of the inputs, `[directions, gates·hidden, inputs]`
  /// @param stateWeights of the hidden state, `[directions, gates·hidden, hidden]`
  Layer(
      OpContext c, RecurrentCell.Kind kind, boolean batchFirst, Value weights, Value stateWeights) {
    this.c = c;
    this.kind = kind;
    this.batchFirst = batchFirst;
    this.weights = weights;
    this.stateWeights = stateWeights;
    c.requireRank(0, 3, 3);
    c.requireRank(2, 3, 3);
    rows = batchFirst ? c.in(0) : c.transpose(c.in(0), List.of(1, 0, 2));
    hidden = stateWeights.type().dim(2).asConstant();
    directions = directions(c.attrOneOf("direction", "forward", "reverse", "bidirectional"));
    checkTypes();
  }

  private List<Direction> directions(String name) {
    int count = name.equals("bidirectional") ? 2 : 1;
    List<RecurrentCell> cells = CellFunctions.of(c, kind, count);
    return IntStream.range(0, count)
        .mapToObj(i -> new Direction(c, this, i, i == 1 || name.equals("reverse"), cells.get(i)))
        .toList();
  }

  private void checkTypes() {
    long count = directions.size();
    long blocks = kind.gates() * hidden;
    Affine inputs = c.type(0).dim(2);
    check(weights.type(), "weights", Affine.of(count), Affine.of(blocks), inputs);
    check(
        stateWeights.type(),
        "recurrent weights",
        Affine.of(count),
        Affine.of(blocks),
        Affine.of(hidden));
    check(3, "biases", Affine.of(count), Affine.of(2 * blocks));
    check(LENGTHS, "lengths", batch());
    for (int state = 0; state < kind.states(); state++) {
      Affine first = batchFirst ? batch() : Affine.of(count);
      Affine second = batchFirst ? Affine.of(count) : batch();
      check(FIRST_STATE + state, "an initial state", first, second, Affine.of(hidden));
    }
    check(PEEPHOLES, "peepholes", Affine.of(count), Affine.of(3 * hidden));
    if (c.hasAttr("hidden_size") && c.attrInt("hidden_size") != hidden) {
      throw LoweringFault.of(
          "has hidden_size %d, and recurrent weights %s"
              .formatted(c.attrInt("hidden_size"), stateWeights.type()));
    }
  }

  private void check(int input, String what, Affine... shape) {
    if (c.has(input)) {
      check(c.type(input), what, shape);
    }
  }

  private static void check(TensorType type, String what, Affine... shape) {
    if (!type.shape().equals(List.of(shape))) {
      String fault = "has %s %s, needs %s".formatted(what, type, List.of(shape));
      throw Shapes.equalAtSomeBatch(type.shape(), List.of(shape))
          ? LoweringFault.specialisable(fault + "; fix the batch")
          : LoweringFault.of(fault);
    }
  }

  /// Elements of a state, for each row of the batch.
  long hidden() {
    return hidden;
  }

  /// `[directions, gates·hidden, inputs]`.
  Value weights() {
    return weights;
  }

  /// `[directions, gates·hidden, hidden]`.
  Value stateWeights() {
    return stateWeights;
  }

  /// `[batch, steps, inputs]`.
  Value rows() {
    return rows;
  }

  private Affine batch() {
    return rows.type().dim(0);
  }

  /// How many steps each row has, `[1, batch, 1]`, if they differ.
  Optional<Value> lengths() {
    return c.optional(LENGTHS)
        .map(given -> c.reshape(given, List.of(Affine.ONE, batch(), Affine.ONE)));
  }

  /// A state ahead of the first step, `[directions, batch, hidden]`.
  Optional<Value> initial(int state) {
    return c.optional(FIRST_STATE + state).map(this::turned);
  }

  /* From the node's order of batch and directions to the standard's first one, or back. */
  private Value turned(Value state) {
    return batchFirst ? c.transpose(state, List.of(1, 0, 2)) : state;
  }

  /// All steps of the hidden state, then each state after the last step.
  List<Value> lower() {
    List<List<Value>> results = directions.stream().map(Direction::run).toList();
    List<Value> outputs = new ArrayList<>(List.of(sequences(results)));
    for (int i = 1; i <= kind.states(); i++) {
      int state = i;
      outputs.add(turned(c.concat(0, results.stream().map(r -> r.get(state)).toList())));
    }
    return outputs;
  }

  private Value sequences(List<List<Value>> results) {
    List<Value> all = results.stream().map(r -> c.unsqueeze(r.getFirst(), 1, 1)).toList();
    Value joined = c.concat(1, all);
    return batchFirst ? c.transpose(joined, List.of(2, 0, 1, 3)) : joined;
  }
}
