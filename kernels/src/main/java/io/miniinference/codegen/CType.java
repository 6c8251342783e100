package io.miniinference.codegen;

import io.miniinference.ir.ElementType;

/// How OpenCL C stores and computes an element type.
///
/// Half types are stored as such and computed as `float`; booleans are stored as `uchar` and
/// computed as `int`.
public enum CType {
  F32("float", "float"),
  F64("double", "double"),
  F16("half", "float"),
  BF16("ushort", "float"),
  I8("char", "char"),
  I16("short", "short"),
  I32("int", "int"),
  I64("long", "long"),
  U8("uchar", "uchar"),
  U16("ushort", "ushort"),
  U32("uint", "uint"),
  U64("ulong", "ulong"),
  BOOL("uchar", "int");

  private final String stored;
  private final String computed;

  CType(String stored, String computed) {
    this.stored = stored;
    this.computed = computed;
  }

  public static CType of(ElementType type) {
    return valueOf(type.name());
  }

  /// The type behind a pointer.
  public String stored() {
    return stored;
  }

  /// The type of a variable.
  public String computed() {
    return computed;
  }

  /// Text that reads element `index` behind `pointer`.
  public String read(String pointer, String index) {
    return switch (this) {
      case F16 -> "@loadHalf(" + index + ", " + pointer + ")";
      case BF16 -> "bf16_to_float(" + pointer + "[" + index + "])";
      default -> pointer + "[" + index + "]";
    };
  }

  /// Whether it is computed in 32-bit floats, so that four of them are a `float4`.
  public boolean isFloat() {
    return this == F32 || this == F16 || this == BF16;
  }

  /// Text that reads four elements from `index` on behind `pointer` as a `float4`; they start at a
  /// multiple of four elements.
  public String readFour(String pointer, String index) {
    return switch (this) {
      case F16 -> "half4_at(" + pointer + " + " + index + ")";
      case BF16 -> "bf16x4_at(" + pointer + " + " + index + ")";
      default -> "*(@global const float4*)(" + pointer + " + " + index + ")";
    };
  }

  /// Statement that stores a `float4` as four elements from `index` on behind `pointer`.
  public String writeFour(String pointer, String index, String value) {
    return switch (this) {
      case F16 -> "store_half4(" + value + ", " + pointer + " + " + index + ");";
      case BF16 -> "store_bf16x4(" + value + ", " + pointer + " + " + index + ");";
      default -> "*(@global float4*)(" + pointer + " + " + index + ") = " + value + ";";
    };
  }

  /// Statement that stores `value` (of the computed type) as element `index` behind `pointer`.
  public String write(String pointer, String index, String value) {
    return switch (this) {
      case F16 -> "@storeHalf(" + value + ", " + index + ", " + pointer + ");";
      case BF16 -> pointer + "[" + index + "] = float_to_bf16(" + value + ");";
      case BOOL -> pointer + "[" + index + "] = (uchar)((" + value + ") != 0);";
      default -> pointer + "[" + index + "] = " + value + ";";
    };
  }
}
