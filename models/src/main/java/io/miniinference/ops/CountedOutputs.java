package io.miniinference.ops;

import io.miniinference.ir.Value;
import io.miniinference.ops.draft.CountedAxis;
import io.miniinference.ops.draft.Draft;
import io.miniinference.signature.Cuts;
import java.util.ArrayList;
import java.util.List;

/// Puts the counts of outputs of which only the device can tell how long they are behind them.
final class CountedOutputs {
  private final int outputs;
  private final List<Value> all;
  private final List<Cuts.Cut> cuts = new ArrayList<>();

  private CountedOutputs(List<Value> outputs) {
    this.outputs = outputs.size();
    all = new ArrayList<>(outputs);
  }

  static CountedOutputs of(List<Value> outputs, Draft draft) {
    CountedOutputs counted = new CountedOutputs(outputs);
    for (int i = 0; i < outputs.size(); i++) {
      int output = i;
      draft.facts().counted(outputs.get(i)).ifPresent(axis -> counted.add(output, axis));
    }
    return counted;
  }

  private void add(int output, CountedAxis counted) {
    int count = all.lastIndexOf(counted.count());
    if (count < outputs) {
      count = all.size();
      all.add(counted.count());
    }
    cuts.add(new Cuts.Cut(output, counted.axis(), count));
  }

  /// The model's outputs, then their counts.
  List<Value> values() {
    return all;
  }

  Cuts cuts() {
    return new Cuts(outputs, cuts);
  }
}
