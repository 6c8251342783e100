package io.miniinference.device.nvml;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Readings of a library that stands in for NVML: two GPUs, of which the second is cut into
/// instances and does not say how busy it is. Its numbers are those that an H100 gave.
final class NvidiaGpuTest {
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
  void aGpuTellsWhatItDrawsTakesAndHas() throws Exception {
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
  void whatAGpuDoesNotTellIsEmpty() throws Exception {
    offerAll();
    functions.remove("nvmlDeviceGetPowerUsage");

    List<NvidiaGpu> gpus = Nvml.gpus(library);

    assertThat(gpus).extracting(NvidiaGpu::uuid).containsExactly("GPU-0", "GPU-1");
    assertThat(gpus.getLast().read(GpuReading.UTILIZATION)).isEmpty();
    assertThat(gpus.getLast().read(GpuReading.MEMORY_USED)).isPresent();
    assertThat(gpus.getFirst().read(GpuReading.POWER)).isEmpty();
  }

  @Test
  void withoutADriverThereIsNone() throws Exception {
    assertThat(Nvml.gpus(library)).isEmpty();

    offer("nvmlInit_v2", "fails");

    assertThat(Nvml.gpus(library)).isEmpty();
  }

  private void offerAll() throws Exception {
    offer("nvmlInit_v2", "begin");
    offer("nvmlDeviceGetCount_v2", "count", ADDRESS);
    offer("nvmlDeviceGetHandleByIndex_v2", "handle", JAVA_INT, ADDRESS);
    offer("nvmlDeviceGetUUID", "uuid", ADDRESS, ADDRESS, JAVA_INT);
    offer("nvmlDeviceGetPowerUsage", "power", ADDRESS, ADDRESS);
    offer("nvmlDeviceGetEnforcedPowerLimit", "limit", ADDRESS, ADDRESS);
    offer("nvmlDeviceGetTotalEnergyConsumption", "energy", ADDRESS, ADDRESS);
    offer("nvmlDeviceGetUtilizationRates", "utilization", ADDRESS, ADDRESS);
    offer("nvmlDeviceGetMemoryInfo", "memory", ADDRESS, ADDRESS);
  }

  private void offer(String function, String method, MemoryLayout... arguments) throws Exception {
    Class<?>[] types =
        Arrays.stream(arguments)
            .map(argument -> argument == JAVA_INT ? int.class : MemorySegment.class)
            .toArray(Class<?>[]::new);
    functions.put(
        function,
        Linker.nativeLinker()
            .upcallStub(
                MethodHandles.lookup()
                    .findStatic(
                        NvidiaGpuTest.class, method, MethodType.methodType(int.class, types)),
                FunctionDescriptor.of(JAVA_INT, arguments),
                arena));
  }

  private static int begin() {
    return 0;
  }

  private static int fails() {
    return DRIVER_NOT_LOADED;
  }

  private static int count(MemorySegment count) {
    count.reinterpret(Integer.BYTES).set(JAVA_INT, 0, 2);
    return 0;
  }

  /* The handle is the index and one. */
  private static int handle(int index, MemorySegment handle) {
    handle.reinterpret(ADDRESS.byteSize()).set(ADDRESS, 0, MemorySegment.ofAddress(index + 1));
    return 0;
  }

  private static int uuid(MemorySegment gpu, MemorySegment text, int length) {
    text.reinterpret(length).setString(0, "GPU-" + (gpu.address() - 1));
    return 0;
  }

  private static int power(MemorySegment gpu, MemorySegment milliwatts) {
    return answer(milliwatts, 70_443);
  }

  private static int limit(MemorySegment gpu, MemorySegment milliwatts) {
    return answer(milliwatts, 700_000);
  }

  private static int energy(MemorySegment gpu, MemorySegment millijoules) {
    millijoules.reinterpret(Long.BYTES).set(JAVA_LONG, 0, 7_830_269);
    return 0;
  }

  /* Percent: of the processors, then of the memory's interface. */
  private static int utilization(MemorySegment gpu, MemorySegment percent) {
    return gpu.address() == 1 ? answer(percent, 37, 12) : NOT_SUPPORTED;
  }

  private static int memory(MemorySegment gpu, MemorySegment bytes) {
    MemorySegment answer = bytes.reinterpret(3L * Long.BYTES);
    answer.setAtIndex(JAVA_LONG, 0, 85_520_809_984L);
    answer.setAtIndex(JAVA_LONG, 1, 85_017_493_504L);
    answer.setAtIndex(JAVA_LONG, 2, 503_316_480);
    return 0;
  }

  private static int answer(MemorySegment where, int... values) {
    for (int i = 0; i < values.length; i++) {
      where.reinterpret((long) values.length * Integer.BYTES).setAtIndex(JAVA_INT, i, values[i]);
    }
    return 0;
  }
}
