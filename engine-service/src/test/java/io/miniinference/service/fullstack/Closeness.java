package io.miniinference.service.fullstack;

/// The tolerance of results: `|x − y| ≤ 1e-3·|y| + 1e-5·max|y|`.
final class Closeness {
  private Closeness() {}

  static void check(float[] actual, float[] expected) {
    if (actual.length != expected.length) {
      throw new AssertionError(actual.length + " values, expected " + expected.length);
    }
    double slack = 1e-5 * largest(expected);
    for (int i = 0; i < expected.length; i++) {
      double difference = Math.abs((double) actual[i] - expected[i]);
      if (!(difference <= 1e-3 * Math.abs(expected[i]) + slack)) {
        throw new AssertionError("value " + i + " is " + actual[i] + ", expected " + expected[i]);
      }
    }
  }

  private static double largest(float[] values) {
    double largest = 0;
    for (float value : values) {
      largest = Math.max(largest, Math.abs(value));
    }
    return largest;
  }
}
