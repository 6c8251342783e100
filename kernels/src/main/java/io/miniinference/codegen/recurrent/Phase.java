package io.miniinference.codegen.recurrent;

import io.miniinference.ir.RecurrentCell.Kind;
import java.util.List;

/// A part of a step that waits for no other part of it: a product of the whole state with the
/// weights of some gates, and what is made of it element by element.
///
/// @param gates blocks of `hidden` rows of the weights
/// @param ofKept whether the product is of the state as the reset gate lets it pass, else of the
///   state as it is
/// @param isLast whether it gives the next state
public record Phase(List<Integer> gates, boolean ofKept, boolean isLast) {
  public Phase {
    gates = List.copyOf(gates);
  }

  /// The phases of a step, in order.
  public static List<Phase> of(Kind kind) {
    return switch (kind) {
      case RNN -> List.of(whole(List.of(0)));
      case GRU_LINEAR -> List.of(whole(List.of(0, 1, 2)));
      case LSTM -> List.of(whole(List.of(0, 1, 2, 3)));
      case LSTM_COUPLED -> List.of(whole(List.of(0, 1, 3)));
      case GRU ->
          List.of(new Phase(List.of(0, 1), false, false), new Phase(List.of(2), true, true));
    };
  }

  private static Phase whole(List<Integer> gates) {
    return new Phase(gates, false, true);
  }
}
