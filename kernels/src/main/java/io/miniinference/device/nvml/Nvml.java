package io.miniinference.device.nvml;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/// The library, opened: its functions by name, and the GPUs that it shows this process.
///
/// @see <a href="https://docs.nvidia.com/deploy/nvml-api/">NVML API reference</a>
final class Nvml {
  private static final int SUCCESS = 0;

  /// `NVML_DEVICE_UUID_V2_BUFFER_SIZE`.
  private static final int UUID_BYTES = 96;

  private final SymbolLookup library;

  private Nvml(SymbolLookup library) {
    this.library = library;
  }

  /// The GPUs that a library shows; none if it cannot begin, as where there is no driver.
  static List<NvidiaGpu> gpus(SymbolLookup library) {
    var nvml = new Nvml(library);
    List<NvidiaGpu> gpus = new ArrayList<>();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment count = arena.allocate(JAVA_INT);
      if (nvml.succeeds("nvmlInit_v2") && nvml.succeeds("nvmlDeviceGetCount_v2", count)) {
        for (int i = 0; i < count.get(JAVA_INT, 0); i++) {
          nvml.addGpu(i, gpus);
        }
      }
    }
    return List.copyOf(gpus);
  }

  private void addGpu(int index, List<NvidiaGpu> gpus) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment handle = arena.allocate(ADDRESS);
      MemorySegment uuid = arena.allocate(UUID_BYTES);
      if (succeeds("nvmlDeviceGetHandleByIndex_v2", index, handle)
          && succeeds("nvmlDeviceGetUUID", handle.get(ADDRESS, 0), uuid, UUID_BYTES)) {
        gpus.add(new NvidiaGpu(this, handle.get(ADDRESS, 0), uuid.getString(0)));
      }
    }
  }

  /// Reads a GPU; empty if it does not tell, as one that is cut into instances does not say how
  /// busy it is.
  OptionalDouble read(MemorySegment gpu, GpuReading reading) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment answer = arena.allocate(GpuReading.ANSWER_BYTES, Long.BYTES);
      return succeeds(reading.function(), gpu, answer)
          ? OptionalDouble.of(reading.of(answer))
          : OptionalDouble.empty();
    }
  }

  /* They are called once in a scrape, so that a handle for each call costs nothing that counts. */
  private boolean succeeds(String function, Object... arguments) {
    MemoryLayout[] layouts = new MemoryLayout[arguments.length];
    for (int i = 0; i < arguments.length; i++) {
      layouts[i] = arguments[i] instanceof Integer ? JAVA_INT : ADDRESS;
    }
    return library
        .find(function)
        .map(address ->
            Linker.nativeLinker().downcallHandle(address, FunctionDescriptor.of(JAVA_INT, layouts)))
        .map(call -> {
          try {
            return (int) call.invokeWithArguments(arguments) == SUCCESS;
          } catch (Throwable e) {
            throw new IllegalStateException(function + " cannot be called", e);
          }
        })
        .orElse(false);
  }
}
