package io.miniinference.ops.recurrent;

import io.miniinference.ir.Value;
import io.miniinference.ops.node.OpContext;
import io.miniinference.ops.node.OpTable;
import java.util.List;
import java.util.function.Function;

/// Recurrent layers ([RNN](https://onnx.ai/onnx/operators/onnx__RNN.html),
/// [GRU](https://onnx.ai/onnx/operators/onnx__GRU.html),
/// [LSTM](https://onnx.ai/onnx/operators/onnx__LSTM.html)).
///
/// The product of the inputs with their weights is one for all steps; a loop over the steps does
/// the rest.
public final class RecurrentOps {
  private static final String ATTRIBUTES =
      "activation_alpha activation_beta activations clip direction=forward hidden_size";

  private RecurrentOps() {}

  public static void addTo(OpTable table) {
    add(table, "RNN", "3-6", "", RnnCell::new);
    add(table, "GRU", "3-6", " linear_before_reset=0", GruCell::new);
    add(table, "LSTM", "3-8", " input_forget=0", LstmCell::new);
  }

  private static void add(
      OpTable table, String name, String inputs, String own, Function<OpContext, Cell> cell) {
    String attributes = ATTRIBUTES + own;
    table
        .rows(name, 7, inputs, attributes, c -> lower(c, cell, false))
        .rows(
            name, 14, inputs, attributes + " layout=0", c -> lower(c, cell, c.attrBool("layout")));
  }

  private static List<Value> lower(
      OpContext c, Function<OpContext, Cell> cell, boolean batchFirst) {
    return new Layer(c, cell.apply(c), batchFirst).lower();
  }
}
