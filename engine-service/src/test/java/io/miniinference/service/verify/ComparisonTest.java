package io.miniinference.service.verify;

import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.Tensor;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class ComparisonTest {
  private static final int X86_NAN = 0xFFC0_0000;
  private static final int GPU_NAN = 0x7FFF_FFFF;

  @Test
  void anyNanIsNanBitForBit() {
    assertThat(difference(new int[] {X86_NAN, 0}, new int[] {GPU_NAN, 0})).isEmpty();
    assertThat(difference(new int[] {X86_NAN, 0}, new int[] {0, 0})).isPresent();
  }

  @Test
  void theSignOfZeroAndTheLastPlaceCountBitForBit() {
    int one = Float.floatToRawIntBits(1);
    int minusZero = Float.floatToRawIntBits(-0.0f);

    assertThat(difference(new int[] {one, 0}, new int[] {one, minusZero}))
        .contains("output 'y' differs in the bits of row 1");
    assertThat(difference(new int[] {one, 0}, new int[] {one + 1, 0}))
        .contains("output 'y' differs in the bits of row 0");
    assertThat(difference(new int[] {1, 0}, new int[] {2, 0})).as("denormals").isPresent();
  }

  @Test
  void rowsThatDoNotCountMayDiffer() {
    Comparison comparison = new Comparison("y", rows(1, 2), rows(1, 3), row -> row == 0);

    assertThat(comparison.bitForBit()).isEmpty();
  }

  private static Optional<String> difference(int[] expected, int[] actual) {
    return Comparison.of("y", rows(expected), rows(actual)).bitForBit();
  }

  /* One float a row. */
  private static Tensor rows(int... bits) {
    MemorySegment data = MemorySegment.ofArray(new byte[4 * bits.length]);
    for (int i = 0; i < bits.length; i++) {
      data.set(JAVA_INT_UNALIGNED, 4L * i, bits[i]);
    }
    return new Tensor(ElementType.F32, new long[] {bits.length}, data);
  }
}
