package io.miniinference.codegen.gpu;

import io.miniinference.codegen.gpu.tile.TensorProducts;
import io.miniinference.device.DeviceInfo;
import io.miniinference.lower.Precision;
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

  @Override
  public Target<?> target(Precision precision) {
    return new GpuTarget(isPlain(precision) ? TensorProducts.NONE : TensorProducts.PTX, precision);
  }

  @Override
  public Target<?> target(DeviceInfo device, Precision precision) {
    return new GpuTarget(isPlain(precision) ? TensorProducts.NONE : products(device), precision);
  }

  /* Without tensor cores. */
  private static boolean isPlain(Precision precision) {
    return precision == Precision.F32 || precision == Precision.DIRECT;
  }

  /* An OpenCL CPU runs kernels of this writer for the sake of tests only. */
  private static TensorProducts products(DeviceInfo device) {
    if (device.tensorCores()) {
      return TensorProducts.PTX;
    }
    return device.kind() == DeviceInfo.Kind.OPENCL_CPU
        ? TensorProducts.PORTABLE
        : TensorProducts.NONE;
  }
}
