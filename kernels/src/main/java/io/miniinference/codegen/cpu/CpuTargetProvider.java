package io.miniinference.codegen.cpu;

import io.miniinference.device.DeviceInfo;
import io.miniinference.lower.Precision;
import io.miniinference.lower.Target;
import io.miniinference.lower.TargetProvider;

/// Offers kernels for OpenCL on CPUs.
public final class CpuTargetProvider implements TargetProvider {
  @Override
  public String name() {
    return "cpu";
  }

  @Override
  public Fit fit(DeviceInfo device) {
    return switch (device.kind()) {
      case OPENCL_CPU -> Fit.SUITS;
      case OPENCL_GPU -> Fit.RUNS;
      case JVM -> Fit.NONE;
    };
  }

  @Override
  public Target<?> target() {
    return new CpuTarget();
  }

  @Override
  public Target<?> target(Precision precision) {
    return precision == Precision.DIRECT ? CpuTarget.direct() : target();
  }

  @Override
  public Target<?> target(DeviceInfo device, Precision precision) {
    CpuTarget target = precision == Precision.DIRECT ? CpuTarget.direct() : new CpuTarget();
    return device.byteSums() ? target.withByteSums() : target;
  }
}
