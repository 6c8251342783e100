package io.miniinference.pass.narrow;

import io.miniinference.ir.BrainFloat;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Tensor;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/// Weights of 32 bits as floats of 16, each the nearest; what is too large for those becomes the
/// largest, and not infinite.
final class NarrowTensor {
  private static final ValueLayout.OfShort SHORT =
      ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfFloat FLOAT =
      ValueLayout.JAVA_FLOAT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final float LARGEST_F16 = 65504;

  /// The largest `bf16`: all but the last bit of its exponent, and all bits after the point.
  private static final float LARGEST_BF16 = BrainFloat.toFloat((short) 0x7f7f);

  private NarrowTensor() {}

  /// @param narrow `F16` or `BF16`
  static Tensor of(Tensor tensor, ElementType narrow) {
    long count = tensor.elements();
    MemorySegment data = Arena.ofAuto().allocate(Math.max(1, count * Short.BYTES), Long.BYTES);
    boolean half = narrow == ElementType.F16;
    float largest = largest(narrow);
    for (long i = 0; i < count; i++) {
      float value = bounded(tensor.data().get(FLOAT, i * Float.BYTES), largest);
      data.set(SHORT, i * Short.BYTES, half ? Float.floatToFloat16(value) : BrainFloat.of(value));
    }
    return new Tensor(narrow, tensor.shape().clone(), data.asSlice(0, count * Short.BYTES));
  }

  /// The largest number of `F16` or `BF16`.
  static float largest(ElementType narrow) {
    return narrow == ElementType.F16 ? LARGEST_F16 : LARGEST_BF16;
  }

  private static float bounded(float value, float largest) {
    return Float.isInfinite(value) || Float.isNaN(value)
        ? value
        : Math.clamp(value, -largest, largest);
  }
}
