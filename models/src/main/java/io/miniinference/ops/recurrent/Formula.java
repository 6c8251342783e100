package io.miniinference.ops.recurrent;

import static io.miniinference.ir.Exprs.add;
import static io.miniinference.ir.Exprs.arg;
import static io.miniinference.ir.Exprs.at;
import static io.miniinference.ir.Exprs.const_;
import static io.miniinference.ir.Exprs.index;
import static io.miniinference.ir.Exprs.lt;
import static io.miniinference.ir.Exprs.select;
import static io.miniinference.ir.Exprs.sub;

import io.miniinference.ir.Expr;
import io.miniinference.ir.Value;
import io.miniinference.ops.draft.Emitter;
import io.miniinference.ops.draft.Ex;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/// An elementwise computation over `[batch, hidden]` in a step of a loop. What it reads become its
/// operands.
final class Formula {
  private final Emitter emitter;
  private final Layer layer;
  private final Sequence sequence;
  private final List<Value> operands = new ArrayList<>();

  /// @param emitter writes into the body of the loop
  /// @param sequence of the product of the inputs
  Formula(Emitter emitter, Layer layer, Sequence sequence) {
    this.emitter = emitter;
    this.layer = layer;
    this.sequence = sequence;
  }

  private int operand(Value value) {
    int known = operands.indexOf(value);
    if (known < 0) {
      operands.add(value);
    }
    return known < 0 ? operands.size() - 1 : known;
  }

  /// The element of `[batch, hidden]`.
  Expr element(Value x) {
    return arg(operand(x));
  }

  /// A gate's element of `[batch, gates · hidden]`.
  Expr block(Value x, int gate) {
    return at(operand(x), index(0), column(gate));
  }

  /// A gate's element of `[gates · hidden]`.
  Expr vector(Value x, int gate) {
    return at(operand(x), column(gate));
  }

  private Expr column(int gate) {
    return gate == 0 ? index(1) : add(const_(gate * layer.hidden()), index(1));
  }

  /// A gate's element of the product of this step's inputs.
  Expr input(int gate) {
    return at(operand(sequence.inputs()), index(0), place(), column(gate));
  }

  /* Which step of the sequence this iteration takes: backwards the last one of each row first. */
  private Expr place() {
    Expr iteration = arg(operand(sequence.iteration()));
    if (!sequence.backwards()) {
      return iteration;
    }
    return layer
        .lengths()
        .map(lengths -> {
          Expr mirrored = sub(sub(length(lengths), const_(1)), iteration);
          return select(lt(iteration, length(lengths)), mirrored, iteration);
        })
        .orElseGet(() -> sub(sub(Ex.size(layer.steps()), const_(1)), iteration));
  }

  private Expr length(Value lengths) {
    return at(operand(lengths), index(0));
  }

  Value value(Expr expr) {
    return emitter.compute(expr, layer.stateShape(), operands.toArray(Value[]::new));
  }

  /// A state after this step: in rows whose sequence has ended, what it was `before`.
  Value state(Expr after, Value before) {
    return value(within(after, () -> element(before)));
  }

  /// What the layer gives for this step: zero in rows whose sequence has ended.
  Value output(Value hidden) {
    return layer.lengths().isEmpty()
        ? hidden
        : value(within(element(hidden), () -> const_(layer.type(), 0.0)));
  }

  private Expr within(Expr inside, Supplier<Expr> outside) {
    return layer
        .lengths()
        .map(lengths -> {
          Expr runs = lt(arg(operand(sequence.iteration())), length(lengths));
          return select(runs, inside, outside.get());
        })
        .orElse(inside);
  }
}
