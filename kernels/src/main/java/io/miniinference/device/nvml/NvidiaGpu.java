package io.miniinference.device.nvml;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.util.List;
import java.util.OptionalDouble;

/// One of NVIDIA's GPUs, as the management library of its driver shows it.
public final class NvidiaGpu {
  private static final String LIBRARY = "libnvidia-ml.so.1";

  private final Nvml nvml;
  private final MemorySegment handle;
  private final String uuid;

  NvidiaGpu(Nvml nvml, MemorySegment handle, String uuid) {
    this.nvml = nvml;
    this.handle = handle;
    this.uuid = uuid;
  }

  /// Those that this process may see, in a container those that it was given; none without the
  /// library, which a container has with the driver's capability `utility`.
  public static List<NvidiaGpu> all() {
    try {
      return Nvml.gpus(SymbolLookup.libraryLookup(LIBRARY, Arena.global()));
    } catch (IllegalArgumentException e) {
      return List.of();
    }
  }

  /// Such as `GPU-343e99ad-71f5-1dfd-5bae-465f0829c49a`.
  public String uuid() {
    return uuid;
  }

  /// What it tells now; empty if it does not.
  public OptionalDouble read(GpuReading reading) {
    return nvml.read(handle, reading);
  }
}
