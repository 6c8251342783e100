package io.miniinference.ir;

import io.miniinference.strings.Dictionary;
import io.miniinference.strings.StringTable;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// A tensor's content: dense row-major elements, little-endian.
///
/// The factories look at the caller's array or buffer and do not copy it: leave it as it is while a
/// request uses it. What they are given must be of exactly the shape's size: they throw an
/// [IllegalArgumentException] if it has more or fewer elements, or the shape is of none that there
/// can be.
///
/// @param element the element type
/// @param shape dimensions, none negative
/// @param data exactly `elements · element.bytes()` bytes; not to be changed once shared
/// @param table what the elements of a tensor of strings stand for, which are codes of type I32;
///   null for one of numbers
public record Tensor(
    ElementType element, long[] shape, MemorySegment data, @Nullable StringTable table) {
  private static final ValueLayout.OfInt CODE =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  public Tensor {
    long bytes = bytes(element, shape);
    if (data.byteSize() != bytes) {
      throw new IllegalArgumentException(
          "%s%s has %,d elements, %,d bytes; given are %s"
              .formatted(
                  element, text(shape), elements(shape), bytes, given(element, shape, data)));
    }
    if (table != null && element != CodedType.STRING.element()) {
      throw new IllegalArgumentException("codes of strings are no " + element);
    }
  }

  private static long bytes(ElementType element, long[] shape) {
    try {
      return Math.multiplyExact(elements(shape), (long) element.bytes());
    } catch (ArithmeticException e) {
      throw new IllegalArgumentException(
          "%s%s has more bytes than 63 bits can count".formatted(element, text(shape)), e);
    }
  }

  private static String given(ElementType element, long[] shape, MemorySegment data) {
    long bytes = data.byteSize();
    String elements =
        bytes % element.bytes() == 0 ? "%,d elements, ".formatted(bytes / element.bytes()) : "";
    String remedy = shape.length == 0 ? ": name their shape, since without one it is a scalar" : "";
    return "%s%,d bytes%s".formatted(elements, bytes, remedy);
  }

  private static String text(long[] shape) {
    return Arrays.toString(shape).replace(" ", "");
  }

  /// One of numbers.
  public Tensor(ElementType element, long[] shape, MemorySegment data) {
    this(element, shape, data, null);
  }

  /// Strings along one axis.
  ///
  /// @throws IllegalArgumentException if one is null, with its place
  public static Tensor of(String... values) {
    return of(values, values.length);
  }

  /// Strings, which are copied. A scalar is `of(new String[] {text}, new long[0])`.
  ///
  /// @throws IllegalArgumentException if one is null, with its place
  public static Tensor of(String[] values, long... shape) {
    byte[][] bytes = new byte[values.length][];
    Arrays.setAll(bytes, i -> element(values, i).getBytes(StandardCharsets.UTF_8));
    return of(bytes, shape);
  }

  /// Strings of bytes, which need not be UTF-8; they are copied.
  ///
  /// @throws IllegalArgumentException if one is null, with its place
  public static Tensor of(byte[][] values, long... shape) {
    StringTable table = new StringTable(Dictionary.EMPTY);
    int[] codes = new int[values.length];
    Arrays.setAll(codes, i -> table.code(element(values, i)));
    return ofCodes(codes, shape, table);
  }

  /* Arrays of callers may hold null whatever is declared. */
  private static <T> T element(@Nullable T[] values, int i) {
    T value = values[i];
    if (value == null) {
      throw new IllegalArgumentException("element " + i + " is null");
    }
    return value;
  }

  private static Tensor ofCodes(int[] codes, long[] shape, StringTable table) {
    MemorySegment data = MemorySegment.ofArray(codes);
    return new Tensor(CodedType.STRING.element(), shape, data, table);
  }

  /// 32-bit floats; of no shape, a scalar.
  public static Tensor of(float[] values, long... shape) {
    return new Tensor(ElementType.F32, shape, MemorySegment.ofArray(values));
  }

  /// 64-bit floats.
  public static Tensor of(double[] values, long... shape) {
    return new Tensor(ElementType.F64, shape, MemorySegment.ofArray(values));
  }

  /// Signed 64-bit integers.
  public static Tensor of(long[] values, long... shape) {
    return new Tensor(ElementType.I64, shape, MemorySegment.ofArray(values));
  }

  /// Signed 32-bit integers.
  public static Tensor of(int[] values, long... shape) {
    return new Tensor(ElementType.I32, shape, MemorySegment.ofArray(values));
  }

  /// Booleans, which are copied.
  public static Tensor of(boolean[] values, long... shape) {
    byte[] bytes = new byte[values.length];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) (values[i] ? 1 : 0);
    }
    return new Tensor(ElementType.BOOL, shape, MemorySegment.ofArray(bytes));
  }

  /// The remaining 32-bit floats of a buffer.
  public static Tensor of(FloatBuffer values, long... shape) {
    return of(ElementType.F32, values, values.order(), shape);
  }

  /// The remaining 64-bit floats of a buffer.
  public static Tensor of(DoubleBuffer values, long... shape) {
    return of(ElementType.F64, values, values.order(), shape);
  }

  /// The remaining signed 64-bit integers of a buffer.
  public static Tensor of(LongBuffer values, long... shape) {
    return of(ElementType.I64, values, values.order(), shape);
  }

  /// The remaining signed 32-bit integers of a buffer.
  public static Tensor of(IntBuffer values, long... shape) {
    return of(ElementType.I32, values, values.order(), shape);
  }

  /// The remaining bytes of a buffer, which are little-endian elements of any type. The buffer's
  /// own order, which is big-endian unless it was set, says nothing of them: set it before numbers
  /// are put into the buffer.
  public static Tensor of(ElementType element, ByteBuffer bytes, long... shape) {
    return ofRemaining(element, bytes, shape);
  }

  /// Little-endian elements of any type, in any memory.
  public static Tensor of(ElementType element, MemorySegment data, long... shape) {
    return new Tensor(element, shape, data);
  }

  private static Tensor of(ElementType element, Buffer values, ByteOrder order, long[] shape) {
    if (order != ByteOrder.LITTLE_ENDIAN) {
      throw new IllegalArgumentException(
          "the buffer's order is " + order + ": make it with ByteOrder.LITTLE_ENDIAN");
    }
    return ofRemaining(element, values, shape);
  }

  /* Where nothing remains of a buffer, it was filled and not flipped. */
  private static Tensor ofRemaining(ElementType element, Buffer values, long[] shape) {
    if (!values.hasRemaining() && values.position() > 0 && bytes(element, shape) > 0) {
      throw new IllegalArgumentException(
          "the buffer stands at its end, and what remains of it is taken: flip() it once it is filled");
    }
    return new Tensor(element, shape, MemorySegment.ofBuffer(values));
  }

  /// A copy in memory of its own, aligned for elements of 8 bytes.
  public Tensor copy() {
    long bytes = data.byteSize();
    MemorySegment own =
        bytes <= Integer.MAX_VALUE
            ? MemorySegment.ofArray(new long[(int) ((bytes + 7) / 8)]).asSlice(0, bytes)
            : Arena.ofAuto().allocate(bytes, 8);
    return new Tensor(element, shape.clone(), own.copyFrom(data), table);
  }

  /// The elements of a tensor of 32-bit, 16-bit or brain floats.
  ///
  /// @throws IllegalStateException if its elements are of another type
  public float[] floats() {
    return Elements.floats(this);
  }

  /// The elements of a tensor of floats.
  ///
  /// @throws IllegalStateException if its elements are of another type
  public double[] doubles() {
    return Elements.doubles(this);
  }

  /// The elements of a tensor of integers, but unsigned ones of 64 bits.
  ///
  /// @throws IllegalStateException if its elements are of another type
  public long[] longs() {
    return Elements.longs(this);
  }

  /// The elements of a tensor of integers of at most 32 bits, but unsigned ones of 32.
  ///
  /// @throws IllegalStateException if its elements are of another type
  public int[] ints() {
    return Elements.ints(this);
  }

  /// The elements of a tensor of booleans.
  ///
  /// @throws IllegalStateException if its elements are of another type
  public boolean[] booleans() {
    return Elements.booleans(this);
  }

  /// Whether its elements are strings.
  public boolean isOfStrings() {
    return table != null;
  }

  /// The elements of a tensor of strings, as text; what is no UTF-8 in them reads as U+FFFD.
  ///
  /// @throws IllegalStateException if its elements are numbers
  public String[] strings() {
    StringTable own = requireTable();
    String[] strings = new String[Math.toIntExact(elements())];
    Arrays.setAll(strings, i -> own.text(code(i)));
    return strings;
  }

  /// The elements of a tensor of strings, as they are.
  ///
  /// @throws IllegalStateException if its elements are numbers
  public byte[][] byteStrings() {
    StringTable own = requireTable();
    byte[][] strings = new byte[Math.toIntExact(elements())][];
    Arrays.setAll(strings, i -> own.bytes(code(i)));
    return strings;
  }

  private StringTable requireTable() {
    if (table == null) {
      throw new IllegalStateException("the elements of " + this + " are no strings");
    }
    return table;
  }

  private int code(long i) {
    return data.get(CODE, i * CODE.byteSize());
  }

  /// The same strings by the codes that they have in another table; a tensor of numbers as it is.
  public Tensor codedIn(StringTable other) {
    if (table == null || table == other) {
      return this;
    }
    int[] codes = new int[Math.toIntExact(elements())];
    Arrays.setAll(codes, i -> other.code(table.bytes(code(i))));
    return ofCodes(codes, shape, other);
  }

  public long elements() {
    return elements(shape);
  }

  /// The product of the dimensions.
  ///
  /// @throws IllegalArgumentException if one is negative
  /// @throws ArithmeticException if it overflows
  public static long elements(long[] shape) {
    long product = 1;
    for (long dim : shape) {
      if (dim < 0) {
        throw new IllegalArgumentException("negative dimension in " + Arrays.toString(shape));
      }
      product = Math.multiplyExact(product, dim);
    }
    return product;
  }

  public TensorType type() {
    return TensorType.of(element, shape);
  }

  @Override
  public String toString() {
    TensorType type = type();
    return table == null ? type.toString() : type.toString().replace(element.toString(), "string");
  }
}
