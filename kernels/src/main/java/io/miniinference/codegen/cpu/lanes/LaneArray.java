package io.miniinference.codegen.cpu.lanes;

import io.miniinference.codegen.CType;
import io.miniinference.codegen.IndexText;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Value;
import io.miniinference.layout.IndexFunction;

/// How sixteen neighbours of an array become lanes and are stored again: integers of at most 16
/// bits as floats, which hold them, those of 32 bits as they are, and truth values as −1 or 0.
///
/// @param type of the array's elements, which [#suits]
public record LaneArray(ElementType type) {

  /// Whether lanes hold elements of a type.
  public static boolean suits(ElementType type) {
    return type == ElementType.F32
        || type == ElementType.I32
        || type == ElementType.BOOL
        || isSmall(type);
  }

  /// Whether lanes hold a type's integers as floats.
  static boolean isSmall(ElementType type) {
    return type.isInteger() && type.bytes() <= Short.BYTES;
  }

  /// Those of a value.
  public static LaneArray of(Value value) {
    return new LaneArray(value.type().element());
  }

  /// The type behind a pointer.
  public String stored() {
    return CType.of(type).stored();
  }

  /// The type of the lanes.
  public String variable() {
    return type == ElementType.F32 || isSmall(type) ? "float16" : "int16";
  }

  /// Lanes that all hold one element.
  public String repeated(String element) {
    return switch (variable()) {
      case "float16" -> "@splat(16, " + element + ")";
      default -> type == ElementType.BOOL ? "@mask(-" + element + ")" : "@mask(" + element + ")";
    };
  }

  /// The lanes at a pointer.
  public String load(String pointer) {
    return lanes(
        isOfWords()
            ? "@load(16, 0, " + pointer + ")"
            : "@loadSmall(" + stored() + ", " + pointer + ")");
  }

  /// Lanes that all hold the element of an array of one.
  ///
  /// @param index how the array lies
  public String single(String pointer, IndexFunction index) {
    return repeated(pointer + "[" + IndexText.affine(index.offset()) + "]");
  }

  /// The lanes at an element of an array whose elements are neighbours.
  ///
  /// @param index how the array lies
  /// @param at text of the element
  public String at(String pointer, IndexFunction index, String at) {
    String start = index.offset().isZero() ? "" : " + " + IndexText.affine(index.offset());
    return load(pointer + start + " + " + at);
  }

  private boolean isOfWords() {
    return type.bytes() == Float.BYTES;
  }

  /// The first `count` of the lanes at a pointer, and zeros.
  public String load(String count, String pointer) {
    return lanes("load_" + stored() + "16(" + count + ", " + pointer + ")");
  }

  /// The first `count` of the lanes that lie from a pointer on, a stride apart, and zeros.
  String gather(String count, String pointer, long stride) {
    return gather(count, pointer, stride + "L");
  }

  /// The same.
  ///
  /// @param stride text of the stride
  public String gather(String count, String pointer, String stride) {
    return lanes("gather_%s16(%s, %s, %s)".formatted(stored(), count, pointer, stride));
  }

  private String lanes(String vector) {
    return switch (type) {
      case F32, I32 -> vector;
      case BOOL -> "(-@convert(int16, " + vector + "))";
      default -> "@convert(float16, " + vector + ")";
    };
  }

  /// A statement that stores lanes at a pointer and an offset from it.
  public String store(String lanes, String pointer) {
    return isOfWords()
        ? "@store(16, " + vector(lanes) + ", 0, " + pointer + ");"
        : "@storeSmall(" + stored() + ", " + vector(lanes) + ", " + pointer + ");";
  }

  /// A statement that stores the first `count` lanes at a pointer.
  public String store(String count, String lanes, String pointer) {
    return "store_" + stored() + "16(" + count + ", " + vector(lanes) + ", " + pointer + ");";
  }

  /// A statement that stores the first `count` lanes from a pointer on, a stride apart.
  String spread(String count, String lanes, String pointer, long stride) {
    return "spread_%s16(%s, %s, %s, %dL);"
        .formatted(stored(), count, vector(lanes), pointer, stride);
  }

  private String vector(String lanes) {
    return switch (type) {
      case F32, I32 -> lanes;
      case BOOL -> "@convert(uchar16, -(" + lanes + "))";
      default -> "@convert(" + stored() + "16, " + lanes + ")";
    };
  }
}
