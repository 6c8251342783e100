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

  /// Models on a device, as `./mie bench models` runs them.
  static Course of(DeviceInfo.Kind kind, Setting setting) {
    return switch (kind) {
      case OPENCL_GPU ->
          new Course(
              batches(setting, 1, 8, 64, 256, 1024),
              List.of(Memory.values()),
              pace(setting, gpu()),
              false);
      case OPENCL_CPU ->
          new Course(
              batches(setting, 1, 32, 256), List.of(Memory.ORDINARY), pace(setting, cpu()), false);
      case JVM ->
          new Course(
              batches(setting, 1, 32, 256), List.of(Memory.ORDINARY), pace(setting, jvm()), false);
    };
  }

  /// Images per second on the JVM alone.
  static Course ofJvm(Setting setting) {
    return new Course(
        batches(setting, 1, 32), List.of(Memory.ORDINARY), pace(setting, jvm()), true);
  }

  private static List<Integer> batches(Setting setting, Integer... usual) {
    List<Integer> chosen = setting.selection().batches();
    return chosen.isEmpty() ? List.of(usual) : chosen;
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
