package io.miniinference.interp.memory;

import io.miniinference.ir.BrainFloat;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Tensor;
import io.miniinference.layout.Affine;
import io.miniinference.layout.IndexFunction;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;

/// Elements in memory at one batch size: a memory block seen through an index function.
///
/// An *offset* is a number of elements from the start of the block; [#offset] gives it for a
/// logical index. Integers and booleans are read as longs in the type's range (`U64` as its 64
/// bits), floats as doubles.
public final class TensorView {
  private static final ValueLayout.OfShort SHORT =
      ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfInt INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfLong LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfFloat FLOAT =
      ValueLayout.JAVA_FLOAT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfDouble DOUBLE =
      ValueLayout.JAVA_DOUBLE_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private final MemorySegment memory;
  private final long blockBytes;
  private final ElementType element;
  private final Strides strides;

  private TensorView(MemorySegment memory, long blockBytes, ElementType element, Strides strides) {
    this.memory = memory;
    this.blockBytes = blockBytes;
    this.element = element;
    this.strides = strides;
  }

  /// A view of the block that starts `blockBytes` into `memory`, at batch size `n`.
  public static TensorView of(
      MemorySegment memory, long blockBytes, ElementType element, IndexFunction index, long n) {
    return new TensorView(memory, blockBytes, element, Strides.of(index, n));
  }

  public static TensorView of(Tensor tensor) {
    List<Affine> shape = Arrays.stream(tensor.shape()).mapToObj(Affine::of).toList();
    return of(tensor.data(), 0, tensor.element(), IndexFunction.rowMajor(shape), 0);
  }

  public ElementType element() {
    return element;
  }

  public int rank() {
    return strides.extents().length;
  }

  public long dim(int axis) {
    return strides.extents()[axis];
  }

  public long[] shape() {
    return strides.extents().clone();
  }

  public long elements() {
    return Tensor.elements(strides.extents());
  }

  /// Offset of a logical index, which is not checked.
  public long offset(long... index) {
    return strides.offset(index);
  }

  /// Offset of the element at a position in logical row-major order.
  public long offsetAt(long position) {
    return strides.offset(Strides.indexAt(position, strides.extents()));
  }

  /// Whether logical row-major order is memory order without gaps.
  public boolean isDense() {
    return strides.isDense();
  }

  /// Whether both views are of the same elements in the same place.
  public boolean isSameMemory(TensorView other) {
    return element == other.element
        && memory.heapBase().equals(other.memory.heapBase())
        && memory.address() + blockBytes == other.memory.address() + other.blockBytes
        && strides.isSame(other.strides);
  }

  public Strides strides() {
    return strides;
  }

  /// The same memory under other strides.
  public TensorView with(Strides other) {
    return new TensorView(memory, blockBytes, element, other);
  }

  /// The memory that the block is in.
  public MemorySegment memory() {
    return memory;
  }

  /// Whether the memory is outside the Java heap.
  public boolean isNative() {
    return memory.isNative();
  }

  /// Where in [#memory] an offset is, in bytes.
  public long byteAt(long offset) {
    return bytes(offset);
  }

  private long bytes(long offset) {
    return blockBytes + offset * element.bytes();
  }

  public float floatAt(long offset) {
    return memory.get(FLOAT, blockBytes + (offset << 2));
  }

  public void floatAt(long offset, float value) {
    memory.set(FLOAT, blockBytes + (offset << 2), value);
  }

  /// The element at an offset as a double; integers are converted.
  public double realAt(long offset) {
    return switch (element) {
      case F32 -> floatAt(offset);
      case F64 -> memory.get(DOUBLE, bytes(offset));
      case F16 -> Float.float16ToFloat(memory.get(SHORT, bytes(offset)));
      case BF16 -> BrainFloat.toFloat(memory.get(SHORT, bytes(offset)));
      default -> Numbers.toReal(element, wholeAt(offset));
    };
  }

  /// The element at an offset as a long; floats are converted as [io.miniinference.ir.Expr.Cast]
  /// does.
  public long wholeAt(long offset) {
    long at = bytes(offset);
    return switch (element) {
      case I8 -> memory.get(ValueLayout.JAVA_BYTE, at);
      case U8 -> memory.get(ValueLayout.JAVA_BYTE, at) & 0xFFL;
      case BOOL -> memory.get(ValueLayout.JAVA_BYTE, at) == 0 ? 0 : 1;
      case I16 -> memory.get(SHORT, at);
      case U16 -> memory.get(SHORT, at) & 0xFFFFL;
      case I32 -> memory.get(INT, at);
      case U32 -> memory.get(INT, at) & 0xFFFF_FFFFL;
      case I64, U64 -> memory.get(LONG, at);
      case F32, F64, F16, BF16 -> Numbers.toWhole(ElementType.I64, realAt(offset));
    };
  }

