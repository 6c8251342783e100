package io.miniinference.conformance;

import io.miniinference.codegen.gpu.GpuGenerator;
import io.miniinference.device.Devices;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Tag;

/// The GPU writer, whose kernels run on any OpenCL device at these sizes.
@Tag("opencl")
final class GpuWriterConformanceTest extends Conformance {
  private static final Set<String> LEFT_OUT =
      Set.of(
          "channels of convolutions",
          "widths of convolutions",
          "types of windows",
          "convolutions of views",
          "16 blocked channels",
          "33 blocked channels",
          "reductions of bf16",
          "reductions of i8",
          "reductions of u8",
          "reductions of i64",
          "lines of bf16",
          "products of bf16",
          "products of u8",
          "concatenations of f64");

  @Override
  int randomPrograms() {
    return 1;
  }

  /// PoCL takes seconds to build some of these kernels: those are left out that differ from others
  /// in numbers only.
  @Override
  boolean runs(String sheet) {
    return !LEFT_OUT.contains(sheet);
  }

  @Override
  Rig open() {
    Devices devices = new Devices(Path.of("target", "device-cache"));
    return Rig.of(devices.open(Devices.Choice.OPENCL), new GpuGenerator());
  }
}
