package io.miniinference.pool;

import java.util.List;
import java.util.stream.IntStream;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.junit.jupiter.api.Test;

/// Whatever threads do to a pool at once comes out as if they had done it one after another
/// ([Lincheck](https://github.com/JetBrains/lincheck)).
public final class LinearizabilityTest {
  private static final int BLOCKS = 3;
  private static final int UNITS = 6;

  private final MemoryPool pool = new MemoryPool(UNITS * MemoryPool.ALIGNMENT_BYTES);
  private final List<Allocation> blocks =
      IntStream.range(0, BLOCKS)
          .mapToObj(_ -> (Allocation) pool.allocate(MemoryPool.ALIGNMENT_BYTES))
          .toList();

  /// Where the block lies, or that there is no room.
  @Operation
  public long allocate(@Param(gen = IntGen.class, conf = "1:3") int units) {
    return pool.allocate(units * MemoryPool.ALIGNMENT_BYTES) instanceof Allocation granted
        ? granted.offset()
        : -1;
  }

  /// Whether the block was not given back before.
  @Operation
  public boolean free(@Param(gen = IntGen.class, conf = "0:2") int block) {
    try {
      pool.free(blocks.get(block));
      return true;
    } catch (IllegalStateException e) {
      return false;
    }
  }

  @Operation
  public long used() {
    return pool.statistics().usedBytes();
  }

  @Test
  void threadsThatRaceSeeOneOrder() {
    new StressOptions()
        .iterations(5)
        .invocationsPerIteration(200)
        .threads(3)
        .actorsPerThread(3)
        .check(LinearizabilityTest.class);
  }

  @Test
  void noInterleavingOfTwoThreadsShowsAnother() {
    new ModelCheckingOptions()
        .iterations(3)
        .invocationsPerIteration(100)
        .threads(2)
        .actorsPerThread(3)
        .check(LinearizabilityTest.class);
  }
}
