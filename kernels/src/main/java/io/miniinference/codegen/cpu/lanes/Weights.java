package io.miniinference.codegen.cpu.lanes;

import io.miniinference.codegen.CType;
import io.miniinference.ir.Tensor;
import io.miniinference.lower.Packing;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;

/// How the packed weights of a product are stored: as the floats that they are, or as bytes, a
/// quarter of what must be held and read for each product. Bytes hold integers of a range of 256,
/// such as those of quantised networks are once their scale is taken behind the product. Where
/// bytes are multiplied as such, four that are added up together are one integer.
///
/// @param type behind a pointer to them
/// @param least the integer that byte 0 stands for
public record Weights(CType type, int least) {
  private static final ValueLayout.OfFloat FLOAT = ValueLayout.JAVA_FLOAT_UNALIGNED;
  private static final int BYTES = 256;

  /// Weights that are looked at first: most have fractions there.
  private static final int FIRST = 64;

  /// Weights that are looked at together then, which the JVM does in vectors.
  private static final int AT_ONCE = 4096;

  private static final Weights FLOATS = new Weights(CType.F32, 0);
  private static final Weights FOURS = new Weights(CType.I32, 0);

  /// Products of bytes that are added at once.
  public static final int FOUR = 4;

  /// Signed bytes, to be multiplied with unsigned ones.
  public static Weights ofBytes() {
    return FOURS;
  }

  /// @param weights of 32-bit floats, or null where they are computed
  public static Weights of(@Nullable Tensor weights) {
    return weights == null ? FLOATS : of(weights.data(), weights.elements());
  }

  private static Weights of(MemorySegment data, long elements) {
    if (hasFraction(data, Math.min(FIRST, elements))) {
      return FLOATS;
    }
    int least = 0;
    int greatest = 0;
    float[] some = new float[(int) Math.min(AT_ONCE, elements)];
    for (long first = 0; first < elements; first += some.length) {
      int count = (int) Math.min(some.length, elements - first);
      MemorySegment.copy(data, FLOAT, first * Float.BYTES, some, 0, count);
      int fractions = 0;
      for (int i = 0; i < count; i++) {
        int integer = (int) some[i];
        least = Math.min(least, integer);
        greatest = Math.max(greatest, integer);
        fractions |= Float.floatToRawIntBits(some[i] - integer) << 1; // of either zero, 0
      }
      if (fractions != 0 || (long) greatest - least >= BYTES) {
        return FLOATS;
      }
    }
    if (least == greatest) {
      return FLOATS; // zeros are no network's weights
    }
    return least >= Byte.MIN_VALUE && greatest <= Byte.MAX_VALUE
        ? new Weights(CType.I8, 0)
        : new Weights(CType.U8, least);
  }

  private static boolean hasFraction(MemorySegment data, long elements) {
    for (long i = 0; i < elements; i++) {
      float weight = data.get(FLOAT, i * Float.BYTES);
      if (weight != (int) weight) {
        return true;
      }
    }
    return false;
  }

  /// Whether they are multiplied as bytes, and the sums are integers.
  public boolean areFours() {
    return type == CType.I32;
  }

  /// Products of a lane that are added at once.
  public int atOnce() {
    return areFours() ? FOUR : 1;
  }

  /// The type of sixteen sums.
  public String sums() {
    return areFours() ? "int16" : "float16";
  }

  /// The type of a factor that a vector of them is multiplied with.
  public String factor() {
    return areFours() ? "int" : "float";
  }

  private boolean isBytes() {
    return type == CType.I8 || type == CType.U8;
  }

  /// Text of a pointer to them, of one to what a constant of the graph holds.
  public String pointer(String floats) {
    return type == CType.F32 ? floats : "(@global const " + type.stored() + "*)" + floats;
  }

  /// Text of sixteen of them as factors: the vector of an index behind a pointer.
  public String load(int index, String pointer) {
    if (!isBytes()) {
      return "@load(16, " + index + ", " + pointer + ")";
    }
    String bytes = index == 0 ? pointer : pointer + " + " + index * VectorText.LANES;
    String floats = "@convert(float16, @loadSmall(" + type.stored() + ", " + bytes + "))";
    return least == 0 ? floats : "(" + floats + " + @splat(16, " + least + ".0f))";
  }

  /// Their packing, where they are packed like that as floats.
  public Packing packing(Packing floats) {
    return isBytes() ? new PackedBytes(floats, least) : floats;
  }

  /// Integers packed as floats, then made bytes.
  ///
  /// @param least the integer that byte 0 stands for
  private record PackedBytes(Packing floats, int least) implements Packing {
    @Override
    public long bytes(Tensor weight) {
      return floats.bytes(weight) / Float.BYTES;
    }

    @Override
    public int elementBytes(Tensor weight) {
      return Byte.BYTES;
    }

    @Override
    public void pack(Tensor weight, MemorySegment target) {
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment packed = arena.allocate(floats.bytes(weight), Float.BYTES);
        floats.pack(weight, packed);
        for (long i = 0; i < bytes(weight); i++) {
          int integer = (int) packed.get(FLOAT, i * Float.BYTES);
          target.set(ValueLayout.JAVA_BYTE, i, (byte) (integer - least));
        }
      }
    }
  }
}
