package io.miniinference.device.nvml;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;
import java.util.function.ToDoubleFunction;

/// What can be read of a GPU. Each is a function of NVML that takes the GPU and fills a structure.
public enum GpuReading {
  /// Power that it draws, in watts.
  POWER("nvmlDeviceGetPowerUsage", answer -> milli(answer.get(JAVA_INT, 0))),
  /// Power that it may draw, in watts.
  POWER_LIMIT("nvmlDeviceGetEnforcedPowerLimit", answer -> milli(answer.get(JAVA_INT, 0))),
  /// Energy that it took since its driver was loaded, in joules.
  ENERGY("nvmlDeviceGetTotalEnergyConsumption", answer -> milli(answer.get(JAVA_LONG, 0))),
  /// Share of the last sampling period in which a kernel ran, from 0 to 1; of all processes.
  UTILIZATION("nvmlDeviceGetUtilizationRates", answer -> answer.get(JAVA_INT, 0) / 100.0),
  /// Its memory in bytes.
  MEMORY_TOTAL("nvmlDeviceGetMemoryInfo", answer -> answer.get(JAVA_LONG, 0)),
  /// What all processes and the driver have taken of it, in bytes.
  MEMORY_USED("nvmlDeviceGetMemoryInfo", answer -> answer.get(JAVA_LONG, 2L * Long.BYTES));

  /// Of the largest structure, that of memory: total, free and used bytes.
  static final long ANSWER_BYTES = 3L * Long.BYTES;

  private static final double MILLI = 1e3;

  private final String function;
  private final ToDoubleFunction<MemorySegment> value;

  GpuReading(String function, ToDoubleFunction<MemorySegment> value) {
    this.function = function;
    this.value = value;
  }

  private static double milli(long thousandths) {
    return thousandths / MILLI;
  }

  String function() {
    return function;
  }

  double of(MemorySegment answer) {
    return value.applyAsDouble(answer);
  }
}
