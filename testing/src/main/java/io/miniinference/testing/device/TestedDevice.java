package io.miniinference.testing.device;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/// A device that tests run on, and which writer makes its kernels.
public enum TestedDevice {
  JVM("jvm", "auto", "the JVM device"),
  CPU("opencl", "cpu", "OpenCL with the CPU writer's kernels"),
  /// Its kernels run on any OpenCL device, at the sizes of tests.
  GPU("opencl", "gpu", "OpenCL with the GPU writer's kernels");

  private final String device;
  private final String codegen;
  private final String words;

  TestedDevice(String device, String codegen, String words) {
    this.device = device;
    this.codegen = codegen;
    this.words = words;
  }

  /// `jvm` or `opencl`, as `engine.device` has it.
  public String device() {
    return device;
  }

  /// `auto`, `cpu` or `gpu`, as `engine.codegen` has it.
  public String codegen() {
    return codegen;
  }

  public boolean isOpenCl() {
    return device.equals("opencl");
  }

  /// The devices of this run: those of `-Dmie.devices=jvm,cpu,gpu`, without those of OpenCL where
  /// the tag `opencl` is excluded.
  static List<TestedDevice> ofThisRun() {
    List<String> names = listed("mie.devices", "jvm,cpu,gpu");
    boolean isWithoutOpenCl = listed("mie.excluded", "").contains("opencl");
    return names.stream()
        .filter(name -> !name.isEmpty())
        .map(name -> valueOf(name.toUpperCase(Locale.ROOT)))
        .filter(device -> !(isWithoutOpenCl && device.isOpenCl()))
        .toList();
  }

  private static List<String> listed(String property, String otherwise) {
    String value = System.getProperty(property, "");
    return Arrays.asList((value.isBlank() ? otherwise : value).split("\\s*,\\s*"));
  }

  @Override
  public String toString() {
    return words;
  }
}
