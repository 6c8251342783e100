package io.miniinference.engine;

import io.miniinference.ir.Tensor;
import io.miniinference.runtime.FailureReport;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/// The answer to a request some of whose rows may have failed.
///
/// @param outputs by name, in the model's order. The rows of [#isWhole] are right; the others hold
///   anything
/// @param failures one for each row that failed, or for all rows together; empty if none did
/// @param rows of the request; 1 for a model without a batch
public record RowAnswers(Map<String, Tensor> outputs, List<FailureReport> failures, int rows) {
  public RowAnswers {
    failures = List.copyOf(failures);
  }

  /// Whether a row's outputs are right: neither it failed nor the request as a whole.
  ///
  /// @throws IndexOutOfBoundsException if the request has no such row
  public boolean isWhole(int row) {
    Objects.checkIndex(row, rows);
    return failures.stream().noneMatch(f -> f.row() == null || f.row() == row);
  }
}
