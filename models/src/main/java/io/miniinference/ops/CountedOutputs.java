package io.miniinference.ops;

import io.miniinference.ir.Value;
import io.miniinference.layout.Affine;
import io.miniinference.onnx.Problems;
import io.miniinference.onnx.Quote;
import io.miniinference.ops.draft.CountedAxis;
import io.miniinference.ops.draft.Draft;
import io.miniinference.signature.Cuts;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Puts the counts of outputs of which only the device can tell how long they are behind them.
final class CountedOutputs {
  private final int outputs;
  private final List<Value> all;
  private final List<Cuts.Cut> cuts = new ArrayList<>();

  private CountedOutputs(List<Value> outputs) {
    this.outputs = outputs.size();
    all = new ArrayList<>(outputs);
  }

  /// @param problems takes what cannot be cut
  static CountedOutputs of(List<Value> outputs, Draft draft, Problems problems) {
    CountedOutputs counted = new CountedOutputs(outputs);
    for (int i = 0; i < outputs.size(); i++) {
      Optional<CountedAxis> axis = draft.counted(outputs.get(i));
      if (axis.isPresent()) {
        counted.add(i, axis.get(), problems);
      }
    }
    return counted;
  }

  private void add(int output, CountedAxis counted, Problems problems) {
    Value value = all.get(output);
    List<Affine> ahead = value.type().shape().subList(0, counted.axis());
    if (!ahead.stream().allMatch(Affine.ONE::equals)) {
      problems.add(
          "output " + Quote.of(value.name()),
          "is %s, and only the device can tell how long axis %d is, which must be the first; make it so"
              .formatted(value.type(), counted.axis()));
      return;
    }
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
