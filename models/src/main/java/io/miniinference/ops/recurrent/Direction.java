package io.miniinference.ops.recurrent;

import io.miniinference.ir.Value;
import io.miniinference.layout.Affine;
import io.miniinference.ops.node.OpContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// One direction of a layer: its share of weights, biases and states.
///
/// @param number its place on the axes of directions
/// @param backwards whether the last step comes first
record Direction(
    OpContext node, Layer layer, int number, boolean backwards, CellFunctions functions) {
  private static final int WEIGHTS = 1;
  private static final int STATE_WEIGHTS = 2;
  private static final int BIASES = 3;
  private static final int PEEPHOLES = 7;

  /// The product of all inputs with their weights, and what is added to it.
  Value inputs(Cell cell) {
    Value product = node.matMul(layer.rows(), of(node.in(WEIGHTS)), false, true);
    Optional<Value> biases = node.optional(BIASES).map(this::of);
    if (biases.isEmpty()) {
      return product;
    }
    Value ofInput = blocks(biases.get(), 0, cell.gates());
    return node.add(product, cell.bias(this, ofInput, stateBias().orElseThrow()));
  }

  /// Biases of the product of the hidden state, `[gates · hidden]`.
  Optional<Value> stateBias() {
    return node.optional(BIASES)
        .map(this::of)
        .map(biases -> blocks(biases, layer.gates(), 2 * layer.gates()));
  }

  /// `[3 · hidden]`, of the gates in the order of the weights.
  Optional<Value> peepholes() {
    return node.optional(PEEPHOLES).map(this::of);
  }

  /// Rows of the recurrent weights, of the gates from `first` on, before `end`.
  Value stateWeights(int first, int end) {
    return blocks(of(node.in(STATE_WEIGHTS)), first, end);
  }

  /// Blocks of `hidden` elements along axis 0.
  Value blocks(Value x, int first, int end) {
    long hidden = layer.hidden();
    return node.slice(x, 0, Affine.of(first * hidden), Affine.of((end - first) * hidden));
  }

  /// A state ahead of the first step, `[batch, hidden]`; zeros where the node has none.
  Value initial(int input) {
    return node.optional(input).map(layer::directionsFirst).map(this::of).orElseGet(layer::zeros);
  }

  /* This direction's part of what has axis 0 for directions. */
  private Value of(Value all) {
    List<Affine> shape = new ArrayList<>(all.type().shape());
    shape.removeFirst();
    return node.reshape(node.slice(all, 0, Affine.of(number), Affine.ONE), shape);
  }
}
