package io.miniinference.cost;

/// What a machine reaches at most, measured or stated.
///
/// @param gflops 10⁹ floating-point operations a second, in multiply-adds of 32-bit floats
/// @param gigabytes 10⁹ bytes a second, read from or written to its memory
public record Peaks(double gflops, double gigabytes) {
  public Peaks {
    if (!(gflops > 0 && gigabytes > 0)) {
      throw new IllegalArgumentException(
          "peaks of %s GFLOP/s and %s GB/s: both are above 0".formatted(gflops, gigabytes));
    }
  }

  /// The time in µs below which that work cannot be done, everything being in memory before and
  /// after.
  public double boundMicros(Work work) {
    return Math.max(work.operations() / gflops, work.bytes() / gigabytes) / 1e3;
  }
}
