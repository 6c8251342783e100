package io.miniinference.ir;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/// The type of a tensor's elements.
///
/// Booleans take one byte (0 or 1). `F16` and `BF16` are stored as such and computed in 32 bits.
public enum ElementType {
  F32(1, 4, Kind.FLOAT, "FP32"),
  F64(11, 8, Kind.FLOAT, "FP64"),
  F16(10, 2, Kind.FLOAT, "FP16"),
  BF16(16, 2, Kind.FLOAT, "BF16"),
  I8(3, 1, Kind.SIGNED, "INT8"),
  I16(5, 2, Kind.SIGNED, "INT16"),
  I32(6, 4, Kind.SIGNED, "INT32"),
  I64(7, 8, Kind.SIGNED, "INT64"),
  U8(2, 1, Kind.UNSIGNED, "UINT8"),
  U16(4, 2, Kind.UNSIGNED, "UINT16"),
  U32(12, 4, Kind.UNSIGNED, "UINT32"),
  U64(13, 8, Kind.UNSIGNED, "UINT64"),
  BOOL(9, 1, Kind.BOOL, "BOOL");

  /// The arithmetic that a type follows.
  public enum Kind {
    FLOAT,
    SIGNED,
    UNSIGNED,
    BOOL
  }

  private final int onnx;
  private final int bytes;
  private final Kind kind;
  private final String v2Name;

  ElementType(int onnx, int bytes, Kind kind, String v2Name) {
    this.onnx = onnx;
    this.bytes = bytes;
    this.kind = kind;
    this.v2Name = v2Name;
  }

  /// The number of `TensorProto.DataType`.
  public int onnx() {
    return onnx;
  }

  /// Bytes of one element.
  public int bytes() {
    return bytes;
  }

  public Kind kind() {
    return kind;
  }

  public boolean isFloat() {
    return kind == Kind.FLOAT;
  }

  public boolean isInteger() {
    return kind == Kind.SIGNED || kind == Kind.UNSIGNED;
  }

  /// The datatype's name in the Open Inference Protocol V2.
  public String v2Name() {
    return v2Name;
  }

  /// `f32`, `i64`, `bool`, …: the name in printed IR.
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }

  public static Optional<ElementType> ofOnnx(int dataType) {
    return Arrays.stream(values()).filter(t -> t.onnx == dataType).findFirst();
  }

  public static Optional<ElementType> ofV2Name(String name) {
    return Arrays.stream(values()).filter(t -> t.v2Name.equals(name)).findFirst();
  }

  public static Optional<ElementType> parse(String text) {
    return Arrays.stream(values()).filter(t -> t.toString().equals(text)).findFirst();
  }
}
