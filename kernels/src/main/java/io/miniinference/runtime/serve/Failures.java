package io.miniinference.runtime.serve;

import io.miniinference.ir.IndexBounds;
import io.miniinference.lower.FailurePoint;
import io.miniinference.lower.FailureSlot;
import io.miniinference.runtime.FailureReport;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Turns the failure slots that came back with the outputs into reports.
final class Failures {
  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;
  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;
  private final Map<Integer, FailurePoint> points = new HashMap<>();

  Failures(List<FailurePoint> points) {
    points.forEach(point -> this.points.put(point.step(), point));
  }

  /// All reports of a run, in order of execution: by launch or step, then by position. Empty if it
  /// was clean.
  ///
  /// @param slots the run's own slot, then one per row
  List<FailureReport> read(MemorySegment slots, long rows) {
    return slots.get(INT, FailureSlot.ANY) == 0 ? List.of() : reports(slots, rows);
  }

  /// Makes one run of those of a batch's micro-batches: each counted rows and positions from its
  /// first row, and took the slot ahead of that for the run's own.
  ///
  /// @param most rows of a micro-batch
  void handOn(MemorySegment slots, int most, int rows) {
    for (int first = most; first < rows; first += most) {
      long any = (long) first * FailureSlot.BYTES + FailureSlot.ANY;
      if (slots.get(INT, any) != 0) {
        slots.set(INT, any, 0);
        slots.set(INT, FailureSlot.ANY, 1);
        for (int row = first; row < Math.min(first + most, rows); row++) {
          count(slots, (row + 1L) * FailureSlot.BYTES, first);
        }
      }
    }
  }

  private void count(MemorySegment slots, long at, int rowsAhead) {
    FailurePoint point = points.get(slots.get(INT, at + FailureSlot.STEP) - 1);
    if (point != null) {
      long position = slots.get(LONG, at + FailureSlot.POSITION);
      slots.set(LONG, at + FailureSlot.POSITION, position + rowsAhead * point.positionsPerRow());
    }
  }

  private List<FailureReport> reports(MemorySegment slots, long rows) {
    List<Claim> claims = new ArrayList<>();
    for (long slot = 0; slot <= rows; slot++) {
      long at = slot * FailureSlot.BYTES;
      if (slots.get(INT, at + FailureSlot.STEP) != 0) {
        claims.add(claim(slots, at, slot - 1));
      }
    }
    return FailureReport.upToSize(claims.stream().sorted().map(Claim::report).toList());
  }

  /* `when`: the launch, or the step where each is launched once. */
  private record Claim(int when, FailureReport report) implements Comparable<Claim> {
    @Override
    public int compareTo(Claim other) {
      int byTime = Integer.compare(when, other.when);
      return byTime != 0 ? byTime : Long.compare(report.linear(), other.report.linear());
    }
  }

  private Claim claim(MemorySegment slots, long at, long row) {
    int step = slots.get(INT, at + FailureSlot.STEP) - 1;
    FailurePoint point = points.get(step);
    if (point == null) {
      throw new IllegalStateException("a failure slot names step " + step + ", which cannot fail");
    }
    long position = slots.get(LONG, at + FailureSlot.POSITION);
    int iteration = slots.get(INT, at + FailureSlot.ITERATION);
    int kind = slots.get(INT, at + FailureSlot.KIND);
    boolean indexed = kind == FailureSlot.KIND_INDEX;
    FailureReport report =
        new FailureReport(
            point.node(),
            point.op(),
            indexed ? point.axis() + slots.get(INT, at + FailureSlot.COMPONENT) : null,
            indexed ? slots.get(LONG, at + FailureSlot.INDEX) : null,
            slots.get(LONG, at + FailureSlot.LOW),
            slots.get(LONG, at + FailureSlot.HIGH),
            position,
            row < 0 ? 0 : point.positionsPerRow(),
            row < 0 ? null : (int) row,
            iteration < 0 ? null : iteration,
            indexed ? FailureReport.INDEX_OUT_OF_BOUNDS : FailureReport.DIVISION_BY_ZERO);
    int launch = slots.get(INT, at + FailureSlot.LAUNCH);
    IndexBounds.Size size = point.size();
    return new Claim(point.timed() ? launch : step, size == null ? report : report.asSize(size));
  }
}
