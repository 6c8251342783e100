package io.miniinference.ir;

import java.util.List;

/// What a recurrent layer does in a step: the kind of its cell, and its activation functions.
///
/// @param functions each an expression of [Expr.Arg] 0, in the order in which the kind names them;
///   a bound of what they are applied to (`clip`) is part of them
public record RecurrentCell(Kind kind, List<Expr> functions) {
  public RecurrentCell {
    functions = List.copyOf(functions);
  }

  /// The formulas, of a row of the inputs' product `X` and the states before: `H`, and `C` where
  /// there are two. Gates are in the order of the weights' blocks; `s(g)` is `Xg + H·Rgᵀ`, with `+
  /// Pg ⊙ C` where there are peepholes.
  public enum Kind {
    /// `H' = f(s(0))` ([RNN](https://onnx.ai/onnx/operators/onnx__RNN.html)).
    RNN(1, 1, 1),

    /// `z = f(s(0))`, `r = f(s(1))`, `h = g(X2 + (r ⊙ H)·R2ᵀ)`, `H' = (1 − z) ⊙ h + z ⊙ H`
    /// ([GRU](https://onnx.ai/onnx/operators/onnx__GRU.html)).
    GRU(3, 2, 1),

    /// As [#GRU] with `h = g(X2 + r ⊙ (H·R2ᵀ + B))` (`linear_before_reset`).
    GRU_LINEAR(3, 2, 1),

    /// `i = f(s(0))`, `f = f(s(2))`, `c = g(X3 + H·R3ᵀ)`, `C' = f ⊙ C + i ⊙ c`, `o = f(s(1))` with
    /// the peephole over `C'`, `H' = o ⊙ h(C')`
    /// ([LSTM](https://onnx.ai/onnx/operators/onnx__LSTM.html)).
    LSTM(4, 3, 2),

    /// As [#LSTM] with `f = 1 − i` (`input_forget`).
    LSTM_COUPLED(4, 3, 2);

    private final int gates;
    private final int functions;
    private final int states;

    Kind(int gates, int functions, int states) {
      this.gates = gates;
      this.functions = functions;
      this.states = states;
    }

    /// Blocks of `hidden` rows in the weights.
    public int gates() {
      return gates;
    }

    /// How many activation functions it has.
    public int functions() {
      return functions;
    }

    /// States that a step hands to the next: 1, or 2 where there is a cell state.
    public int states() {
      return states;
    }

    /// Whether there is a cell state beside the hidden one.
    public boolean hasCellState() {
      return states == 2;
    }
  }
}
