package io.miniinference.onnx.tensor;

import io.miniinference.ir.ElementType;
import io.miniinference.onnx.wire.TensorProto.DataType;
import java.util.Optional;

/// The element types of ONNX tensors (TensorProto.DataType), with their widths.
public enum OnnxType {
  FLOAT(DataType.FLOAT, 32),
  UINT8(DataType.UINT8, 8),
  INT8(DataType.INT8, 8),
  UINT16(DataType.UINT16, 16),
  INT16(DataType.INT16, 16),
  INT32(DataType.INT32, 32),
  INT64(DataType.INT64, 64),
  STRING(DataType.STRING, 0),
  BOOL(DataType.BOOL, 8),
  FLOAT16(DataType.FLOAT16, 16),
  DOUBLE(DataType.DOUBLE, 64),
  UINT32(DataType.UINT32, 32),
  UINT64(DataType.UINT64, 64),
  COMPLEX64(DataType.COMPLEX64, 64),
  COMPLEX128(DataType.COMPLEX128, 128),
  BFLOAT16(DataType.BFLOAT16, 16),
  FLOAT8E4M3FN(DataType.FLOAT8E4M3FN, 8),
  FLOAT8E4M3FNUZ(DataType.FLOAT8E4M3FNUZ, 8),
  FLOAT8E5M2(DataType.FLOAT8E5M2, 8),
  FLOAT8E5M2FNUZ(DataType.FLOAT8E5M2FNUZ, 8),
  UINT4(DataType.UINT4, 4),
  INT4(DataType.INT4, 4),
  FLOAT4E2M1(DataType.FLOAT4E2M1, 4),
  FLOAT8E8M0(DataType.FLOAT8E8M0, 8),
  UINT2(DataType.UINT2, 2),
  INT2(DataType.INT2, 2);

  private static final OnnxType[] BY_NUMBER = byNumber();

  private final int number;
  private final int bits;

  OnnxType(DataType wire, int bits) {
    this.number = wire.getNumber();
    this.bits = bits;
  }

  /// The type with this number in the standard, if there is one.
  public static Optional<OnnxType> of(int number) {
    return number > 0 && number < BY_NUMBER.length
        ? Optional.of(BY_NUMBER[number])
        : Optional.empty();
  }

  /// The number of this type in the standard.
  public int number() {
    return number;
  }

  /// The core IR's type with these elements; none for strings, complex numbers and small floats,
  /// and none for packed types, whose elements are unpacked first.
  public Optional<ElementType> element() {
    return ElementType.ofOnnx(number);
  }

  /// Width of an element in bits; 0 for strings.
  public int bits() {
    return bits;
  }

  /// Whether several elements share a byte, the first in the lowest bits.
  public boolean packed() {
    return bits == 4 || bits == 2;
  }

  /// Bytes that so many elements take: the last byte of a packed type may be partly used.
  ///
  /// @throws ArithmeticException if that is more than a `long` holds
  public long bytes(long elements) {
    long perByte = packed() ? 8 / bits : 1;
    return packed()
        ? elements / perByte + (elements % perByte == 0 ? 0 : 1)
        : Math.multiplyExact(elements, bits / 8);
  }

  private static OnnxType[] byNumber() {
    var types = new OnnxType[values().length + 1];
    for (OnnxType type : values()) {
      types[type.number] = type;
    }
    return types;
  }
}
