package io.miniinference.bench.measure;

/// A benchmark that cannot be run, or would have timed a wrong answer.
public final class BenchException extends RuntimeException {
  private static final long serialVersionUID = 1;

  public BenchException(String message) {
    super(message);
  }

  public BenchException(String message, Throwable cause) {
    super(message, cause);
  }

  /// Whether an exception is of the engine or of its benchmarks, whose messages tell thing, value
  /// and remedy.
  public static boolean isOurs(Exception e) {
    return e.getClass().getName().startsWith("io.miniinference.");
  }

  @Override
  public String getMessage() {
    return String.valueOf(super.getMessage());
  }
}
