package io.miniinference.ops.recurrent;

import static io.miniinference.ir.Exprs.add;

import io.miniinference.ir.Value;
import io.miniinference.ops.node.OpContext;
import java.util.List;

/// `H' = f(X·Wᵀ + H·Rᵀ + Wb + Rb)`.
record RnnCell(OpContext node) implements Cell {
  @Override
  public int gates() {
    return 1;
  }

  @Override
  public List<String> functions() {
    return List.of("Tanh");
  }

  @Override
  public List<Integer> initialStates() {
    return List.of(5);
  }

  @Override
  public Value bias(Direction direction, Value ofInput, Value ofState) {
    return node.add(ofInput, ofState);
  }

  @Override
  public List<Value> next(Step step, List<Value> states) {
    Value hidden = states.getFirst();
    Value product = step.product(hidden, 0, 1);
    Formula f = step.formula();
    return List.of(f.state(step.activation(0, add(f.input(0), f.block(product, 0))), hidden));
  }
}
