package io.miniinference.ops.recurrent;

import static io.miniinference.ir.Exprs.arg;
import static io.miniinference.ir.Exprs.at;
import static io.miniinference.ir.Exprs.const_;
import static io.miniinference.ir.Exprs.index;
import static io.miniinference.ir.Exprs.lt;
import static io.miniinference.ir.Exprs.max;
import static io.miniinference.ir.Exprs.min;
import static io.miniinference.ir.Exprs.select;
import static io.miniinference.ir.Exprs.sub;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.Expr;
import io.miniinference.ir.TensorType;
import io.miniinference.ir.Value;
import io.miniinference.layout.Affine;
import io.miniinference.ops.control.CountedLoop;
import io.miniinference.ops.draft.BodyDraft;
import io.miniinference.ops.draft.Emitter;
import io.miniinference.ops.draft.Ex;
import io.miniinference.ops.draft.LoweringFault;
import io.miniinference.ops.node.OpContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/// A recurrent layer: its directions one after the other, each a loop over the steps.
///
/// Inputs are taken with the batch first: what exporters turn for the sake of the standard's order
/// is turned back here, and neither is carried out.
final class Layer {
  private static final int LENGTHS = 4;

  private final OpContext c;
  private final Cell cell;
  private final boolean batchFirst;
  private final Value rows;
  private final long hidden;
  private final List<Direction> directions;
  private final Optional<Value> lengths;

  Layer(OpContext c, Cell cell, boolean batchFirst) {
    this.c = c;
    this.cell = cell;
    this.batchFirst = batchFirst;
    c.requireRank(0, 3, 3);
    c.requireRank(2, 3, 3);
    rows = batchFirst ? c.in(0) : c.transpose(c.in(0), List.of(1, 0, 2));
    hidden = c.type(2).dim(2).asConstant();
    directions = directions(c.attrOneOf("direction", "forward", "reverse", "bidirectional"));
    checkTypes();
    lengths = c.optional(LENGTHS).map(this::bounded);
  }

  private List<Direction> directions(String name) {
    int count = name.equals("bidirectional") ? 2 : 1;
    List<CellFunctions> functions = CellFunctions.of(c, cell.functions(), count);
    return IntStream.range(0, count)
        .mapToObj(
            i -> new Direction(c, this, i, i == 1 || name.equals("reverse"), functions.get(i)))
        .toList();
  }

  private void checkTypes() {
    long count = directions.size();
    long blocks = cell.gates() * hidden;
    Affine inputs = c.type(0).dim(2);
    check(1, "weights", Affine.of(count), Affine.of(blocks), inputs);
    check(2, "recurrent weights", Affine.of(count), Affine.of(blocks), Affine.of(hidden));
    check(3, "biases", Affine.of(count), Affine.of(2 * blocks));
    check(LENGTHS, "lengths", batch());
    for (int state : cell.initialStates()) {
      Affine first = batchFirst ? batch() : Affine.of(count);
      Affine second = batchFirst ? Affine.of(count) : batch();
      check(state, "an initial state", first, second, Affine.of(hidden));
    }
    check(7, "peepholes", Affine.of(count), Affine.of(3 * hidden));
    if (c.hasAttr("hidden_size") && c.attrInt("hidden_size") != hidden) {
      throw LoweringFault.of(
          "has hidden_size %d, and recurrent weights %s"
              .formatted(c.attrInt("hidden_size"), c.type(2)));
    }
  }

  private void check(int input, String what, Affine... shape) {
    if (c.has(input) && !c.type(input).shape().equals(List.of(shape))) {
      throw LoweringFault.of("has %s %s, needs %s".formatted(what, c.type(input), List.of(shape)));
    }
  }

  /* Lengths as the loop trusts them: none below 0, none above the steps there are. */
  private Value bounded(Value given) {
    Value wide = c.cast(given, ElementType.I64);
    return c.map(min(max(arg(0), const_(0)), Ex.size(steps())), wide);
  }

  ElementType type() {
    return c.element(0);
  }

  int gates() {
    return cell.gates();
  }

  /// Elements of a state, for each row of the batch.
  long hidden() {
    return hidden;
  }

  /// `[batch, steps, inputs]`.
  Value rows() {
    return rows;
  }

  private Affine batch() {
    return rows.type().dim(0);
  }

  Affine steps() {
    return rows.type().dim(1);
  }

  List<Affine> stateShape() {
    return List.of(batch(), Affine.of(hidden));
  }

  /// How many steps each row has, as `I64` from 0 to [#steps], if they differ.
  Optional<Value> lengths() {
    return lengths;
  }

  Value zeros() {
    return c.fill(const_(type(), 0.0), stateShape());
  }

  /// A state, `[directions, batch, hidden]`.
  Value directionsFirst(Value state) {
    return batchFirst ? c.transpose(state, List.of(1, 0, 2)) : state;
  }

  /// All steps of the hidden state, then each state after the last step.
  List<Value> lower() {
    List<List<Value>> results = directions.stream().map(this::run).toList();
    int states = cell.initialStates().size();
    List<Value> outputs = new ArrayList<>(List.of(sequences(results, states)));
    for (int i = 0; i < states; i++) {
      outputs.add(states(results, i));
    }
    return outputs;
  }

  /* The states after the last step, then all hidden states, `[steps, batch, hidden]`. */
  private List<Value> run(Direction direction) {
    List<Value> initial = cell.initialStates().stream().map(direction::initial).toList();
    Value inputs = direction.inputs(cell);
    BodyDraft body = new BodyDraft(c.draft().inner());
    Value iteration = body.parameter("step", TensorType.of(ElementType.I64));
    List<Value> states = initial.stream().map(v -> body.parameter("state", v.type())).toList();
    Emitter inside = c.into(body.draft());
    var sequence = new Sequence(inputs, iteration, direction.backwards());
    Step step = new Step(inside, this, direction, sequence);
    List<Value> results = new ArrayList<>(cell.next(step, states));
    results.add(step.formula().output(results.getFirst()));
    return ordered(CountedLoop.emit(c, body, results, initial, steps()), direction);
  }

  /* With the hidden states in the order of the steps. */
  private List<Value> ordered(List<Value> results, Direction direction) {
    if (!direction.backwards()) {
      return results;
    }
    List<Value> ordered = new ArrayList<>(results);
    ordered.set(results.size() - 1, mirrored(results.getLast()));
    return ordered;
  }

  private Value mirrored(Value sequence) {
    List<Affine> shape = sequence.type().shape();
    Expr last = sub(lengths.isPresent() ? at(1, index(1)) : Ex.size(steps()), const_(1));
    Expr mirror = sub(last, index(0));
    if (lengths.isEmpty()) {
      return c.compute(at(0, mirror, index(1), index(2)), shape, sequence);
    }
    Expr place = select(lt(index(0), at(1, index(1))), mirror, index(0));
    return c.compute(at(0, place, index(1), index(2)), shape, sequence, lengths.get());
  }

  private Value sequences(List<List<Value>> results, int at) {
    List<Value> all = results.stream().map(r -> c.unsqueeze(r.get(at), 1, 1)).toList();
    Value joined = c.concat(1, all);
    return batchFirst ? c.transpose(joined, List.of(2, 0, 1, 3)) : joined;
  }

  private Value states(List<List<Value>> results, int at) {
    int axis = batchFirst ? 1 : 0;
    return c.concat(axis, results.stream().map(r -> c.unsqueeze(r.get(at), axis, 1)).toList());
  }
}
