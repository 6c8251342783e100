package io.miniinference.ops.recurrent;

import static io.miniinference.ir.Exprs.add;
import static io.miniinference.ir.Exprs.const_;
import static io.miniinference.ir.Exprs.mul;
import static io.miniinference.ir.Exprs.sub;

import io.miniinference.ir.Expr;
import io.miniinference.ir.Value;
import io.miniinference.ops.node.OpContext;
import java.util.List;

/// Gates `i` (input), `o` (output) and `f` (forget), a candidate `c`, and a cell state `C` beside
/// the hidden one:
///
/// ```text
/// i  = f(X·Wiᵀ + H·Riᵀ + Pi ⊙ C + Wbi + Rbi)      f = f(X·Wfᵀ + H·Rfᵀ + Pf ⊙ C + Wbf + Rbf)
/// c  = g(X·Wcᵀ + H·Rcᵀ + Wbc + Rbc)              C' = f ⊙ C + i ⊙ c
/// o  = f(X·Woᵀ + H·Roᵀ + Po ⊙ C' + Wbo + Rbo)     H' = o ⊙ h(C')
/// ```
///
/// With `input_forget` the forget gate is `1 - i`.
record LstmCell(OpContext node) implements Cell {
  private static final int INPUT = 0;
  private static final int OUTPUT = 1;
  private static final int FORGET = 2;
  private static final int CANDIDATE = 3;

  @Override
  public int gates() {
    return 4;
  }

  @Override
  public List<String> functions() {
    return List.of("Sigmoid", "Tanh", "Tanh");
  }

  @Override
  public List<Integer> initialStates() {
    return List.of(5, 6);
  }

  @Override
  public Value bias(Direction direction, Value ofInput, Value ofState) {
    return node.add(ofInput, ofState);
  }

  @Override
  public List<Value> next(Step step, List<Value> states) {
    Value product = step.product(states.getFirst(), INPUT, gates());
    Value cell = cell(step, product, states.get(1));
    Formula f = step.formula();
    Expr output = gate(step, f, product, OUTPUT, f.element(cell));
    Expr hidden = mul(output, step.function(2, f.element(cell)));
    return List.of(f.state(hidden, states.getFirst()), cell);
  }

  private Value cell(Step step, Value product, Value before) {
    Formula f = step.formula();
    Expr old = f.element(before);
    Expr input = gate(step, f, product, INPUT, old);
    Expr forget =
        node.attrBool("input_forget")
            ? sub(const_(step.type(), 1.0), input)
            : gate(step, f, product, FORGET, old);
    Expr candidate = step.activation(1, add(f.input(CANDIDATE), f.block(product, CANDIDATE)));
    return f.state(add(mul(forget, old), mul(input, candidate)), before);
  }

  private static Expr gate(Step step, Formula f, Value product, int gate, Expr cell) {
    Expr sum = add(f.input(gate), f.block(product, gate));
    return step.activation(
        0,
        step.direction()
            .peepholes()
            .map(weights -> add(sum, mul(f.vector(weights, gate), cell)))
            .orElse(sum));
  }
}
