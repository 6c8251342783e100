package io.miniinference.codegen;

import io.miniinference.lower.FailurePoint;
import io.miniinference.lower.FailureSlot;

/// OpenCL C text of the failure protocol: claiming a slot.
public final class FailureText {
  /// The variable that holds when the kernel runs, where that is told.
  public static final String CLOCK = "clock";

  private FailureText() {}

  /// The functions that look at a slot and that claim it, unless an earlier step has it. All work
  /// items of a launch that fail in one slot write the same bytes, and all that fail in any write
  /// the same word for the run, so that no atomics are needed.
  public static String functions() {
    return """
    @outlined int failure_is_open(@global uchar* slots, long slot) {
      return *(@global int*)(slots + slot * BYTES + STEP) == 0;
    }
    @outlined void claim_failure(@global uchar* slots, long slot, int step, int component, int kind,
                       long clock, long position, long index, long low, long high) {
      @global uchar* s = slots + slot * BYTES;
      const int holder = *(@global int*)(s + STEP);
      if (holder != 0 && holder != step + 1) return;
      *(@global int*)(s + ITERATION) = (int)clock;
      *(@global int*)(s + LAUNCH) = (int)(clock >> 32);
      *(@global int*)(s + COMPONENT) = component;
      *(@global int*)(s + KIND) = kind;
      *(@global long*)(s + POSITION) = position;
      *(@global long*)(s + INDEX) = index;
      *(@global long*)(s + LOW) = low;
      *(@global long*)(s + HIGH) = high;
      *(@global int*)(s + STEP) = step + 1;
      *(@global int*)(slots + ANY) = 1;
    }
    """
        .replace("BYTES", Integer.toString(FailureSlot.BYTES))
        .replace("ITERATION", Integer.toString(FailureSlot.ITERATION))
        .replace("LAUNCH", Integer.toString(FailureSlot.LAUNCH))
        .replace("COMPONENT", Integer.toString(FailureSlot.COMPONENT))
        .replace("KIND", Integer.toString(FailureSlot.KIND))
        .replace("POSITION", Integer.toString(FailureSlot.POSITION))
        .replace("INDEX", Integer.toString(FailureSlot.INDEX))
        .replace("LOW", Integer.toString(FailureSlot.LOW))
        .replace("HIGH", Integer.toString(FailureSlot.HIGH))
        .replace("STEP", Integer.toString(FailureSlot.STEP))
        .replace("ANY", Integer.toString(FailureSlot.ANY));
  }

  /// How a step looks at one of its positions, named `scan`, for a failure.
  ///
  /// @param declarations of what `look` sets
  /// @param look statements
  /// @param isBad text of whether the position fails
  public record Probe(String declarations, String look, String isBad, Claim claim) {}

  /// Texts of what is said about the position that a [Probe] finds.
  ///
  /// @param kind one of the kinds of [FailureSlot]
  /// @param component of an index tuple, an `int`
  /// @param values index, smallest and largest legal value, parted by commas
  public record Claim(int kind, String component, String values) {}

  /// Statements that report the first failure in the row (or run) of the work item that failed at
  /// `position`. A slot that is claimed already needs no second look: what is there, or will be
  /// when the launch ends, is the first failure of an earlier step or of this one.
  ///
  /// @param positions text of the number of positions in the whole run
  public static String report(FailurePoint point, String positions, Probe probe) {
    String begin = point.perRow() ? "position / ROW * ROW" : "0";
    String end = point.perRow() ? "begin + ROW" : positions;
    String slot = point.perRow() ? "1 + begin / ROW" : "0";
    return """
    {
      const long begin = BEGIN, end = END;
      if (failure_is_open(failures, SLOT)) {
        long scan = begin;
        DECLARATIONS
        for (; scan < end; scan++) {
          LOOK
          if (IS_BAD) break;
        }
        claim_failure(failures, SLOT, FSTEP, FCOMPONENT, FKIND, FCLOCK, scan, VALUES);
      }
    }\
    """
        .replace("BEGIN", begin)
        .replace("END", end)
        .replace("SLOT", slot)
        .replace("FSTEP", Integer.toString(point.step()))
        .replace("FKIND", Integer.toString(probe.claim().kind()))
        .replace("FCLOCK", point.timed() ? CLOCK : "-1L")
        .replace("FCOMPONENT", probe.claim().component())
        .replace("ROW", Math.max(1, point.positionsPerRow()) + "L")
        .replace("DECLARATIONS", probe.declarations())
        .replace("LOOK", probe.look())
        .replace("IS_BAD", probe.isBad())
        .replace("VALUES", probe.claim().values());
  }

  /// Declarations, ahead of all else, for a work-group that decides over a failure together.
  public static String openGroup() {
    return """
    @shared int group_failed;
    if (t == 0) group_failed = 0;
    @barrier;\
    """;
  }

  /// Statement with which a work item makes its mark known to its group, ahead of a barrier. Only
  /// one that failed runs the atomic, which keeps several marks from being a data race.
  public static String markGroup() {
    return "if (failed) @atomicOr(&group_failed, 1);";
  }

  /// Text of whether this work item is the one that reports for its group what some of it have
  /// marked, where all are behind a barrier. It alone then reads what earlier kernels left in the
  /// slot; nothing that the others do depends on it, so that none goes where others do not.
  public static String reportsForGroup() {
    return "t == 0 && group_failed";
  }
}
