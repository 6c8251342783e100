package io.miniinference.ops.contrib;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.Value;
import io.miniinference.ops.draft.LoweringFault;
import io.miniinference.ops.nn.QuantOps;
import io.miniinference.ops.node.OpContext;

/// How the quantiser's operators take and give tensors: integers with one scale and one zero point.
final class Quantised {
  private Quantised() {}

  /// The numbers that input `first` stands for, by the scale and the zero point that follow it.
  static Value real(OpContext c, int first) {
    Value scale = scale(c, first + 1);
    integers(c, first);
    return QuantOps.dequantized(
        c,
        c.in(first),
        scale,
        c.optional(first + 2).map(z -> c.single(first + 2)),
        scale.type().element());
  }

  /// `x` in integers, by the scale at input `first` and the zero point that follows it.
  static Value quantised(OpContext c, Value x, int first) {
    Value scale = scale(c, first);
    ElementType target = c.has(first + 1) ? c.element(first + 1) : c.element(0);
    return QuantOps.quantized(
        c, x, scale, c.optional(first + 1).map(z -> c.single(first + 1)), target);
  }

  /// A scale for a whole tensor.
  static Value scale(OpContext c, int i) {
    realType(c, i);
    return c.single(i);
  }

  /// Refuses an input that is none of floats.
  static void realType(OpContext c, int i) {
    if (!c.element(i).isFloat()) {
      throw LoweringFault.of("input %d must be of floats, is %s".formatted(i, c.type(i)));
    }
  }

  /// Refuses an input that is none of integers.
  static void integers(OpContext c, int i) {
    if (!c.element(i).isInteger()) {
      throw LoweringFault.of("input %d must be of integers, is %s".formatted(i, c.type(i)));
    }
  }
}
