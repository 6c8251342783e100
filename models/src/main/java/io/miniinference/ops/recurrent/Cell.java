package io.miniinference.ops.recurrent;

import io.miniinference.ir.Value;
import java.util.List;

/// What a recurrent layer does in a step: the one thing in which RNN, GRU and LSTM differ.
interface Cell {

  /// Blocks of `hidden` rows in the weights.
  int gates();

  /// The activation functions of a direction that names none.
  List<String> functions();

  /// Inputs of the node that hold the states ahead of the first step; the hidden state's is first.
  List<Integer> initialStates();

  /// What is added to the product of the inputs, `[gates · hidden]`.
  ///
  /// @param ofInput biases of that product
  /// @param ofState biases of the product of the hidden state
  Value bias(Direction direction, Value ofInput, Value ofState);

  /// The states after a step, `[batch, hidden]` each.
  List<Value> next(Step step, List<Value> states);
}
