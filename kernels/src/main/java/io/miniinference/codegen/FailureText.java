package io.miniinference.codegen;

import io.miniinference.lower.FailurePoint;
import io.miniinference.lower.FailureSlot;

/// OpenCL C text of the failure protocol: claiming a slot.
public final class FailureText {
  private FailureText() {}

  /// The function that claims a slot unless an earlier step has it. All work items of a launch that
  /// fail in one slot write the same bytes, so that no atomics are needed.
  public static String claimFunction() {
    return """
    void claim_failure(global uchar* slots, long slot, int step, int kind,
                       long position, long index, long low, long high) {
      global uchar* s = slots + slot * BYTES;
      const int holder = *(global int*)(s + STEP);
      if (holder != 0 && holder != step + 1) return;
      *(global int*)(s + ITERATION) = -1;
      *(global int*)(s + COMPONENT) = 0;
      *(global int*)(s + KIND) = kind;
      *(global long*)(s + POSITION) = position;
      *(global long*)(s + INDEX) = index;
      *(global long*)(s + LOW) = low;
      *(global long*)(s + HIGH) = high;
      *(global int*)(s + STEP) = step + 1;
    }
    """
        .replace("BYTES", Integer.toString(FailureSlot.BYTES))
        .replace("ITERATION", Integer.toString(FailureSlot.ITERATION))
        .replace("COMPONENT", Integer.toString(FailureSlot.COMPONENT))
        .replace("KIND", Integer.toString(FailureSlot.KIND))
        .replace("POSITION", Integer.toString(FailureSlot.POSITION))
        .replace("INDEX", Integer.toString(FailureSlot.INDEX))
        .replace("LOW", Integer.toString(FailureSlot.LOW))
        .replace("HIGH", Integer.toString(FailureSlot.HIGH))
        .replace("STEP", Integer.toString(FailureSlot.STEP));
  }

  /// Statements that report the first bad index of the failing work item's row (or of the run).
  ///
  /// @param point the step
  /// @param position variable: the linear position that this work item found bad
  /// @param positions text of the number of positions of the whole index tensor
  /// @param indexAt text of the index at linear position `scan`
  /// @param size text of the indexed dimension's extent
  public static String report(
      FailurePoint point, String position, String positions, String indexAt, String size) {
    String begin = point.perRow() ? position + " / ROW * ROW" : "0";
    String end = point.perRow() ? "begin + ROW" : positions;
    String slot = point.perRow() ? "1 + begin / ROW" : "0";
    return """
    {
      const long begin = BEGIN, end = END, size = SIZE;
      long scan = begin;
      long bad = 0;
      for (; scan < end; scan++) {
        bad = INDEX_AT;
        if (bad < -size || bad >= size) break;
      }
      claim_failure(failures, SLOT, FSTEP, FKIND, scan, bad, -size, size - 1);
    }
    """
        .replace("BEGIN", begin)
        .replace("END", end)
        .replace("SIZE", size)
        .replace("INDEX_AT", indexAt)
        .replace("SLOT", slot)
        .replace("FSTEP", Integer.toString(point.step()))
        .replace("FKIND", Integer.toString(FailureSlot.KIND_INDEX))
        .replace("ROW", point.positionsPerRow() + "L");
  }
}
