package io.miniinference.service.scheduling;

/// How requests of a model may be put together.
///
/// @param maxRows most rows of a batch; 0 where each request runs alone
/// @param maxDelayNanos longest wait for others, while others run
record Packing(int maxRows, long maxDelayNanos) {
  static final Packing OFF = new Packing(0, 0);

  boolean isOn() {
    return maxRows > 1;
  }
}
