package io.miniinference.bench.models;

import io.miniinference.bench.measure.Pace;
import io.miniinference.bench.measure.Slice;
import io.miniinference.bench.suite.Setting;
import io.miniinference.device.DeviceInfo;
import java.time.Duration;

/// How two engines of one process take turns.
public final class Paces {
  private static final int ROUNDS = 21;

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

  private static Pace pace(int rounds, long warmUp, long pause, Slice slice) {
    return new Pace(rounds, millis(warmUp), millis(pause), slice);
  }

  private static Duration millis(long count) {
    return Duration.ofMillis(count);
  }
}
