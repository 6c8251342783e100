package io.miniinference.onnx.tensor;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// Elements of 4 and 2 bits: the first lies in the lowest bits of a byte.
final class PackedBits {
  private PackedBits() {}

  static MemorySegment unpack(OnnxTensor tensor) {
    int bits = tensor.type().bits();
    int perByte = 8 / bits;
    int signed = signed(tensor.type()) ? 8 - bits : 0;
    int mask = (1 << bits) - 1;
    var out = new byte[Math.toIntExact(tensor.elements())];
    for (int i = 0; i < out.length; i++) {
      int packed = tensor.data().get(ValueLayout.JAVA_BYTE, i / perByte);
      int value = (packed >> (i % perByte * bits)) & mask;
      out[i] = (byte) ((byte) (value << signed) >> signed);
    }
    return MemorySegment.ofArray(out).asReadOnly();
  }

  private static boolean signed(OnnxType type) {
    return type == OnnxType.INT4 || type == OnnxType.INT2;
  }
}
