package io.miniinference.engine;

import io.miniinference.ir.Tensor;
import io.miniinference.runtime.FailureReport;
import java.util.List;
import java.util.Map;

/// The answer to a request some of whose rows may have failed.
///
/// @param outputs by name, in the model's order. The rows of [#isWhole] are right; the others hold
///   anything
/// @param failures one for each row that failed, or for all rows together; empty if none did
public record RowAnswers(Map<String, Tensor> outputs, List<FailureReport> failures) {
  public RowAnswers {
    failures = List.copyOf(failures);
  }

  /// Whether a row's outputs are right: neither it failed nor the request as a whole.
  public boolean isWhole(int row) {
    return failures.stream().noneMatch(f -> f.row() == null || f.row() == row);
  }
}
