package io.miniinference.ops.lists;

import io.miniinference.ir.Value;
import io.miniinference.ops.draft.LoweringFault;
import io.miniinference.ops.node.OpContext;
import java.util.ArrayList;
import java.util.List;

/// SequenceMap: a body that is written out for each tensor of a list; further lists give a tensor
/// each time, and tensors are the same each time ([ONNX
/// SequenceMap](https://onnx.ai/onnx/operators/onnx__SequenceMap.html)).
final class MapRule {
  private final OpContext c;
  private final int length;

  MapRule(OpContext c) {
    this.c = c;
    length = ListOps.elements(c).size();
    for (int i = 1; i < c.inputs(); i++) {
      requireLength(i);
    }
  }

  private void requireLength(int input) {
    int own = c.elements(input).map(List::size).orElse(length);
    if (own != length) {
      throw LoweringFault.of(
          "has a list of %d tensors as input %d, together with one of %d"
              .formatted(own, input, length));
    }
  }

  List<Value> lower() {
    List<List<Value>> lists = new ArrayList<>();
    for (int k = 0; k < c.outputs(); k++) {
      lists.add(new ArrayList<>());
    }
    for (int i = 0; i < length; i++) {
      List<Value> results = c.bodies().inline("body", inputs(i));
      if (results.size() < lists.size()) {
        throw LoweringFault.of(
            "has %d outputs, and its body gives %d".formatted(lists.size(), results.size()));
      }
      for (int k = 0; k < lists.size(); k++) {
        lists.get(k).add(results.get(k));
      }
    }
    return lists.stream().map(c::list).toList();
  }

  private List<Value> inputs(int place) {
    List<Value> inputs = new ArrayList<>();
    for (int i = 0; i < c.inputs(); i++) {
      Value input = c.in(i);
      inputs.add(c.elements(i).map(elements -> elements.get(place)).orElse(input));
    }
    return inputs;
  }
}
