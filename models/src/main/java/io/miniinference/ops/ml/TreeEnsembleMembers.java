package io.miniinference.ops.ml;

import io.miniinference.ir.Tensor;
import io.miniinference.ops.draft.LoweringFault;
import io.miniinference.ops.draft.SmallTensors;
import io.miniinference.ops.node.OpContext;
import java.util.Arrays;

/// The sets of numbers that branches ask for, one after the other, each ended by a NaN.
final class TreeEnsembleMembers {
  private final double[] values;
  private int at;

  private TreeEnsembleMembers(double... values) {
    this.values = values;
  }

  static TreeEnsembleMembers of(OpContext c) {
    Tensor given = Lists.tensor(c, "membership_values");
    return new TreeEnsembleMembers(given == null ? new double[0] : SmallTensors.reals(given));
  }

  /// The next set.
  double[] next() {
    if (at >= values.length) {
      throw LoweringFault.of("has fewer sets in 'membership_values' than nodes that ask for one");
    }
    int first = at;
    while (at < values.length && !Double.isNaN(values[at])) {
      at++;
    }
    return Arrays.copyOfRange(values, first, at++);
  }
}
