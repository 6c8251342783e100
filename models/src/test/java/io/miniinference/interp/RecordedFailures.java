package io.miniinference.interp;

import io.miniinference.interp.memory.FailureSink;
import java.util.ArrayList;
import java.util.List;

/// Keeps what was reported, as text.
final class RecordedFailures implements FailureSink {
  final List<String> reports = new ArrayList<>();

  @Override
  public void index(long row, long position, long index, long low, long high, int axis) {
    reports.add(
        "row %d position %d: %d not in [%d, %d] on axis %d"
            .formatted(row, position, index, low, high, axis));
  }

  @Override
  public void divisionByZero(long row, long position) {
    reports.add("row %d position %d: division by zero".formatted(row, position));
  }
}
