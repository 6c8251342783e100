package io.miniinference.service.inference;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.miniinference.ir.ElementType;
import io.miniinference.runtime.InvalidRequestException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.math.BigInteger;
import java.nio.ByteOrder;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/// Stores JSON values as elements of one type, and refuses those that the type cannot hold.
final class ElementReader {
  private static final ValueLayout.OfShort SHORT =
      ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfInt INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfLong LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final BigInteger MAX_U64 = BigInteger.TWO.pow(64).subtract(BigInteger.ONE);

  private final String input;
  private final ElementType type;
  private final MemorySegment memory;

  ElementReader(String input, ElementType type, MemorySegment memory) {
    this.input = input;
    this.type = type;
    this.memory = memory;
  }

  /// Stores the parser's current value.
  void store(JsonParser parser, JsonToken token, long position) {
    switch (type) {
      case F32 -> storeFloat(number(parser, token, position), position);
      case F64 -> storeDouble(number(parser, token, position), position);
      case F16 -> storeHalf(number(parser, token, position), position);
      case BF16 -> storeBrain(number(parser, token, position), position);
      case I8, U8 -> memory.set(JAVA_BYTE, position, (byte) whole(parser, token, position));
      case I16, U16 -> memory.set(SHORT, position * 2, (short) whole(parser, token, position));
      case I32, U32 -> memory.set(INT, position * 4, (int) whole(parser, token, position));
      case I64 -> memory.set(LONG, position * 8, whole(parser, token, position));
      case U64 -> memory.set(LONG, position * 8, unsigned(parser, token, position));
      case BOOL -> memory.set(JAVA_BYTE, position, bool(parser, token, position));
    }
  }

  private JsonParser number(JsonParser parser, JsonToken token, long position) {
    if (token != JsonToken.VALUE_NUMBER_FLOAT && token != JsonToken.VALUE_NUMBER_INT) {
      throw wrong(parser, position, "is not a number");
    }
    if (parser.isNaN()) {
      throw wrong(
          parser,
          position,
          "is not finite: JSON has no NaN and no infinities, send finite numbers");
    }
    return parser;
  }

  private void storeFloat(JsonParser parser, long position) {
    float value = parser.getFloatValue();
    checkFinite(parser, Float.isFinite(value), position);
    memory.set(INT, position * 4, Float.floatToRawIntBits(value));
  }

  private void storeDouble(JsonParser parser, long position) {
    double value = parser.getDoubleValue();
    checkFinite(parser, Double.isFinite(value), position);
    memory.set(LONG, position * 8, Double.doubleToRawLongBits(value));
  }

  private void storeHalf(JsonParser parser, long position) {
    short bits = Float.floatToFloat16(parser.getFloatValue());
    checkFinite(parser, Float.isFinite(Float.float16ToFloat(bits)), position);
    memory.set(SHORT, position * 2, bits);
  }

  private void storeBrain(JsonParser parser, long position) {
    int bits = Float.floatToRawIntBits(parser.getFloatValue());
    short rounded = (short) ((bits + 0x7FFF + ((bits >>> 16) & 1)) >>> 16);
    checkFinite(parser, Float.isFinite(Float.intBitsToFloat(rounded << 16)), position);
    memory.set(SHORT, position * 2, rounded);
  }

  private void checkFinite(JsonParser parser, boolean finite, long position) {
    if (!finite) {
      throw outOfRange(parser, position);
    }
  }

  private long whole(JsonParser parser, JsonToken token, long position) {
    checkWhole(parser, token, position);
    if (parser.getNumberType() == JsonParser.NumberType.BIG_INTEGER) {
      throw outOfRange(parser, position);
    }
    long value = parser.getLongValue();
    int bits = type.bytes() * 8;
    long low = type.kind() == ElementType.Kind.SIGNED ? -1L << (bits - 1) : 0;
    long high = type.kind() == ElementType.Kind.SIGNED ? ~low : (1L << bits) - 1;
    if (value < low || value > high) {
      throw outOfRange(parser, position);
    }
    return value;
  }

  private long unsigned(JsonParser parser, JsonToken token, long position) {
    checkWhole(parser, token, position);
    BigInteger value = parser.getBigIntegerValue();
    if (value.signum() < 0 || value.compareTo(MAX_U64) > 0) {
      throw outOfRange(parser, position);
    }
    return value.longValue();
  }

  private void checkWhole(JsonParser parser, JsonToken token, long position) {
    if (token != JsonToken.VALUE_NUMBER_INT) {
      throw wrong(parser, position, "is not a whole number");
    }
  }

  private byte bool(JsonParser parser, JsonToken token, long position) {
    return switch (token) {
      case VALUE_TRUE -> 1;
      case VALUE_FALSE -> 0;
      case VALUE_NUMBER_INT -> bit(parser, position);
      default -> throw wrong(parser, position, "is neither true nor false");
    };
  }

  private byte bit(JsonParser parser, long position) {
    String text = parser.getString();
    if (!text.equals("0") && !text.equals("1")) {
      throw wrong(parser, position, "is neither true nor false");
    }
    return (byte) (text.charAt(0) - '0');
  }

  private InvalidRequestException outOfRange(JsonParser parser, long position) {
    return wrong(parser, position, "is outside the range of " + type.v2Name());
  }

  private InvalidRequestException wrong(JsonParser parser, long position, String what) {
    return new InvalidRequestException(
        "input '%s' (%s) at position %d: %s %s"
            .formatted(input, type.v2Name(), position, Excerpt.of(parser), what));
  }
}
