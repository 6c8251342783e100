package io.miniinference.bench.models;

import io.miniinference.bench.measure.Pace;
import io.miniinference.bench.measure.Slice;
import io.miniinference.bench.peer.Memory;
import io.miniinference.bench.suite.Setting;
import io.miniinference.device.DeviceInfo;
import io.miniinference.runtime.LoadOptions;
import java.time.Duration;
import java.util.List;

/// What is run on a kind of device, and for how long.
///
/// @param batches batch sizes, ascending
/// @param memories where inputs and outputs lie, in turn
/// @param throughput whether images per second are told, too
record Course(List<Integer> batches, List<Memory> memories, Pace pace, boolean throughput) {
  private static final int ROUNDS = 15;

  Course {
    batches = batches.stream().sorted().toList();
    memories = List.copyOf(memories);
  }

  /// Models on a kind of device.
  static Course of(DeviceInfo.Kind kind, boolean throughput, Setting setting) {
    return switch (kind) {
      case OPENCL_GPU ->
          new Course(
              batches(setting, 1, 8, 64, 256, 1024),
              List.of(Memory.values()),
              pace(setting, gpu()),
              throughput);
      case OPENCL_CPU -> onCpu(batches(setting, 1, 32, 256), pace(setting, cpu()), throughput);
      case JVM ->
          throughput
              ? onCpu(batches(setting, 1, 32), pace(setting, jvm()), true)
              : onCpu(batches(setting, 1, 32, 256), pace(setting, jvm()), false);
    };
  }

  private static Course onCpu(List<Integer> batches, Pace pace, boolean throughput) {
    return new Course(batches, List.of(Memory.ORDINARY), pace, throughput);
  }

  private static List<Integer> batches(Setting setting, Integer... usual) {
    return setting.batches(List.of(usual));
  }

  private static Pace pace(Setting setting, Pace full) {
    var tiny = new Slice(Duration.ofMillis(2), Duration.ofMillis(5), 1);
    return setting.quick() ? new Pace(3, Duration.ofMillis(5), Duration.ZERO, tiny) : full;
  }

  /// Threads of one contestant spin on for a while and would take cores from the next.
  private static Pace cpu() {
    return cpu(Duration.ofMillis(600));
  }

  /// Here the kernels themselves must be compiled before they count.
  private static Pace jvm() {
    return cpu(Duration.ofSeconds(3));
  }

  private static Pace cpu(Duration warmUp) {
    var slice = new Slice(Duration.ofMillis(40), Duration.ofMillis(100), 3);
    return new Pace(ROUNDS, warmUp, Duration.ofMillis(60), slice);
  }

  /// Nobody's threads disturb anybody; a few runs wake up the clocks.
  private static Pace gpu() {
    var slice = new Slice(Duration.ofMillis(15), Duration.ofMillis(40), 3);
    return new Pace(ROUNDS, Duration.ofMillis(150), Duration.ZERO, slice);
  }

  LoadOptions loadOptions() {
    return LoadOptions.defaults().withMaxBatch(batches.getLast());
  }
}
