package io.miniinference.onnx.tensor;

import io.miniinference.onnx.Quote;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/// A tensor whose size has been checked: type, shape, and row-major data.
///
/// The data are little-endian bytes, read-only, of exactly `type.bytes(elements)`; access them with
/// unaligned layouts, since they may lie anywhere in a file. Packed types (4 and 2 bits) stay
/// packed; [#unpacked] spreads them. Strings have no bytes but a list.
public final class OnnxTensor implements OnnxValue {
  private final String name;
  private final OnnxType type;
  private final long[] dims;
  private final long elements;
  private final MemorySegment data;
  private final List<String> strings;

  private OnnxTensor(
      String name, OnnxType type, long[] dims, MemorySegment data, List<String> strings) {
    this.name = name;
    this.type = type;
    this.dims = dims.clone();
    this.elements = Dims.elements(dims);
    this.data = data.asReadOnly();
    this.strings = List.copyOf(strings);
  }

  /// A tensor of any type but string.
  public static OnnxTensor of(String name, OnnxType type, long[] dims, MemorySegment data) {
    var tensor = new OnnxTensor(name, type, dims, data, List.of());
    if (type == OnnxType.STRING || data.byteSize() != type.bytes(tensor.elements)) {
      throw new IllegalArgumentException(
          "tensor %s: %d bytes do not fill %s%s"
              .formatted(Quote.of(name), data.byteSize(), type, Arrays.toString(dims)));
    }
    return tensor;
  }

  /// A tensor of strings.
  public static OnnxTensor ofStrings(String name, long[] dims, List<String> strings) {
    var tensor =
        new OnnxTensor(name, OnnxType.STRING, dims, MemorySegment.ofArray(new byte[0]), strings);
    if (strings.size() != tensor.elements) {
      throw new IllegalArgumentException(
          "tensor %s: %d strings do not fill %s"
              .formatted(Quote.of(name), strings.size(), Arrays.toString(dims)));
    }
    return tensor;
  }

  @Override
  public String name() {
    return name;
  }

  public OnnxType type() {
    return type;
  }

  public long[] dims() {
    return dims.clone();
  }

  public int rank() {
    return dims.length;
  }

  public long dim(int axis) {
    return dims[axis];
  }

  /// Product of the dimensions; 1 for a scalar.
  public long elements() {
    return elements;
  }

  /// The bytes; empty for strings.
  public MemorySegment data() {
    return data;
  }

  /// The strings; empty for all other types.
  public List<String> strings() {
    return strings;
  }

  /// What this tensor takes: its bytes, or its strings' UTF-8 bytes.
  public long dataBytes() {
    return type == OnnxType.STRING
        ? strings.stream().mapToLong(s -> s.getBytes(StandardCharsets.UTF_8).length).sum()
        : data.byteSize();
  }

  /// One byte an element: the elements of a packed type spread out, INT4 and INT2 sign-extended,
  /// FLOAT4E2M1 by its bits. Other types are returned as they are.
  public MemorySegment unpacked() {
    return type.packed() ? PackedBits.unpack(this) : data;
  }

  /// Same tensor under another name.
  public OnnxTensor named(String other) {
    return new OnnxTensor(other, type, dims, data, strings);
  }

  @Override
  public String toString() {
    return Quote.of(name) + " " + type + Arrays.toString(dims);
  }
}
