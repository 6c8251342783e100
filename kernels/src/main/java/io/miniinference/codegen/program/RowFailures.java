package io.miniinference.codegen.program;

import io.miniinference.codegen.Template;
import io.miniinference.lower.FailurePoint;
import io.miniinference.lower.FailureSlot;
import java.util.List;
import java.util.stream.Collectors;

/// Text of how a piece of a batch fails: its steps claim slots at the start of the lane's arena, as
/// if it were a batch of its own, and what they say there is handed on to the rows of the batch.
final class RowFailures {
  private static final Template POSITIONS_OF_ROW =
      Template.of(
          "positions of a row",
          """
          @outlined long positions_of_row(@global const ulong* t, int step) {
            $cases
            return 0;
          }
          """);

  private static final Template HANDING_ON =
      Template.of(
          "failures of a piece",
          """
          @outlined void hand_on_failures(@global const uchar* piece, @global uchar* batch, @global const ulong* t, long row, int m) {
            for (int r = 1; r <= m; r++) {
              @global const uchar* from = piece + r * $bytes;
              @global uchar* to = batch + (row + r) * $bytes;
              const int step = *(@global const int*)(from + $step) - 1;
              if (step < 0) continue;
              for (int i = 0; i < $bytes; i++) to[i] = from[i];
              *(@global long*)(to + $position) += row * positions_of_row(t, step);
            }
            *(@global int*)(batch + $any) = 1;
          }
          """);

  private static final Template CLEAR =
      Template.of(
          "empty failure slots",
          "for (long i = 0; i < (m + 1L) * $bytes / 8; i++) ((@global long*)(pool + $slots))[i] = 0;");

  private static final Template LOOK =
      Template.of(
          "look at failure slots",
          "if (*(@global const int*)(pool + $slots + $any)) hand_on_failures(pool + $slots, pool + $all, t, row, m);");

  private static final Template POSITIONS =
      Template.of("positions of a step", "if (step == $step) return ${positions}L;");

  private RowFailures() {}

  static String functions(List<FailurePoint> points) {
    String cases =
        points.stream()
            .map(point ->
                POSITIONS
                    .with("step", point.step())
                    .with("positions", point.positionsPerRow())
                    .text())
            .collect(Collectors.joining("\n"));
    return POSITIONS_OF_ROW.with("cases", cases).text() + "\n" + handingOn();
  }

  /// A function that hands failures on. What `positions_of_row` tells of a step it takes from the
  /// table of the launch, or knows.
  static String handingOn() {
    return HANDING_ON
            .with("bytes", FailureSlot.BYTES)
            .with("step", FailureSlot.STEP)
            .with("position", FailureSlot.POSITION)
            .with("any", FailureSlot.ANY)
            .text()
        + "\n";
  }

  /// Statement that empties the slots of `m` rows.
  static String clear(String slots) {
    return CLEAR.with("bytes", FailureSlot.BYTES).with("slots", slots).text();
  }

  /// Statement that hands on what is in the slots of `m` rows from `row` on.
  ///
  /// @param all the slots of the batch
  static String handOn(String slots, String all) {
    return LOOK.with("any", FailureSlot.ANY).with("slots", slots).with("all", all).text();
  }
}
