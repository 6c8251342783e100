package io.miniinference.codegen.jvm;

import io.miniinference.device.DeviceInfo;
import io.miniinference.lower.Target;
import io.miniinference.lower.TargetProvider;

/// Offers kernels in Java.
public final class JvmTargetProvider implements TargetProvider {
  @Override
  public String name() {
    return "jvm";
  }

  @Override
  public Fit fit(DeviceInfo device) {
    return switch (device.kind()) {
      case JVM -> Fit.SUITS;
      case OPENCL_CPU, OPENCL_GPU -> Fit.NONE;
    };
  }

  @Override
  public Target<?> target() {
    return new JvmTarget();
  }
}
