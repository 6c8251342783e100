package io.miniinference.service.elements;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.miniinference.ir.BrainFloat;
import io.miniinference.ir.ElementType;
import io.miniinference.runtime.InvalidRequestException;
import io.miniinference.service.json.JsonCursor;
import io.miniinference.service.json.JsonNumber;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/// Stores JSON values as elements of one type, and refuses those that the type cannot hold.
final class ElementReader implements ValueReader {
  private static final ValueLayout.OfShort SHORT =
      ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfInt INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfLong LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private final String input;
  private final ElementType type;
  private final MemorySegment memory;

  ElementReader(String input, ElementType type, MemorySegment memory) {
    this.input = input;
    this.type = type;
    this.memory = memory;
  }

  @Override
  public void store(JsonCursor json, long position) {
    if (type.kind() == ElementType.Kind.FLOAT && !json.isNumber()) {
      storeNotFinite(json, position);
      return;
    }
    switch (type) {
      case F32 -> storeFloat(json, position);
      case F64 -> storeDouble(json, position);
      case F16 -> storeHalf(json, position);
      case BF16 -> storeBrain(json, position);
      case I8, U8 -> memory.set(JAVA_BYTE, position, (byte) whole(json, position));
      case I16, U16 -> memory.set(SHORT, position * 2, (short) whole(json, position));
      case I32, U32 -> memory.set(INT, position * 4, (int) whole(json, position));
      case I64 -> memory.set(LONG, position * 8, whole(json, position));
      case U64 -> memory.set(LONG, position * 8, unsigned(json, position));
      case BOOL -> memory.set(JAVA_BYTE, position, bool(json, position));
    }
  }

  @Override
  public long storePlain(JsonCursor json, long position, long most) {
    return type == ElementType.F32 ? json.floats(memory, position, most) : 0;
  }

  private void storeNotFinite(JsonCursor json, long position) {
    double value =
        json.notFinite().orElseThrow(() -> wrong(excerpt(json), position, "is not a number"));
    float near = (float) value;
    switch (type) {
      case F32 -> memory.set(INT, position * 4, Float.floatToRawIntBits(near));
      case F64 -> memory.set(LONG, position * 8, Double.doubleToRawLongBits(value));
      case F16 -> memory.set(SHORT, position * 2, Float.floatToFloat16(near));
      case BF16 -> memory.set(SHORT, position * 2, BrainFloat.of(near));
      default -> throw new IllegalStateException(type + " has finite numbers alone");
    }
  }

  private static String excerpt(JsonCursor json) {
    json.kind();
    return json.excerpt();
  }

  private void storeFloat(JsonCursor json, long position) {
    JsonNumber number = json.number();
    float value = number.toFloat();
    checkFinite(number, Float.isFinite(value), position);
    memory.set(INT, position * 4, Float.floatToRawIntBits(value));
  }

  private void storeDouble(JsonCursor json, long position) {
    JsonNumber number = json.number();
    double value = number.toDouble();
    checkFinite(number, Double.isFinite(value), position);
    memory.set(LONG, position * 8, Double.doubleToRawLongBits(value));
  }

  private void storeHalf(JsonCursor json, long position) {
    JsonNumber number = json.number();
    short bits = Float.floatToFloat16(number.toFloat());
    checkFinite(number, Float.isFinite(Float.float16ToFloat(bits)), position);
    memory.set(SHORT, position * 2, bits);
  }

  private void storeBrain(JsonCursor json, long position) {
    JsonNumber number = json.number();
    short bits = BrainFloat.of(number.toFloat());
    checkFinite(number, Float.isFinite(BrainFloat.toFloat(bits)), position);
    memory.set(SHORT, position * 2, bits);
  }

  private void checkFinite(JsonNumber number, boolean finite, long position) {
    if (!finite) {
      throw outOfRange(number, position);
    }
  }

  private long whole(JsonCursor json, long position) {
    JsonNumber number = wholeNumber(json, position);
    long value = number.isLong() ? number.toLong() : 0;
    int bits = type.bytes() * 8;
    long low = type.kind() == ElementType.Kind.SIGNED ? -1L << (bits - 1) : 0;
    long high = type.kind() == ElementType.Kind.SIGNED ? ~low : (1L << bits) - 1;
    if (!number.isLong() || value < low || value > high) {
      throw outOfRange(number, position);
    }
    return value;
  }

  private long unsigned(JsonCursor json, long position) {
    JsonNumber number = wholeNumber(json, position);
    if (!number.isUnsignedLong()) {
      throw outOfRange(number, position);
    }
    return number.toUnsignedLong();
  }

  private JsonNumber wholeNumber(JsonCursor json, long position) {
    if (!json.isNumber()) {
      throw wrong(json.excerpt(), position, "is not a whole number");
    }
    JsonNumber number = json.number();
    if (!number.isWhole()) {
      throw wrong(number.toString(), position, "is not a whole number");
    }
    return number;
  }

  private byte bool(JsonCursor json, long position) {
    if (json.isNumber()) {
      return bit(json.number().toString(), position);
    }
    if (json.kind() != JsonCursor.Kind.BOOLEAN) {
      throw wrong(json.excerpt(), position, "is neither true nor false");
    }
    return (byte) (json.bool() ? 1 : 0);
  }

  private byte bit(String text, long position) {
    if (!text.equals("0") && !text.equals("1")) {
      throw wrong(text, position, "is neither true nor false");
    }
    return (byte) (text.charAt(0) - '0');
  }

  private InvalidRequestException outOfRange(JsonNumber number, long position) {
    return wrong(number.toString(), position, "is outside the range of " + type.v2Name());
  }

  private InvalidRequestException wrong(String value, long position, String what) {
    return new InvalidRequestException(
        "input '%s' (%s) at position %d: %s %s"
            .formatted(input, type.v2Name(), position, JsonCursor.cut(value), what));
  }
}
