package io.miniinference.ops.contrib;

import io.miniinference.ir.Value;
import io.miniinference.ops.nn.QuantOps;
import io.miniinference.ops.node.OpContext;
import io.miniinference.ops.node.OpTable;
import io.miniinference.ops.recurrent.RecurrentOps;
import java.util.List;
import java.util.Optional;

/// Recurrent layers whose weights the quantiser keeps in 8 bits. They are computed with what the
/// weights stand for: ONNX Runtime rounds inputs and states to 8 bits, too, once a step, which only
/// takes it further from the network that was quantised.
final class QuantisedLayers {
  private QuantisedLayers() {}

  static void addTo(OpTable table) {
    table.rows(
        "com.microsoft.DynamicQuantizeLSTM",
        1,
        "12",
        RecurrentOps.LSTM,
        c -> RecurrentOps.lstm(c, weights(c, 1, 8), weights(c, 2, 10)));
  }

  /// `[directions, 4·hidden, n]` of an input `[directions, n, 4·hidden]` in 8 bits.
  ///
  /// @param scale the input of scales, one for each direction or each column, ahead of that of zero
  ///   points
  private static Value weights(OpContext c, int i, int scale) {
    c.requireRank(i, 3, 3);
    Quantised.integers(c, i);
    Quantised.realType(c, scale);
    Value steps = perColumn(c, scale);
    Optional<Value> zeroPoint = Optional.of(perColumn(c, scale + 1));
    Value real = QuantOps.dequantized(c, c.in(i), steps, zeroPoint, steps.type().element());
    return c.transpose(real, List.of(0, 2, 1));
  }

  /* As it broadcasts to weights of a direction. */
  private static Value perColumn(OpContext c, int i) {
    c.requireRank(i, 1, 2);
    return c.unsqueeze(c.in(i), 1, 3 - c.rank(i));
  }
}
