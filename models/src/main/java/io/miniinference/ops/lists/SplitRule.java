package io.miniinference.ops.lists;

import io.miniinference.ir.Value;
import io.miniinference.layout.Affine;
import io.miniinference.ops.draft.LoweringFault;
import io.miniinference.ops.draft.Sizes;
import io.miniinference.ops.draft.Structure;
import io.miniinference.ops.node.OpContext;
import java.util.ArrayList;
import java.util.List;

/// SplitToSequence: a tensor's parts along an axis, of sizes given one by one, of one size with
/// what is left as the last, or of size 1 ([ONNX
/// SplitToSequence](https://onnx.ai/onnx/operators/onnx__SplitToSequence.html)).
final class SplitRule {
  private final OpContext c;
  private final int axis;
  private final Affine extent;

  SplitRule(OpContext c) {
    this.c = c;
    axis = c.attrAxis("axis", c.rank(0));
    extent = c.type(0).dim(axis);
  }

  Value lower() {
    List<Value> parts = c.parts(c.in(0), axis, sizes());
    return c.list(keepsAxis() ? parts : parts.stream().map(this::withoutAxis).toList());
  }

  /* The standard has `keepdims` ignored where sizes are given, and a size of 1 where they are not.
  PyTorch writes that 1 for `unbind`, and ONNX Runtime takes the two for the same. */
  private boolean keepsAxis() {
    boolean isInOnes = !c.has(1) || c.rank(1) == 0 && c.int1(1) == 1;
    return !isInOnes || c.attrBool("keepdims");
  }

  private Value withoutAxis(Value part) {
    List<Affine> shape = new ArrayList<>(part.type().shape());
    shape.remove(axis);
    return c.reshape(part, shape);
  }

  private List<Affine> sizes() {
    if (!c.has(1)) {
      return chunks(1);
    }
    c.requireRank(1, 0, 1);
    return c.rank(1) == 0 ? chunks(c.int1(1)) : given();
  }

  private List<Affine> chunks(long size) {
    if (size < 1) {
      throw LoweringFault.of("splits into parts of %d".formatted(size));
    }
    if (!extent.isConstant()) {
      throw LoweringFault.specialisable(
          "splits axis %d of %s, so that the batch says how many parts there are; fix the batch"
              .formatted(axis, c.type(0)));
    }
    requireCount(Math.ceilDiv(extent.constant(), size));
    List<Affine> sizes = new ArrayList<>();
    for (long start = 0; start < extent.constant(); start += size) {
      sizes.add(Affine.of(Math.min(size, extent.constant() - start)));
    }
    return sizes;
  }

  private static void requireCount(long parts) {
    if (parts > Structure.Sequence.MOST) {
      throw LoweringFault.of(
          "splits into %d parts, more than %d".formatted(parts, Structure.Sequence.MOST));
    }
  }

  private List<Affine> given() {
    List<Affine> sizes = c.sizes(1);
    requireCount(sizes.size());
    List<Affine> dimensions = new ArrayList<>();
    Affine sum = Affine.ZERO;
    for (Affine size : sizes) {
      dimensions.add(Sizes.dimension(size, axis));
      sum = sum.plus(size);
    }
    if (!sum.equals(extent)) {
      String what = "splits axis %d of %s into %s".formatted(axis, c.type(0), sizes);
      throw sum.minus(extent).isConstant()
          ? LoweringFault.of(what)
          : LoweringFault.specialisable(what + "; fix the batch");
    }
    return dimensions;
  }
}
