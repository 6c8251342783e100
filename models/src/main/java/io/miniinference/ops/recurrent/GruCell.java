package io.miniinference.ops.recurrent;

import static io.miniinference.ir.Exprs.add;
import static io.miniinference.ir.Exprs.const_;
import static io.miniinference.ir.Exprs.mul;
import static io.miniinference.ir.Exprs.sub;

import io.miniinference.ir.Expr;
import io.miniinference.ir.Value;
import io.miniinference.ops.node.OpContext;
import java.util.List;

/// Gates `z` (update) and `r` (reset), and a candidate `h`:
///
/// ```text
/// z  = f(X·Wzᵀ + H·Rzᵀ + Wbz + Rbz)      r = f(X·Wrᵀ + H·Rrᵀ + Wbr + Rbr)
/// h  = g(X·Whᵀ + (r ⊙ H)·Rhᵀ + Rbh + Wbh)    or, with linear_before_reset,
/// h  = g(X·Whᵀ + r ⊙ (H·Rhᵀ + Rbh) + Wbh)
/// H' = (1 - z) ⊙ h + z ⊙ H
/// ```
record GruCell(OpContext node) implements Cell {
  private static final int UPDATE = 0;
  private static final int RESET = 1;
  private static final int CANDIDATE = 2;

  @Override
  public int gates() {
    return 3;
  }

  @Override
  public List<String> functions() {
    return List.of("Sigmoid", "Tanh");
  }

  @Override
  public List<Integer> initialStates() {
    return List.of(5);
  }

  private boolean resetsProduct() {
    return node.attrBool("linear_before_reset");
  }

  /// A bias that is reset belongs to the product of the hidden state.
  @Override
  public Value bias(Direction direction, Value ofInput, Value ofState) {
    if (!resetsProduct()) {
      return node.add(ofInput, ofState);
    }
    Value gates =
        node.add(
            direction.blocks(ofInput, UPDATE, CANDIDATE),
            direction.blocks(ofState, UPDATE, CANDIDATE));
    return node.concat(0, List.of(gates, direction.blocks(ofInput, CANDIDATE, gates())));
  }

  @Override
  public List<Value> next(Step step, List<Value> states) {
    Value hidden = states.getFirst();
    return List.of(resetsProduct() ? resettingProduct(step, hidden) : resetting(step, hidden));
  }

  private Value resettingProduct(Step step, Value hidden) {
    Value product = step.product(hidden, UPDATE, gates());
    Formula f = step.formula();
    Expr ofState = f.block(product, CANDIDATE);
    Expr biased =
        step.direction()
            .stateBias()
            .map(bias -> add(ofState, f.vector(bias, CANDIDATE)))
            .orElse(ofState);
    Expr candidate = add(f.input(CANDIDATE), mul(gate(step, f, product, RESET), biased));
    return mixed(step, f, product, candidate, hidden);
  }

  private Value resetting(Step step, Value hidden) {
    Value product = step.product(hidden, UPDATE, CANDIDATE);
    Formula reset = step.formula();
    Value kept = reset.value(mul(gate(step, reset, product, RESET), reset.element(hidden)));
    Value ofKept = step.product(kept, CANDIDATE, gates());
    Formula f = step.formula();
    Expr candidate = add(f.input(CANDIDATE), f.block(ofKept, 0));
    return mixed(step, f, product, candidate, hidden);
  }

  private static Expr gate(Step step, Formula f, Value product, int gate) {
    return step.activation(0, add(f.input(gate), f.block(product, gate)));
  }

  private static Value mixed(Step step, Formula f, Value product, Expr candidate, Value hidden) {
    Expr update = gate(step, f, product, UPDATE);
    Expr fresh = mul(sub(const_(step.type(), 1.0), update), step.activation(1, candidate));
    return f.state(add(fresh, mul(update, f.element(hidden))), hidden);
  }
}
