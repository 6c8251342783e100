package io.miniinference.codegen.jvm;

import io.miniinference.interp.memory.FailureSink;
import io.miniinference.lower.FailurePoint;
import io.miniinference.lower.FailureSlot;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// Writes failures into the arena's slots as kernels do: an earlier step's claim stays, and within
/// a step the lowest position wins, whichever thread comes first.
final class SlotSink implements FailureSink {
  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;
  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;

  /// The clock of a step that is not told it.
  static final long NO_CLOCK = -1;

  /// Only failing work items come here, so that one lock for all costs nothing.
  private static final Object LOCK = new Object();

  private final FailurePoint point;
  private final MemorySegment pool;
  private final long slots;
  private final int launch;
  private final int iteration;

  /// @param clock number of the launch in the upper half, of the iteration in the lower one
  SlotSink(FailurePoint point, MemorySegment pool, long slots, long clock) {
    this.point = point;
    this.pool = pool;
    this.slots = slots;
    this.launch = (int) (clock >> 32);
    this.iteration = (int) clock;
  }

  @Override
  public void index(long row, long position, long index, long low, long high, int axis) {
    claim(row, position, new Claim(FailureSlot.KIND_INDEX, axis - point.axis(), index, low, high));
  }

  @Override
  public void divisionByZero(long row, long position) {
    claim(row, position, new Claim(FailureSlot.KIND_DIVISION, 0, 0, 0, 0));
  }

  private record Claim(int kind, int component, long index, long low, long high) {}

  private void claim(long row, long position, Claim claim) {
    long slot = slots + (point.perRow() ? 1 + row : 0) * FailureSlot.BYTES;
    synchronized (LOCK) {
      int holder = pool.get(INT, slot + FailureSlot.STEP);
      boolean mine =
          holder == point.step() + 1 && pool.get(INT, slot + FailureSlot.LAUNCH) == launch;
      if (holder == 0 || (mine && position < pool.get(LONG, slot + FailureSlot.POSITION))) {
        pool.set(INT, slot + FailureSlot.STEP, point.step() + 1);
        pool.set(INT, slot + FailureSlot.ITERATION, iteration);
        pool.set(INT, slot + FailureSlot.LAUNCH, launch);
        pool.set(INT, slot + FailureSlot.COMPONENT, claim.component());
        pool.set(INT, slot + FailureSlot.KIND, claim.kind());
        pool.set(LONG, slot + FailureSlot.POSITION, position);
        pool.set(LONG, slot + FailureSlot.INDEX, claim.index());
        pool.set(LONG, slot + FailureSlot.LOW, claim.low());
        pool.set(LONG, slot + FailureSlot.HIGH, claim.high());
        pool.set(INT, slots + FailureSlot.ANY, 1);
      }
    }
  }
}
