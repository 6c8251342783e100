package io.miniinference.ir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.util.List;
import java.util.function.Function;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/// Elements as arrays: what goes in comes out, in the same type or a wider one.
final class ElementsTest {
  @Test
  void arraysComeBackAsTheyWere() {
    assertThat(Tensor.of(new float[] {1, -2}, 2).floats()).containsExactly(1, -2);
    assertThat(Tensor.of(new double[] {1, -2}, 2).doubles()).containsExactly(1, -2);
    assertThat(Tensor.of(new long[] {1L << 40, -2}, 2).longs()).containsExactly(1L << 40, -2);
    assertThat(Tensor.of(new int[] {1, -2}, 2).ints()).containsExactly(1, -2);
    assertThat(Tensor.of(new boolean[] {true, false}, 2).booleans()).containsExactly(true, false);
    assertThat(Tensor.of(new float[] {3}).elements()).isEqualTo(1);
  }

  @Test
  void narrowTypesAreWidenedExactly() {
    assertThat(tensor(ElementType.F16, 0x00, 0x3C, 0x00, 0xC0).floats()).containsExactly(1, -2);
    assertThat(tensor(ElementType.BF16, 0x80, 0x3F, 0x00, 0xC0).doubles()).containsExactly(1, -2);
    assertThat(tensor(ElementType.U8, 255, 1).ints()).containsExactly(255, 1);
    assertThat(tensor(ElementType.I8, 255, 1).longs()).containsExactly(-1, 1);
    assertThat(tensor(ElementType.U16, 255, 255).ints()).containsExactly(65_535);
    assertThat(tensor(ElementType.I16, 255, 255).ints()).containsExactly(-1);
    assertThat(tensor(ElementType.U32, 255, 255, 255, 255).longs()).containsExactly(4294967295L);
  }

  private static Tensor tensor(ElementType element, int... bytes) {
    ByteBuffer buffer = ByteBuffer.allocate(bytes.length).order(ByteOrder.LITTLE_ENDIAN);
    for (int b : bytes) {
      buffer.put((byte) b);
    }
    return Tensor.of(element, buffer.flip(), bytes.length / element.bytes());
  }

  @Test
  void otherTypesAreRefusedWithARemedy() {
    assertRefused(
        Tensor.of(new long[2], 2), Tensor::floats, "i64[2] do not fit float: take them with longs");
    assertRefused(
        Tensor.of(new float[2], 2), Tensor::ints, "f32[2] do not fit int: take them with floats");
    assertRefused(
        Tensor.of(new double[2], 2), Tensor::floats, "do not fit float: take them with doubles");
    assertRefused(tensor(ElementType.U64, new int[8]), Tensor::longs, "read data()");
    assertRefused(Tensor.of(new int[1], 1), Tensor::booleans, "take them with ints");
  }

  @Test
  void aStringThatIsNullIsToldByItsPlace() {
    for (ThrowingCallable of :
        List.<ThrowingCallable>of(
            () -> Tensor.of("a", null, "b"),
            () -> Tensor.of(new String[] {"a", null}, 2, 1),
            () -> Tensor.of(new byte[][] {{1}, null}, 2))) {
      assertThatThrownBy(of)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("element 1 is null");
    }
  }

  @Test
  void aShapeThatIsBeyondAllMemoryIsToldOfEachType() {
    long[] shape = {1L << 33, 1L << 33};
    for (ThrowingCallable of :
        List.<ThrowingCallable>of(
            () -> Tensor.of(new float[0], shape),
            () -> Tensor.of(new double[0], shape),
            () -> Tensor.of(new long[0], shape),
            () -> Tensor.of(new int[0], shape),
            () -> Tensor.of(new boolean[0], shape),
            () -> Tensor.of(new String[0], shape),
            () -> Tensor.of(new byte[0][], shape),
            () -> Tensor.of(FloatBuffer.allocate(0), shape),
            () -> Tensor.of(ElementType.F16, ByteBuffer.allocate(0), shape),
            () -> Tensor.of(ElementType.U8, MemorySegment.NULL, shape))) {
      assertThatThrownBy(of)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageEndingWith("[8589934592,8589934592] has more bytes than 63 bits can count");
    }
    assertThatThrownBy(() -> Tensor.of(new float[0], 1L << 61))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private static void assertRefused(Tensor tensor, Function<Tensor, ?> read, String message) {
    assertThatThrownBy(() -> read.apply(tensor))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining(message);
  }

  @Test
  void aCopyHasMemoryOfItsOwn() {
    float[] values = {1, 2, 3};
    Tensor copy = Tensor.of(values, 3).copy();

    values[0] = 9;

    assertThat(copy.floats()).containsExactly(1, 2, 3);
    assertThat(copy.shape()).containsExactly(3);
  }

  @Test
  void anArrayOfAnotherSizeThanTheShapeIsRefused() {
    assertThatThrownBy(() -> Tensor.of(new float[5], 2, 3))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("f32[2,3] has 6 elements, 24 bytes; given are 5 elements, 20 bytes");
    assertThatThrownBy(() -> Tensor.of(ElementType.F32, ByteBuffer.allocate(7), 2))
        .hasMessage("f32[2] has 2 elements, 8 bytes; given are 7 bytes");
  }

  @Test
  void anArrayWithoutAShapeIsToldWhatItLacks() {
    assertThatThrownBy(() -> Tensor.of(new float[5]))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "f32[] has 1 elements, 4 bytes; given are 5 elements, 20 bytes: name their shape, since"
                + " without one it is a scalar");
  }

  @Test
  void aBufferThatWasFilledAndNotFlippedIsToldSo() {
    FloatBuffer filled = FloatBuffer.allocate(2).put(1).put(2);
    ByteBuffer bytes = ByteBuffer.allocate(8).putLong(1);
    for (ThrowingCallable of :
        List.<ThrowingCallable>of(
            () -> Tensor.of(filled, 2), () -> Tensor.of(ElementType.F32, bytes, 2))) {
      assertThatThrownBy(of)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("flip() it");
    }
    assertThat(Tensor.of(filled, 0).elements()).isZero();
    assertThat(Tensor.of(filled.flip(), 2).floats()).containsExactly(1, 2);
  }
}
