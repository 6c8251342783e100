package io.miniinference.bench.models;

import io.miniinference.bench.measure.Slice;
import io.miniinference.bench.measure.Timing;
import io.miniinference.bench.suite.Setting;
import io.miniinference.device.DeviceInfo;
import java.time.Duration;

/// How models take turns on a kind of device.
final class Timings {
  private static final int ROUNDS = 15;

  /// Some times as long as the shortest requests take.
  private static final Duration GAP = Duration.ofNanos(100_000);

  private Timings() {}

  /// Threads of one runner on a CPU spin on for a while and would take cores from the next, so that
  /// turns there have pauses between them; on the JVM, kernels must be compiled before they count.
  static Timing of(DeviceInfo.Kind kind, Setting setting) {
    return setting.isQuick()
        ? Timing.of(3, 5, 0, Slice.of(2, 5, 1))
        : switch (kind) {
          case OPENCL_GPU -> Timing.of(ROUNDS, 150, 0, Slice.of(15, 40, 3));
          case OPENCL_CPU -> Timing.of(ROUNDS, 600, 60, Slice.of(40, 100, 3));
          case JVM -> Timing.of(ROUNDS, 3000, 60, Slice.of(40, 100, 3));
        };
  }

  /// From how many loads of the models pairs are taken, [#ofOneLoad] from each. A GPU's loads are
  /// quick, and differ more from each other.
  static int loads(DeviceInfo.Kind kind, Setting setting) {
    return setting.isQuick() ? 1 : kind == DeviceInfo.Kind.OPENCL_GPU ? 80 : 15;
  }

  /// As [#of], in one of several loads. Turns are short, since others on the machine come and go in
  /// tenths of a second.
  static Timing ofOneLoad(DeviceInfo.Kind kind, Setting setting) {
    Slice slice = Slice.of(2, 8, 3);
    return setting.isQuick()
        ? of(kind, setting)
        : switch (kind) {
          case OPENCL_GPU -> Timing.of(2, 10, 0, slice.withGaps(GAP));
          case OPENCL_CPU -> Timing.of(10, 100, 2, slice);
          case JVM -> Timing.of(10, 1000, 2, slice);
        };
  }
}
