package io.miniinference.ops.nn;

import io.miniinference.ir.Value;
import io.miniinference.layout.Affine;
import io.miniinference.ops.draft.Emitter;
import io.miniinference.ops.draft.LoweringFault;
import io.miniinference.ops.draft.Sizes;
import java.util.List;

/// The heads of attention: tensors `[batch, heads, length, size]`.
public final class Heads {
  private static final List<Integer> SWAPPED = List.of(0, 2, 1, 3);

  private Heads() {}

  /// `[batch, length, heads · size]` by heads.
  public static Value split(Emitter c, Value x, long count) {
    List<Affine> shape = x.type().shape();
    Affine size =
        Sizes.quotient(shape.get(2), Affine.of(count))
            .orElseThrow(
                () -> LoweringFault.of("splits %s into %d heads".formatted(x.type(), count)));
    Value parted = c.reshape(x, List.of(shape.get(0), shape.get(1), Affine.of(count), size));
    return c.transpose(parted, SWAPPED);
  }

  /// `[batch, length, heads · size]` of what lies by heads.
  public static Value merged(Emitter c, Value x) {
    Value rowsFirst = c.transpose(x, SWAPPED);
    List<Affine> shape = rowsFirst.type().shape();
    return c.reshape(
        rowsFirst, List.of(shape.get(0), shape.get(1), shape.get(2).times(shape.get(3))));
  }

  /// `a·b` (or `a·bᵀ`), where several heads of `a` share one of `b`: their rows are stacked.
  public static Value product(Emitter c, Value a, Value b, boolean transposed) {
    List<Affine> shape = a.type().shape();
    Affine shared = b.type().dim(1);
    Affine group =
        Sizes.quotient(shape.get(1), shared)
            .orElseThrow(() ->
                LoweringFault.of(
                    "has %s heads of queries and %s of keys, of which the first must be a multiple"
                        .formatted(shape.get(1), shared)));
    Affine stacked = group.times(shape.get(2));
    Value tall = c.reshape(a, List.of(shape.get(0), shared, stacked, shape.get(3)));
    Value product = c.matMul(tall, b, false, transposed);
    return c.reshape(
        product, List.of(shape.get(0), shape.get(1), shape.get(2), product.type().dim(3)));
  }
}
