package io.miniinference.service.elements;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.miniinference.ir.BrainFloat;
import io.miniinference.ir.ElementType;
import io.miniinference.service.json.JsonWriter;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/// Writes numbers and truths.
public final class ElementWriter implements ValueWriter {
  private static final ValueLayout.OfShort SHORT =
      ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfInt INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfLong LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private final ElementType type;
  private final MemorySegment data;

  /// @param data dense row-major elements, little-endian
  public ElementWriter(ElementType type, MemorySegment data) {
    this.type = type;
    this.data = data;
  }

  @Override
  public void write(JsonWriter json, long i) {
    switch (type) {
      case F32 -> json.number(Float.intBitsToFloat(data.get(INT, i * 4)));
      case F64 -> json.number(Double.longBitsToDouble(data.get(LONG, i * 8)));
      case F16 -> json.number(Float.float16ToFloat(data.get(SHORT, i * 2)));
      case BF16 -> json.number(BrainFloat.toFloat(data.get(SHORT, i * 2)));
      case I8 -> json.number(data.get(JAVA_BYTE, i));
      case U8 -> json.number(data.get(JAVA_BYTE, i) & 0xFF);
      case I16 -> json.number(data.get(SHORT, i * 2));
      case U16 -> json.number(data.get(SHORT, i * 2) & 0xFFFF);
      case I32 -> json.number(data.get(INT, i * 4));
      case U32 -> json.number(data.get(INT, i * 4) & 0xFFFF_FFFFL);
      case I64 -> json.number(data.get(LONG, i * 8));
      case U64 -> json.unsigned(data.get(LONG, i * 8));
      case BOOL -> json.bool(data.get(JAVA_BYTE, i) != 0);
    }
  }
}
