package io.miniinference.onnx.tensor;

import io.miniinference.onnx.ReadLimits;
import io.miniinference.onnx.wire.TensorProto;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Locale;

/// The typed lists of a tensor message (`float_data` and so on): which list belongs to which type,
/// and their conversion to little-endian bytes.
///
/// A 32-bit or smaller integer, a half float, an 8-bit float and a byte of packed elements are all
/// one entry of `int32_data`, floats by their bits; complex numbers are two entries.
final class TypedData {
  private enum Field {
    FLOAT,
    INT32,
    STRING,
    INT64,
    DOUBLE,
    UINT64;

    int count(TensorProto proto) {
      return switch (this) {
        case FLOAT -> proto.getFloatDataCount();
        case INT32 -> proto.getInt32DataCount();
        case STRING -> proto.getStringDataCount();
        case INT64 -> proto.getInt64DataCount();
        case DOUBLE -> proto.getDoubleDataCount();
        case UINT64 -> proto.getUint64DataCount();
      };
    }

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT) + "_data";
    }
  }

  private TypedData() {}

  /// Whether any typed list has entries.
  static boolean any(TensorProto proto) {
    for (Field field : Field.values()) {
      if (field.count(proto) > 0) {
        return true;
      }
    }
    return false;
  }

  /// Checks that the list of this type has the right number of entries, and that no other has any.
  static void checkOnly(TensorProto proto, OnnxType type, long elements) {
    Field own = field(type);
    for (Field field : Field.values()) {
      if (field != own && field.count(proto) > 0) {
        throw new TensorFault("of type %s has %s; it belongs in %s".formatted(type, field, own));
      }
    }
    long entries = entries(type, elements);
    if (own.count(proto) != entries) {
      throw new TensorFault(
          "has %d entries of %s, its type and shape need %d"
              .formatted(own.count(proto), own, entries));
    }
  }

  /// The list's entries as bytes.
  static MemorySegment bytes(TensorProto proto, OnnxType type, long elements) {
    checkOnly(proto, type, elements);
    var out = ByteBuffer.allocate(size(type, elements)).order(ByteOrder.LITTLE_ENDIAN);
    switch (field(type)) {
      case FLOAT -> putFloats(proto, out);
      case DOUBLE -> putDoubles(proto, out);
      case INT64 -> putLongs(proto, out);
      case UINT64 -> putUnsigned(proto, type, out);
      case INT32 -> putIntegers(proto, type, out);
      case STRING -> throw new TensorFault("is of strings, which are no bytes");
    }
    return MemorySegment.ofArray(out.array());
  }

  private static int size(OnnxType type, long elements) {
    long bytes = type.bytes(elements);
    if (bytes > ReadLimits.MESSAGE_BYTES) {
      throw new TensorFault("has %d bytes as typed data; store it as raw data".formatted(bytes));
    }
    return (int) bytes;
  }

  private static long entries(OnnxType type, long elements) {
    return switch (type) {
      case COMPLEX64, COMPLEX128 -> Math.multiplyExact(elements, 2);
      case UINT4, INT4, FLOAT4E2M1, UINT2, INT2 -> type.bytes(elements);
      default -> elements;
    };
  }

  private static Field field(OnnxType type) {
    return switch (type) {
      case FLOAT, COMPLEX64 -> Field.FLOAT;
      case DOUBLE, COMPLEX128 -> Field.DOUBLE;
      case INT64 -> Field.INT64;
      case UINT32, UINT64 -> Field.UINT64;
      case STRING -> Field.STRING;
      case INT8, INT16, INT32, UINT8, UINT16, BOOL -> Field.INT32;
      case FLOAT16, BFLOAT16 -> Field.INT32;
      case FLOAT8E4M3FN, FLOAT8E4M3FNUZ, FLOAT8E5M2, FLOAT8E5M2FNUZ, FLOAT8E8M0 -> Field.INT32;
      case UINT4, INT4, FLOAT4E2M1, UINT2, INT2 -> Field.INT32;
    };
  }

  private static void putFloats(TensorProto proto, ByteBuffer out) {
    for (int i = 0; i < proto.getFloatDataCount(); i++) {
      out.putFloat(proto.getFloatData(i));
    }
  }

  private static void putDoubles(TensorProto proto, ByteBuffer out) {
    for (int i = 0; i < proto.getDoubleDataCount(); i++) {
      out.putDouble(proto.getDoubleData(i));
    }
  }

  private static void putLongs(TensorProto proto, ByteBuffer out) {
    for (int i = 0; i < proto.getInt64DataCount(); i++) {
      out.putLong(proto.getInt64Data(i));
    }
  }

  private static void putUnsigned(TensorProto proto, OnnxType type, ByteBuffer out) {
    for (int i = 0; i < proto.getUint64DataCount(); i++) {
      long value = proto.getUint64Data(i);
      if (type == OnnxType.UINT64) {
        out.putLong(value);
      } else {
        out.putInt((int) inRange(value, 0, 0xffff_ffffL, i, type));
      }
    }
  }

  private static void putIntegers(TensorProto proto, OnnxType type, ByteBuffer out) {
    for (int i = 0; i < proto.getInt32DataCount(); i++) {
      int value = proto.getInt32Data(i);
      switch (type) {
        case INT32 -> out.putInt(value);
        case INT16 -> out.putShort((short) inRange(value, -0x8000, 0x7fff, i, type));
        case UINT16, FLOAT16, BFLOAT16 -> out.putShort((short) inRange(value, 0, 0xffff, i, type));
        case INT8 -> out.put((byte) inRange(value, -0x80, 0x7f, i, type));
        default -> out.put((byte) inRange(value, 0, 0xff, i, type));
      }
    }
  }

  private static long inRange(long value, long low, long high, int position, OnnxType type) {
    if (value < low || value > high) {
      throw new TensorFault(
          "has %s at position %d, outside the range of %s"
              .formatted(shown(value, type), position, type));
    }
    return value;
  }

  private static String shown(long value, OnnxType type) {
    return type == OnnxType.UINT32 ? Long.toUnsignedString(value) : Long.toString(value);
  }
}
