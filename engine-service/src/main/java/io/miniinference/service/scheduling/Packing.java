package io.miniinference.service.scheduling;

/// How requests of a model may be put together.
///
/// @param maxRows most rows of a batch; 0 where each request runs alone
/// @param maxDelayNanos longest wait for others, while others run
/// @param bySizes whether only those of equal sizes run together, since the model has open ones
record Packing(int maxRows, long maxDelayNanos, boolean bySizes) {
  static final Packing OFF = new Packing(0, 0);

  /// Of requests that may all run together.
  Packing(int maxRows, long maxDelayNanos) {
    this(maxRows, maxDelayNanos, false);
  }

  boolean isOn() {
    return maxRows > 1;
  }
}
