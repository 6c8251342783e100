package io.miniinference.runtime.pad;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;

final class PaddedBlockTest {

  /// By the definition, element by element, on shapes of up to four axes.
  @RepeatedTest(200)
  void aTensorIsMovedIntoALargerOneAndOutOfIt(RepetitionInfo repetition) {
    Random random = new Random(repetition.getCurrentRepetition());
    long[] own = new long[random.nextInt(5)];
    long[] padded = new long[own.length];
    for (int i = 0; i < own.length; i++) {
      own[i] = random.nextInt(6);
      padded[i] = own[i] + (random.nextBoolean() ? random.nextInt(4) : 0);
    }
    var block = new PaddedBlock(own, padded, Short.BYTES);
    try (Arena arena = Arena.ofConfined()) {
      long elements = Arrays.stream(padded).reduce(1, (a, b) -> a * b);
      MemorySegment memory = arena.allocate(elements * Short.BYTES, 64).fill((byte) -1);
      for (int i = 0; i < block.bytes() / Short.BYTES; i++) {
        memory.setAtIndex(ValueLayout.JAVA_SHORT, i, (short) (i + 1));
      }

      block.spread(memory);

      short next = 1;
      long[] index = new long[own.length];
      for (int i = 0; i < elements; i++) {
        boolean isOwn = isInside(own, index);
        assertThat(memory.getAtIndex(ValueLayout.JAVA_SHORT, i)).isEqualTo(isOwn ? next : 0);
        next += (short) (isOwn ? 1 : 0);
        advance(padded, index);
      }
      MemorySegment cut = arena.allocate(block.bytes(), 64);
      block.cut(memory, cut);
      for (int i = 0; i < block.bytes() / Short.BYTES; i++) {
        assertThat(cut.getAtIndex(ValueLayout.JAVA_SHORT, i)).isEqualTo((short) (i + 1));
      }
      if (block.isPrefix()) {
        assertThat(memory.asSlice(0, block.bytes()).mismatch(cut)).isEqualTo(-1);
      }
    }
  }

  private static boolean isInside(long[] shape, long[] index) {
    for (int i = 0; i < shape.length; i++) {
      if (index[i] >= shape[i]) {
        return false;
      }
    }
    return true;
  }

  private static void advance(long[] shape, long[] index) {
    for (int i = shape.length - 1; i >= 0; i--) {
      index[i]++;
      if (index[i] < shape[i]) {
        return;
      }
      index[i] = 0;
    }
  }
}
