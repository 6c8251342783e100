package io.miniinference.service.inference;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.miniinference.ir.ElementType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.math.BigInteger;
import java.nio.ByteOrder;
import tools.jackson.core.JsonGenerator;

/// Writes the elements of a tensor as JSON values, flat and row-major.
final class ElementWriter {
  private static final ValueLayout.OfShort SHORT =
      ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfInt INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfLong LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private final ElementType type;
  private final MemorySegment data;

  ElementWriter(ElementType type, MemorySegment data) {
    this.type = type;
    this.data = data;
  }

  void writeAll(JsonGenerator json) {
    long elements = data.byteSize() / type.bytes();
    for (long i = 0; i < elements; i++) {
      write(json, i);
    }
  }

  /// Writes the element at a position.
  void write(JsonGenerator json, long i) {
    switch (type) {
      case F32 -> json.writeNumber(Float.intBitsToFloat(data.get(INT, i * 4)));
      case F64 -> json.writeNumber(Double.longBitsToDouble(data.get(LONG, i * 8)));
      case F16 -> json.writeNumber(Float.float16ToFloat(data.get(SHORT, i * 2)));
      case BF16 -> json.writeNumber(Float.intBitsToFloat(data.get(SHORT, i * 2) << 16));
      case I8 -> json.writeNumber(data.get(JAVA_BYTE, i));
      case U8 -> json.writeNumber(data.get(JAVA_BYTE, i) & 0xFF);
      case I16 -> json.writeNumber(data.get(SHORT, i * 2));
      case U16 -> json.writeNumber(data.get(SHORT, i * 2) & 0xFFFF);
      case I32 -> json.writeNumber(data.get(INT, i * 4));
      case U32 -> json.writeNumber(data.get(INT, i * 4) & 0xFFFF_FFFFL);
      case I64 -> json.writeNumber(data.get(LONG, i * 8));
      case U64 -> writeUnsigned(json, data.get(LONG, i * 8));
      case BOOL -> json.writeBoolean(data.get(JAVA_BYTE, i) != 0);
    }
  }

  private static void writeUnsigned(JsonGenerator json, long value) {
    if (value >= 0) {
      json.writeNumber(value);
    } else {
      json.writeNumber(new BigInteger(Long.toUnsignedString(value)));
    }
  }
}
