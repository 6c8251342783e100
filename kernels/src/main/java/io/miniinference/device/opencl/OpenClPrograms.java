package io.miniinference.device.opencl;

import io.miniinference.device.KernelBuild;
import io.miniinference.device.Launch;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jocl.cl_mem;

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

  /// What is to be built where launches are prepared. The caller holds [OpenClProgram#COMPILER].
  KernelBuild waiting() {
    return new KernelBuild(name(), programs.stream().mapToInt(OpenClProgram::waiting).sum());
  }

  /// The model whose programs they are.
  String name() {
    return programs.getFirst().name();
  }

  /// Whether all kernels were launched, also those of programs that no launch is of, as where a
  /// model passes its input on, so that nothing is left for the driver to compile. The caller holds
  /// [OpenClProgram#COMPILER].
  boolean areReady(List<Launch> launches) {
    return programs.stream().allMatch(OpenClProgram::isSettled)
        && launches.stream()
            .allMatch(launch -> of(launch).isReady(launch, OpenClSequence.local(launch.work())));
  }

  /// Launches for the first time what was built for other shapes. The caller holds
  /// [OpenClProgram#COMPILER].
  ///
  /// @param settle waits for all runs that have begun
  void warmUpRest(cl_mem pool, Runnable settle) {
    programs.forEach(program -> program.warmUpRest(pool, settle));
  }

  /// Keeps the programs on disk. The caller holds [OpenClProgram#COMPILER].
  void keep() {
    programs.forEach(OpenClProgram::keep);
  }
}
