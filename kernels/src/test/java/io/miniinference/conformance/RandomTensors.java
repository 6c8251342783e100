package io.miniinference.conformance;

import io.miniinference.interp.Interpreter;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Graph;
import io.miniinference.ir.Tensor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Random;

/// Tensors of random content.
public final class RandomTensors {
  private final Random random;

  public RandomTensors(long seed) {
    random = new Random(seed);
  }

  /// One tensor per input of a graph.
  public List<Tensor> inputs(Graph graph, long n) {
    return graph.inputs().stream().map(v -> of(v.type().element(), v.type().shapeAt(n))).toList();
  }

  /// Standard normal floats, small integers (of either sign where the type has one), booleans.
  public Tensor of(ElementType type, long... shape) {
    Tensor tensor = Interpreter.allocate(type, shape);
    for (long i = 0; i < tensor.elements(); i++) {
      set(tensor.data(), type, i);
    }
    return tensor;
  }

  private void set(MemorySegment data, ElementType type, long i) {
    long whole =
        type.kind() == ElementType.Kind.SIGNED ? random.nextInt(-9, 10) : random.nextInt(9);
    switch (type) {
      case F32 -> data.set(ValueLayout.JAVA_FLOAT_UNALIGNED, i * 4, (float) random.nextGaussian());
      case F64 -> data.set(ValueLayout.JAVA_DOUBLE_UNALIGNED, i * 8, random.nextGaussian());
      case F16 ->
          data.set(
              ValueLayout.JAVA_SHORT_UNALIGNED,
              i * 2,
              Float.floatToFloat16((float) random.nextGaussian()));
      case BF16 ->
          data.set(
              ValueLayout.JAVA_SHORT_UNALIGNED,
              i * 2,
              (short) (Float.floatToRawIntBits((float) random.nextGaussian()) >>> 16));
      case BOOL -> data.set(ValueLayout.JAVA_BYTE, i, (byte) random.nextInt(2));
      case I8, U8 -> data.set(ValueLayout.JAVA_BYTE, i, (byte) whole);
      case I16, U16 -> data.set(ValueLayout.JAVA_SHORT_UNALIGNED, i * 2, (short) whole);
      case I32, U32 -> data.set(ValueLayout.JAVA_INT_UNALIGNED, i * 4, (int) whole);
      case I64, U64 -> data.set(ValueLayout.JAVA_LONG_UNALIGNED, i * 8, whole);
    }
  }
}
