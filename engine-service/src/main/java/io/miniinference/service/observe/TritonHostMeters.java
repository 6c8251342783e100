package io.miniinference.service.observe;

import com.sun.management.OperatingSystemMXBean;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.miniinference.device.nvml.GpuReading;
import io.miniinference.device.nvml.NvidiaGpu;
import io.miniinference.service.config.EngineProperties;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleUnaryOperator;
import org.springframework.stereotype.Component;

/// What Triton tells of GPUs, processors and memory, under its names, if models are told so. What a
/// GPU does not say has no series; processors and memory are those of the container, if there is
/// one.
@Component
final class TritonHostMeters {
  private static final Map<GpuReading, String> NAMES =
      Map.of(
          GpuReading.POWER, "nv_gpu_power_usage",
          GpuReading.POWER_LIMIT, "nv_gpu_power_limit",
          GpuReading.ENERGY, "nv_energy_consumption",
          GpuReading.UTILIZATION, "nv_gpu_utilization",
          GpuReading.MEMORY_TOTAL, "nv_gpu_memory_total_bytes",
          GpuReading.MEMORY_USED, "nv_gpu_memory_used_bytes");

  private final MeterRegistry registry;

  TritonHostMeters(MeterRegistry registry, EngineProperties properties) {
    this.registry = registry;
    if (properties.metrics().tritonNames()) {
      showHost();
      show(NvidiaGpu.all());
    }
  }

  private void showHost() {
    var system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    Gauge.builder("nv_cpu_utilization", system, OperatingSystemMXBean::getCpuLoad)
        .description("Share of the processors that is busy, from 0 to 1")
        .register(registry);
    Gauge.builder("nv_cpu_memory_total_bytes", system, OperatingSystemMXBean::getTotalMemorySize)
        .description("Memory in bytes")
        .register(registry);
    Gauge.builder(
            "nv_cpu_memory_used_bytes",
            system,
            all -> all.getTotalMemorySize() - all.getFreeMemorySize())
        .description("Memory that is taken, in bytes")
        .register(registry);
  }

  private void show(List<NvidiaGpu> gpus) {
    for (NvidiaGpu gpu : gpus) {
      NAMES.forEach((reading, name) ->
          gpu.read(reading).ifPresent(now -> show(gpu, reading, name, sinceStart(reading, now))));
    }
  }

  /* Triton's energy is that since its start, and NVML's that since the driver's. */
  private static DoubleUnaryOperator sinceStart(GpuReading reading, double atStart) {
    return reading == GpuReading.ENERGY ? now -> now - atStart : now -> now;
  }

  private void show(NvidiaGpu gpu, GpuReading reading, String name, DoubleUnaryOperator shown) {
    Gauge.builder(name, gpu, each -> shown.applyAsDouble(each.read(reading).orElse(Double.NaN)))
        .tag("gpu_uuid", gpu.uuid())
        .register(registry);
  }
}
