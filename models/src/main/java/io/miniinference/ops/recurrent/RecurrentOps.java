package io.miniinference.ops.recurrent;

import io.miniinference.ir.RecurrentCell.Kind;
import io.miniinference.ir.Value;
import io.miniinference.ops.node.OpContext;
import io.miniinference.ops.node.OpTable;
import java.util.List;
import java.util.function.Function;

/// Recurrent layers ([RNN](https://onnx.ai/onnx/operators/onnx__RNN.html),
/// [GRU](https://onnx.ai/onnx/operators/onnx__GRU.html),
/// [LSTM](https://onnx.ai/onnx/operators/onnx__LSTM.html)).
///
/// The product of the inputs with their weights is one for all steps; one node for each direction
/// does the rest.
public final class RecurrentOps {
  private static final String ATTRIBUTES =
      "activation_alpha activation_beta activations clip direction=forward hidden_size";

  private static final String LSTM_ALONE = " input_forget=0";

  /// The attributes of an LSTM, as of opset 7.
  public static final String LSTM = ATTRIBUTES + LSTM_ALONE;

  private RecurrentOps() {}

  public static void addTo(OpTable table) {
    add(table, "RNN", "3-6", "", _ -> Kind.RNN);
    add(table, "GRU", "3-6", " linear_before_reset=0", RecurrentOps::gru);
    add(table, "LSTM", "3-8", LSTM_ALONE, RecurrentOps::lstm);
  }

  private static Kind gru(OpContext c) {
    return c.attrBool("linear_before_reset") ? Kind.GRU_LINEAR : Kind.GRU;
  }

  private static Kind lstm(OpContext c) {
    return c.attrBool("input_forget") ? Kind.LSTM_COUPLED : Kind.LSTM;
  }

  private static void add(
      OpTable table, String name, String inputs, String own, Function<OpContext, Kind> kind) {
    String attributes = ATTRIBUTES + own;
    table
        .rows(name, 1, inputs, attributes + " output_sequence=0", c -> lower(c, kind, false))
        .rows(name, 7, inputs, attributes, c -> lower(c, kind, false))
        .rows(
            name, 14, inputs, attributes + " layout=0", c -> lower(c, kind, c.attrBool("layout")));
  }

  private static List<Value> lower(
      OpContext c, Function<OpContext, Kind> kind, boolean batchFirst) {
    return new Layer(c, kind.apply(c), batchFirst, c.in(1), c.in(2)).lower();
  }

  /// An LSTM as of opset 7, whose weights are of another form in the file.
  ///
  /// @param weights `[directions, 4·hidden, inputs]`
  /// @param stateWeights `[directions, 4·hidden, hidden]`
  public static List<Value> lstm(OpContext c, Value weights, Value stateWeights) {
    return new Layer(c, lstm(c), false, weights, stateWeights).lower();
  }
}
