package io.miniinference.runtime;

import java.util.List;

/// A request of which at least one row failed on the device. Rows of others are not touched.
public final class RequestFailedException extends RuntimeException {
  private static final long serialVersionUID = 1L;
  private final transient List<FailureReport> failures;

  /// @param failures at least one, the run's own first, then by row
  public RequestFailedException(List<FailureReport> failures) {
    super(describe(failures));
    this.failures = List.copyOf(failures);
  }

  public List<FailureReport> failures() {
    return failures;
  }

  private static String describe(List<FailureReport> failures) {
    String first = failures.getFirst().message();
    List<String> rows =
        failures.stream()
            .skip(1)
            .filter(f -> f.row() != null)
            .map(f -> String.valueOf(f.row()))
            .toList();
    return switch (rows.size()) {
      case 0 -> first;
      case 1 -> first + "; one more row failed: " + rows.getFirst();
      default -> first + "; " + rows.size() + " more rows failed: " + String.join(", ", rows);
    };
  }
}
