package io.miniinference.pool;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The pool does what a plain scan does, step for step.
class PlainModelTest {
  /// A handle and what it stands for in the model.
  private record Live(Allocation handle, PlainModel.Span span) {}

  /// A pool and its model, driven alike.
  private static final class Pair {
    final MemoryPool pool;
    final HeldBlocks held;
    final PlainModel model;
    final List<Live> live = new ArrayList<>();

    Pair(long capacity, long heldLimit) {
      pool = new MemoryPool(capacity);
      held = new HeldBlocks(pool, heldLimit);
      model = new PlainModel(capacity, heldLimit);
    }

    void allocate(long bytes, String owner) {
      compare(pool.allocate(bytes, owner), model.allocate(bytes, owner));
    }

    void acquire(String tag, long bytes) {
      compare(held.acquire(tag, bytes), model.acquire(tag, bytes));
    }

    private void compare(AllocationResult result, Optional<PlainModel.Span> expected) {
      assertThat(result instanceof Allocation).isEqualTo(expected.isPresent());
      expected.ifPresent(span -> live.add(new Live(result.orThrow(), span)));
    }

    void free(int index) {
      Live gone = live.remove(index);
      gone.handle.close();
      model.free(gone.span);
    }

    void release(int index) {
      Live gone = live.remove(index);
      held.release(gone.handle);
      model.release(gone.span);
    }

    void check() {
      pool.validateIntegrity();
      List<MemoryMap.Entry> actual =
          pool.memoryMap().blocks().stream().map(Pair::withoutGeneration).toList();
      assertThat(actual).isEqualTo(model.map());
    }

    private static MemoryMap.Entry withoutGeneration(MemoryMap.Entry entry) {
      return new MemoryMap.Entry(
          entry.offset(), entry.size(), entry.state(), entry.owner(), entry.requestedBytes(), 0);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 8 * 1024, 64 * 1024})
  void randomOperationsMatchThePlainModel(long heldLimit) {
    for (int round = 0; round < 5; round++) {
      long seed = System.nanoTime();
      runRandomly(seed, new Pair(64 * 1024, heldLimit));
    }
  }

  private static void runRandomly(long seed, Pair pair) {
    Random random = new Random(seed);
    for (int step = 0; step < 1500; step++) {
      try {
        stepRandomly(random, pair);
        pair.check();
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError("seed " + seed + ", step " + step + ": " + e.getMessage(), e);
      }
    }
  }

  private static void stepRandomly(Random random, Pair pair) {
    long bytes = 1L + random.nextInt(random.nextInt(8) == 0 ? 30_000 : 5_000);
    String tag = "tag" + random.nextInt(4);
    switch (random.nextInt(8)) {
      case 0, 1 -> pair.allocate(bytes, "owner");
      case 2, 3 -> pair.acquire(tag, bytes);
      default -> {
        if (!pair.live.isEmpty()) {
          int index = random.nextInt(pair.live.size());
          if (random.nextBoolean()) {
            pair.free(index);
          } else {
            pair.release(index);
          }
        }
      }
    }
  }

  @Test
  void everyShortSequenceOnASmallPoolMatchesThePlainModel() {
    int operations = 6;
    int length = 6;
    int sequences = (int) Math.pow(operations, length);
    for (int code = 0; code < sequences; code++) {
      Pair pair = new Pair(5 * 256, 2 * 256);
      try {
        for (int rest = code, step = 0; step < length; step++, rest /= operations) {
          stepExhaustively(rest % operations, pair);
        }
        pair.check();
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError("sequence " + code + ": " + e.getMessage(), e);
      }
    }
    assertThat(sequences).isEqualTo(46_656);
  }

  private static void stepExhaustively(int operation, Pair pair) {
    int last = pair.live.size() - 1;
    switch (operation) {
      case 0 -> pair.allocate(256, "one");
      case 1 -> pair.allocate(512, "two");
      case 2 -> pair.acquire("tag", 300);
      case 3 -> freeIfThere(pair, 0);
      case 4 -> freeIfThere(pair, last);
      default -> releaseIfThere(pair, last);
    }
  }

  private static void freeIfThere(Pair pair, int index) {
    if (index >= 0 && index < pair.live.size()) {
      pair.free(index);
    }
  }

  private static void releaseIfThere(Pair pair, int index) {
    if (index >= 0) {
      pair.release(index);
    }
  }
}
