package io.miniinference.device.opencl;

import io.miniinference.device.Launch;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// The programs that the launches of a sequence come from.
final class OpenClPrograms {
  private final List<OpenClProgram> programs;
  private final Map<String, OpenClProgram> byKernel = new HashMap<>();

  OpenClPrograms(List<OpenClProgram> programs) {
    this.programs = programs;
    for (OpenClProgram program : programs) {
      program.kernelNames().forEach(kernel -> byKernel.put(kernel, program));
    }
  }

  /// The program that has the kernel of a launch; any, if none has it.
  OpenClProgram of(Launch launch) {
    return byKernel.getOrDefault(launch.kernel(), programs.getFirst());
  }

  /// Keeps the programs on disk. The caller holds [OpenClProgram#COMPILER].
  void keep() {
    programs.forEach(OpenClProgram::keep);
  }
}
