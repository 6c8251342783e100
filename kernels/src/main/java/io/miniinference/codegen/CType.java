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
