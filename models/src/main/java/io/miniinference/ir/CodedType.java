package io.miniinference.ir;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/// A type of ONNX whose elements core IR has as codes: numbers of a plain type that stand for them.
///
/// The import knows which values hold codes (`Facts.coded`) and refuses nodes that would compute on
/// these numbers; in the graph that it gives they are numbers like any other. Signatures keep of
/// inputs and outputs what they were declared as ([io.miniinference.signature.TensorSpec#coded]).
public enum CodedType {
  /// Strings of bytes, each by its number in the [io.miniinference.strings.StringTable] of its
  /// request.
  STRING(8, ElementType.I32, "BYTES", true),

  /// Floats of 8 bits, by their bits ([ONNX float 8](https://onnx.ai/onnx/technical/float8.html)).
  FLOAT8E4M3FN(17, ElementType.U8, "", false),
  FLOAT8E4M3FNUZ(18, ElementType.U8, "", false),
  FLOAT8E5M2(19, ElementType.U8, "", false),
  FLOAT8E5M2FNUZ(20, ElementType.U8, "", false),

  /// Integers of 4 bits, one to a byte.
  UINT4(21, ElementType.U8, "", true),
  INT4(22, ElementType.I8, "", true),

  /// Floats of 4 bits, by their bits, one to a byte.
  FLOAT4E2M1(23, ElementType.U8, "", false),

  /// Powers of two, by their exponents.
  FLOAT8E8M0(24, ElementType.U8, "", false),

  /// Integers of 2 bits, one to a byte.
  UINT2(25, ElementType.U8, "", true),
  INT2(26, ElementType.I8, "", true);

  private final int onnx;
  private final ElementType element;
  private final String v2Name;
  private final boolean oneCodeEach;

  CodedType(int onnx, ElementType element, String v2Name, boolean oneCodeEach) {
    this.onnx = onnx;
    this.element = element;
    this.v2Name = v2Name;
    this.oneCodeEach = oneCodeEach;
  }

  /// The number of `TensorProto.DataType`.
  public int onnx() {
    return onnx;
  }

  /// The type of the codes.
  public ElementType element() {
    return element;
  }

  /// Whether the Open Inference Protocol V2 has a name for it.
  public boolean hasV2Name() {
    return !v2Name.isEmpty();
  }

  /// The datatype's name in the Open Inference Protocol V2, or "".
  public String v2Name() {
    return v2Name;
  }

  /// Whether equal elements have equal codes and others have not, so that codes may be compared.
  public boolean hasOneCodeEach() {
    return oneCodeEach;
  }

  /// `string`, …: the name in messages.
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }

  /// The coded type of this number in the standard, if it is one.
  public static Optional<CodedType> ofOnnx(int dataType) {
    return Arrays.stream(values()).filter(t -> t.onnx == dataType).findFirst();
  }
}
