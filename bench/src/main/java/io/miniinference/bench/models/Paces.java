package io.miniinference.bench.models;

import io.miniinference.bench.measure.Pace;
import io.miniinference.bench.measure.Slice;
import io.miniinference.bench.suite.Setting;
import io.miniinference.device.DeviceInfo;
import java.time.Duration;

/// How two engines of one process take turns.
public final class Paces {
  private static final int ROUNDS = 21;

  /// Some times as long as the shortest requests take.
  private static final Duration GAP = Duration.ofNanos(100_000);

  private Paces() {}

  public static Pace of(DeviceInfo device, Setting setting) {
    return setting.quick()
        ? pace(3, 5, 0, new Slice(millis(2), millis(5), 1))
        : switch (device.kind()) {
          case OPENCL_GPU -> pace(ROUNDS, 150, 0, new Slice(millis(15), millis(40), 3));
          // the other's threads spin on for a while
          case OPENCL_CPU -> pace(ROUNDS, 300, 30, new Slice(millis(20), millis(60), 3));
          case JVM -> pace(ROUNDS, 3000, 30, new Slice(millis(20), millis(60), 3));
        };
  }

  /// From how many loads of the models pairs are taken, [#ofOneLoad] from each. A GPU's loads are
  /// quick, and differ more from each other.
  static int loads(DeviceInfo device, Setting setting) {
    return setting.quick() ? 1 : device.kind() == DeviceInfo.Kind.OPENCL_GPU ? 80 : 15;
  }

  /// As [#of], in one of several loads.
  static Pace ofOneLoad(DeviceInfo device, Setting setting) {
    return setting.quick()
        ? of(device, setting)
        : switch (device.kind()) {
          case OPENCL_GPU -> pace(2, 10, 0, new Slice(millis(2), millis(8), 3, GAP));
          // short turns, since others on the machine come and go in tenths of a second
          case OPENCL_CPU -> pace(10, 100, 2, new Slice(millis(2), millis(8), 3));
          case JVM -> pace(10, 1000, 2, new Slice(millis(2), millis(8), 3));
        };
  }

  private static Pace pace(int rounds, long warmUp, long pause, Slice slice) {
    return new Pace(rounds, millis(warmUp), millis(pause), slice);
  }

  private static Duration millis(long count) {
    return Duration.ofMillis(count);
  }
}
