package io.miniinference.bench.models;

import io.miniinference.bench.measure.Timing;
import io.miniinference.bench.peer.Memory;
import io.miniinference.bench.suite.Setting;
import io.miniinference.device.DeviceInfo;
import java.util.List;

/// What is run on a kind of device, and for how long.
///
/// @param batches batch sizes, ascending
/// @param memories where inputs and outputs lie, in turn
/// @param throughput whether images per second are told, and not the arena's bytes
record Workload(List<Integer> batches, List<Memory> memories, Timing timing, boolean throughput) {
  Workload {
    batches = batches.stream().sorted().toList();
    memories = List.copyOf(memories);
  }

  static Workload of(DeviceInfo.Kind kind, boolean throughput, Setting setting) {
    boolean onGpu = kind == DeviceInfo.Kind.OPENCL_GPU;
    List<Integer> usual = throughput ? List.of(1, 32) : List.of(1, 32, 256);
    return new Workload(
        setting.batches(onGpu ? List.of(1, 8, 64, 256, 1024) : usual),
        onGpu ? List.of(Memory.values()) : List.of(Memory.ORDINARY),
        Timings.of(kind, setting),
        throughput);
  }
}
