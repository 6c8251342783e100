package io.miniinference.ops.recurrent;

import io.miniinference.ir.Op;
import io.miniinference.ir.Op.Recurrent.Given;
import io.miniinference.ir.RecurrentCell;
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
record Direction(OpContext node, Layer layer, int number, boolean backwards, RecurrentCell cell) {
  private static final int BIASES = 3;
  private static final int PEEPHOLES = 7;

  /// Of a GRU, the gate whose product of the state may be reset.
  private static final int CANDIDATE = 2;

  /// All hidden states `[steps, batch, hidden]`, then each state after the last step, `[1, batch,
  /// hidden]`.
  List<Value> run() {
    List<Value> operands = new ArrayList<>();
    operands.add(node.transpose(inputs(), List.of(1, 0, 2)));
    operands.add(of(layer.stateWeights()));
    List<Given> given = new ArrayList<>();
    for (Given kind : Given.values()) {
      optional(kind)
          .ifPresent(value -> {
            given.add(kind);
            operands.add(value);
          });
    }
    return node.emitAll(
        new Op.Recurrent(cell, backwards, given, parts()), operands.toArray(Value[]::new));
  }

  private List<Op.Recurrent.Part> parts() {
    return List.of(Op.Recurrent.Part.values()).subList(0, 1 + cell.kind().states());
  }

  private Optional<Value> optional(Given given) {
    return switch (given) {
      case BIAS -> resetsProduct() ? stateBias(CANDIDATE, gates()) : Optional.empty();
      case PEEPHOLES -> cell.kind().hasCellState() ? part(PEEPHOLES) : Optional.empty();
      case HIDDEN -> layer.initial(0).map(this::states);
      case CELL ->
          cell.kind().hasCellState() ? layer.initial(1).map(this::states) : Optional.empty();
      case LENGTHS -> layer.lengths();
    };
  }

  /* The product of all inputs with their weights, and what is added to it, batch first. */
  private Value inputs() {
    Value product = node.matMul(layer.rows(), of(layer.weights()), false, true);
    return part(BIASES).map(biases -> node.add(product, bias(biases))).orElse(product);
  }

  private Value bias(Value biases) {
    int common = resetsProduct() ? CANDIDATE : gates();
    Value ofInput = blocks(biases, 0, common);
    Value sum = node.add(ofInput, stateBias(0, common).orElseThrow());
    return common == gates() ? sum : node.concat(0, List.of(sum, blocks(biases, common, gates())));
  }

  /* A bias that is reset belongs to the product of the hidden state. */
  private boolean resetsProduct() {
    return cell.kind() == RecurrentCell.Kind.GRU_LINEAR;
  }

  private int gates() {
    return cell.kind().gates();
  }

  /* Biases of the product of the hidden state, of some gates. */
  private Optional<Value> stateBias(int first, int end) {
    return part(BIASES).map(biases -> blocks(biases, gates() + first, gates() + end));
  }

  /* Blocks of `hidden` elements. */
  private Value blocks(Value x, int first, int end) {
    long hidden = layer.hidden();
    return node.slice(x, 0, Affine.of(first * hidden), Affine.of((end - first) * hidden));
  }

  private Optional<Value> part(int input) {
    return node.optional(input).map(this::of);
  }

  /* `[1, batch, hidden]` of `[directions, batch, hidden]`. */
  private Value states(Value all) {
    return node.slice(all, 0, Affine.of(number), Affine.ONE);
  }

  /* This direction's part of what has axis 0 for directions. */
  private Value of(Value all) {
    List<Affine> shape = new ArrayList<>(all.type().shape());
    shape.removeFirst();
    return node.reshape(node.slice(all, 0, Affine.of(number), Affine.ONE), shape);
  }
}
