package io.miniinference.ops.draft;

import io.miniinference.ir.Node;
import io.miniinference.ir.Tensor;
import io.miniinference.ir.Value;
import java.util.List;
import java.util.Optional;

/// Which values are known to be the same: exporters write a mask anew wherever it is used.
final class Alike {
  /// Most nodes that are looked at for a pair of values.
  private static final int MOST = 256;

  private final Draft draft;
  private int looked;

  Alike(Draft draft) {
    this.draft = draft;
  }

  /// Whether both are made by the same operations of the same values.
  boolean are(Value one, Value other) {
    looked = 0;
    return same(one, other);
  }

  private boolean same(Value one, Value other) {
    if (one.equals(other)) {
      return true;
    }
    if (++looked > MOST || !one.type().equals(other.type())) {
      return false;
    }
    Tensor constant = draft.facts().tensor(one);
    Tensor second = draft.facts().tensor(other);
    if (constant != null || second != null) {
      return constant != null && second != null && sameElements(constant, second);
    }
    Optional<Node> maker = draft.maker(one);
    return maker.isPresent()
        && draft.maker(other).filter(it -> same(maker.get(), it, one, other)).isPresent();
  }

  private boolean same(Node maker, Node other, Value one, Value second) {
    return maker.op().equals(other.op())
        && maker.outputs().indexOf(one) == other.outputs().indexOf(second)
        && same(maker.inputs(), other.inputs());
  }

  private boolean same(List<Value> inputs, List<Value> others) {
    if (inputs.size() != others.size()) {
      return false;
    }
    for (int i = 0; i < inputs.size(); i++) {
      if (!same(inputs.get(i), others.get(i))) {
        return false;
      }
    }
    return true;
  }

  private static boolean sameElements(Tensor one, Tensor other) {
    return one.elements() <= SymbolicTensor.MAX_ELEMENTS
        && one.data().byteSize() == other.data().byteSize()
        && one.data().mismatch(other.data()) < 0;
  }
}
