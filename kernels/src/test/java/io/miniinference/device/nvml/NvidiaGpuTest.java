package io.miniinference.device.nvml;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToIntFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Readings of a library that stands in for NVML: two GPUs, of which the second is cut into
/// instances and does not say how busy it is. Its numbers are those that an H100 gave.
final class NvidiaGpuTest {
  private static final int SUCCESS = 0;
  private static final int NOT_SUPPORTED = 3;
  private static final int DRIVER_NOT_LOADED = 9;

  private final Arena arena = Arena.ofShared();
  private final Map<String, MemorySegment> functions = new HashMap<>();
  private final SymbolLookup library = name -> Optional.ofNullable(functions.get(name));

  @AfterEach
  void close() {
    arena.close();
  }

  @Test
  void aGpuTellsWhatItDrawsTakesAndHas() throws ReflectiveOperationException {
    offerAll();

    NvidiaGpu gpu = Nvml.gpus(library).getFirst();

    assertThat(gpu.uuid()).isEqualTo("GPU-0");
    assertThat(gpu.read(GpuReading.POWER)).hasValue(70.443);
    assertThat(gpu.read(GpuReading.POWER_LIMIT)).hasValue(700);
    assertThat(gpu.read(GpuReading.ENERGY)).hasValue(7830.269);
    assertThat(gpu.read(GpuReading.UTILIZATION)).hasValue(0.37);
    assertThat(gpu.read(GpuReading.MEMORY_TOTAL)).hasValue(85_520_809_984.0);
    assertThat(gpu.read(GpuReading.MEMORY_USED)).hasValue(503_316_480.0);
  }

  @Test
  void whatAGpuDoesNotTellIsEmpty() throws ReflectiveOperationException {
    offerAll();
    functions.remove("nvmlDeviceGetPowerUsage");

    List<NvidiaGpu> gpus = Nvml.gpus(library);

    assertThat(gpus).extracting(NvidiaGpu::uuid).containsExactly("GPU-0", "GPU-1");
    assertThat(gpus.getLast().read(GpuReading.UTILIZATION)).isEmpty();
    assertThat(gpus.getLast().read(GpuReading.MEMORY_USED)).isPresent();
    assertThat(gpus.getFirst().read(GpuReading.POWER)).isEmpty();
  }

  @Test
  void withoutADriverThereIsNone() throws ReflectiveOperationException {
    assertThat(Nvml.gpus(library)).isEmpty();

    offer("nvmlInit_v2", _ -> DRIVER_NOT_LOADED);

    assertThat(Nvml.gpus(library)).isEmpty();
  }

  /* The handle of a GPU is its index and one. */
  private void offerAll() throws ReflectiveOperationException {
    offer("nvmlInit_v2", _ -> SUCCESS);
    offer("nvmlDeviceGetCount_v2", given -> ints(given[0], 2), ADDRESS);
    offer(
        "nvmlDeviceGetHandleByIndex_v2",
        given -> longs(given[1], 1 + (int) given[0]),
        JAVA_INT,
        ADDRESS);
    offer(
        "nvmlDeviceGetUUID",
        given -> {
          String uuid = "GPU-" + (((MemorySegment) given[0]).address() - 1);
          ((MemorySegment) given[1]).reinterpret((int) given[2]).setString(0, uuid);
          return SUCCESS;
        },
        ADDRESS,
        ADDRESS,
        JAVA_INT);
    offerOfGpu("nvmlDeviceGetPowerUsage", given -> ints(given[1], 70_443));
    offerOfGpu("nvmlDeviceGetEnforcedPowerLimit", given -> ints(given[1], 700_000));
    offerOfGpu("nvmlDeviceGetTotalEnergyConsumption", given -> longs(given[1], 7_830_269));
    // of the processors, then of the memory's interface
    offerOfGpu(
        "nvmlDeviceGetUtilizationRates",
        given ->
            ((MemorySegment) given[0]).address() == 1 ? ints(given[1], 37, 12) : NOT_SUPPORTED);
    offerOfGpu(
        "nvmlDeviceGetMemoryInfo",
        given -> longs(given[1], 85_520_809_984L, 85_017_493_504L, 503_316_480));
  }

  private void offerOfGpu(String function, ToIntFunction<Object[]> call)
      throws ReflectiveOperationException {
    offer(function, call, ADDRESS, ADDRESS);
  }

  private void offer(String function, ToIntFunction<Object[]> call, MemoryLayout... arguments)
      throws ReflectiveOperationException {
    Class<?>[] types =
        Arrays.stream(arguments)
            .map(argument -> argument == JAVA_INT ? int.class : MemorySegment.class)
            .toArray(Class<?>[]::new);
    MethodHandle target =
        MethodHandles.lookup()
            .findVirtual(
                ToIntFunction.class, "applyAsInt", MethodType.methodType(int.class, Object.class))
            .bindTo(call)
            .asType(MethodType.methodType(int.class, Object[].class))
            .asCollector(Object[].class, arguments.length)
            .asType(MethodType.methodType(int.class, types));
    functions.put(
        function,
        Linker.nativeLinker()
            .upcallStub(target, FunctionDescriptor.of(JAVA_INT, arguments), arena));
  }

  private static int ints(Object where, int... values) {
    MemorySegment answer =
        ((MemorySegment) where).reinterpret((long) values.length * Integer.BYTES);
    answer.copyFrom(MemorySegment.ofArray(values));
    return SUCCESS;
  }

  private static int longs(Object where, long... values) {
    MemorySegment answer = ((MemorySegment) where).reinterpret((long) values.length * Long.BYTES);
    answer.copyFrom(MemorySegment.ofArray(values));
    return SUCCESS;
  }
}
