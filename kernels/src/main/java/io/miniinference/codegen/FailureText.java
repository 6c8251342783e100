package io.miniinference.codegen;

import io.miniinference.lower.FailurePoint;
import io.miniinference.lower.FailureSlot;

/// OpenCL C text of the failure protocol: claiming a slot.
public final class FailureText {
  /// The variable that holds when the kernel runs, where that is told.
  public static final String CLOCK = "clock";

  private FailureText() {}

  private static final Template FUNCTIONS =
      Template.of(
          "failure slots",
          """
          @outlined int failure_is_open(@global uchar* slots, long slot) {
            return *(@global int*)(slots + slot * $bytes + $step) == 0;
          }
          @outlined void claim_failure(@global uchar* slots, long slot, int step, int component, int kind,
                             long clock, long position, long index, long low, long high) {
            @global uchar* s = slots + slot * $bytes;
            const int holder = *(@global int*)(s + $step);
            if (holder != 0 && holder != step + 1) return;
            *(@global int*)(s + $iteration) = (int)clock;
            *(@global int*)(s + $launch) = (int)(clock >> 32);
            *(@global int*)(s + $component) = component;
            *(@global int*)(s + $kind) = kind;
            *(@global long*)(s + $position) = position;
            *(@global long*)(s + $index) = index;
            *(@global long*)(s + $low) = low;
            *(@global long*)(s + $high) = high;
            *(@global int*)(s + $step) = step + 1;
            *(@global int*)(slots + $any) = 1;
          }
          """);

  /// The functions that look at a slot and that claim it, unless an earlier step has it. All work
  /// items of a launch that fail in one slot write the same bytes, and all that fail in any write
  /// the same word for the run, so that no atomics are needed.
  public static String functions() {
    return FUNCTIONS
            .with("bytes", FailureSlot.BYTES)
            .with("iteration", FailureSlot.ITERATION)
            .with("launch", FailureSlot.LAUNCH)
            .with("component", FailureSlot.COMPONENT)
            .with("kind", FailureSlot.KIND)
            .with("position", FailureSlot.POSITION)
            .with("index", FailureSlot.INDEX)
            .with("low", FailureSlot.LOW)
            .with("high", FailureSlot.HIGH)
            .with("step", FailureSlot.STEP)
            .with("any", FailureSlot.ANY)
            .text()
        + "\n";
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

  private static final Template REPORT =
      Template.of(
          "report of a failure",
          """
          {
            const long begin = $begin, end = $end;
            if (failure_is_open(failures, $slot)) {
              long scan = begin;
              $declarations
              for (; scan < end; scan++) {
                $look
                if ($isBad) break;
              }
              claim_failure(failures, $slot, $step, $component, $kind, $clock, scan, $values);
            }
          }
          """);

  /// Statements that report the first failure in the row (or run) of the work item that failed at
  /// `position`. A slot that is claimed already needs no second look: what is there, or will be
  /// when the launch ends, is the first failure of an earlier step or of this one.
  ///
  /// @param positions text of the number of positions in the whole run
  public static String report(FailurePoint point, String positions, Probe probe) {
    String row = Math.max(1, point.positionsPerRow()) + "L";
    return REPORT
        .with("begin", point.perRow() ? "position / " + row + " * " + row : "0")
        .with("end", point.perRow() ? "begin + " + row : positions)
        .with("slot", point.perRow() ? "1 + begin / " + row : "0")
        .with("step", point.step())
        .with("kind", probe.claim().kind())
        .with("clock", point.timed() ? CLOCK : "-1L")
        .with("component", probe.claim().component())
        .with("declarations", probe.declarations())
        .with("look", probe.look())
        .with("isBad", probe.isBad())
        .with("values", probe.claim().values())
        .text();
  }

  private static final Template OPEN_GROUP =
      Template.of(
          "failure of a group",
          """
          @shared int group_failed;
          if (t == 0) group_failed = 0;
          @barrier;
          """);

  /// Declarations, ahead of all else, for a work-group that decides over a failure together.
  public static String openGroup() {
    return OPEN_GROUP.text();
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