  /// Stores a value, rounded to the element type.
  public void realAt(long offset, double value) {
    switch (element) {
      case F32 -> floatAt(offset, (float) value);
      case F64 -> memory.set(DOUBLE, bytes(offset), value);
      case F16 -> memory.set(SHORT, bytes(offset), Float.floatToFloat16((float) value));
      case BF16 -> memory.set(SHORT, bytes(offset), BrainFloat.of((float) value));
      default -> wholeAt(offset, Numbers.toWhole(element, value));
    }
  }

  /// Stores the low bytes of a value; a float type gets it converted.
  public void wholeAt(long offset, long value) {
    long at = bytes(offset);
    switch (element) {
      case I8, U8 -> memory.set(ValueLayout.JAVA_BYTE, at, (byte) value);
      case BOOL -> memory.set(ValueLayout.JAVA_BYTE, at, (byte) (value == 0 ? 0 : 1));
      case I16, U16 -> memory.set(SHORT, at, (short) value);
      case I32, U32 -> memory.set(INT, at, (int) value);
      case I64, U64 -> memory.set(LONG, at, value);
      case F32, F64, F16, BF16 -> realAt(offset, (double) value);
    }
  }

  /// Copies one element of equal size between views.
  public void copyElement(long offset, TensorView source, long sourceOffset) {
    long to = bytes(offset);
    long from = source.bytes(sourceOffset);
    switch (element.bytes()) {
      case 1 ->
          memory.set(ValueLayout.JAVA_BYTE, to, source.memory.get(ValueLayout.JAVA_BYTE, from));
      case 2 -> memory.set(SHORT, to, source.memory.get(SHORT, from));
      case 4 -> memory.set(INT, to, source.memory.get(INT, from));
      default -> memory.set(LONG, to, source.memory.get(LONG, from));
    }
  }

  /// Copies `count` neighbours in memory, which do not overlap.
  public void copyElements(long offset, TensorView source, long sourceOffset, long count) {
    MemorySegment.copy(
        source.memory, source.bytes(sourceOffset), memory, bytes(offset), count * element.bytes());
  }

  /// Stores zeros in `count` neighbours.
  public void clear(long offset, long count) {
    memory.asSlice(bytes(offset), count * element.bytes()).fill((byte) 0);
  }

  /// Reads `count` floats that lie `stride` elements apart.
  public void floats(long offset, long stride, float[] target, int at, int count) {
    if (stride == 1) {
      MemorySegment.copy(memory, FLOAT, bytes(offset), target, at, count);
    } else if (stride == 0) {
      Arrays.fill(target, at, at + count, floatAt(offset));
    } else {
      for (int i = 0; i < count; i++) {
        target[at + i] = floatAt(offset + i * stride);
      }
    }
  }

  /// Copies `count` floats that lie `stride` elements apart to other memory, `targetStride` apart
  /// from element `at` on.
  public void copyFloats(
      long offset, long stride, MemorySegment target, long at, long targetStride, int count) {
    if (stride == 1 && targetStride == 1) {
      MemorySegment.copy(memory, bytes(offset), target, at << 2, (long) count << 2);
      return;
    }
    for (int i = 0; i < count; i++) {
      target.set(FLOAT, at + i * targetStride << 2, floatAt(offset + i * stride));
    }
  }

  /// Writes `count` floats `stride` elements apart.
  public void putFloats(long offset, long stride, float[] source, int at, int count) {
    if (stride == 1) {
      MemorySegment.copy(source, at, memory, FLOAT, bytes(offset), count);
    } else {
      for (int i = 0; i < count; i++) {
        floatAt(offset + i * stride, source[at + i]);
      }
    }
  }

  /// Reads `count` integers that lie `stride` elements apart.
  public void wholes(long offset, long stride, long[] target, int count) {
    if (stride == 0) {
      Arrays.fill(target, 0, count, wholeAt(offset));
    } else if (stride == 1 && element.bytes() == Long.BYTES) {
      MemorySegment.copy(memory, LONG, bytes(offset), target, 0, count);
    } else {
      for (int i = 0; i < count; i++) {
        target[i] = wholeAt(offset + i * stride);
      }
    }
  }

  /// Writes `count` integers `stride` elements apart.
  public void putWholes(long offset, long stride, long[] source, int count) {
    if (stride == 1 && element.bytes() == Long.BYTES) {
      MemorySegment.copy(source, 0, memory, LONG, bytes(offset), count);
    } else {
      for (int i = 0; i < count; i++) {
        wholeAt(offset + i * stride, source[i]);
      }
    }
  }

  @Override
  public String toString() {
    return element + Arrays.toString(strides.extents());
  }
}
