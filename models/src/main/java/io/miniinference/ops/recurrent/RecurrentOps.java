package io.miniinference.ops.recurrent;

import io.miniinference.ir.RecurrentCell.Kind;
import io.miniinference.ir.Value;
import io.miniinference.ops.draft.LoweringFault;
import io.miniinference.ops.nn.QuantOps;
import io.miniinference.ops.node.OpContext;
import io.miniinference.ops.node.OpTable;
import java.util.List;
import java.util.Optional;
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

  private RecurrentOps() {}

  public static void addTo(OpTable table) {
    add(table, "RNN", "3-6", "", _ -> Kind.RNN);
    add(table, "GRU", "3-6", " linear_before_reset=0", RecurrentOps::gru);
    add(table, "LSTM", "3-8", " input_forget=0", RecurrentOps::lstm);
    table.rows(
        "com.microsoft.DynamicQuantizeLSTM",
        1,
        "12",
        ATTRIBUTES + " input_forget=0",
        RecurrentOps::quantised);
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
        .rows(name, 7, inputs, attributes, c -> lower(c, kind, false))
        .rows(
            name, 14, inputs, attributes + " layout=0", c -> lower(c, kind, c.attrBool("layout")));
  }

  private static List<Value> lower(
      OpContext c, Function<OpContext, Kind> kind, boolean batchFirst) {
    return new Layer(c, kind.apply(c), batchFirst, c.in(1), c.in(2)).lower();
  }

  /// An LSTM whose weights the quantiser keeps in 8 bits, and turned. It is computed with what the
  /// weights stand for: ONNX Runtime rounds inputs and states to 8 bits, too, once a step, which
  /// only takes it further from the network that was quantised.
  private static List<Value> quantised(OpContext c) {
    return new Layer(c, lstm(c), false, weights(c, 1, 8), weights(c, 2, 10)).lower();
  }

  /// `[directions, 4·hidden, n]` of an input `[directions, n, 4·hidden]` in 8 bits.
  ///
  /// @param scale the input of scales, one for each direction or each column, ahead of that of zero
  ///   points
  private static Value weights(OpContext c, int i, int scale) {
    c.requireRank(i, 3, 3);
    if (!c.element(i).isInteger() || !c.element(scale).isFloat()) {
      throw LoweringFault.of(
          "has weights %s in steps of %s, needs integers in steps of floats"
              .formatted(c.type(i), c.type(scale)));
    }
    Value steps = perColumn(c, scale);
    Value zeroPoint = perColumn(c, scale + 1);
    Value real =
        QuantOps.dequantized(c, c.in(i), steps, Optional.of(zeroPoint), steps.type().element());
    return c.transpose(real, List.of(0, 2, 1));
  }

  /* As it broadcasts to weights of a direction. */
  private static Value perColumn(OpContext c, int i) {
    c.requireRank(i, 1, 2);
    return c.rank(i) == 1 ? c.unsqueeze(c.in(i), 1, 2) : c.unsqueeze(c.in(i), 1, 1);
  }
}
