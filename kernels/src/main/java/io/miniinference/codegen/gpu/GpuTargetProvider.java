package io.miniinference.codegen.gpu;

import io.miniinference.device.DeviceInfo;
import io.miniinference.lower.Target;
import io.miniinference.lower.TargetProvider;

/// Offers kernels for OpenCL on GPUs.
public final class GpuTargetProvider implements TargetProvider {
  @Override
  public String name() {
    return "gpu";
  }

  @Override
  public Fit fit(DeviceInfo device) {
    return switch (device.kind()) {
      case OPENCL_GPU -> Fit.SUITS;
      case OPENCL_CPU -> Fit.RUNS;
      case JVM -> Fit.NONE;
    };
  }

  @Override
  public Target<?> target() {
    return new GpuTarget();
  }
}
