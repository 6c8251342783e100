package io.miniinference.device.opencl;

import io.miniinference.device.DeviceException;
import io.miniinference.device.Launch;
import java.util.Arrays;
import org.jocl.cl_mem;

/// A kernel as it is launched for the first time: by work-groups that do nothing, so that the
/// driver has compiled it before a request comes. It is kept, since [LoadedKernels] launches it
/// again. The caller of all methods holds [OpenClProgram#COMPILER].
record WarmKernel(OpenClKernelObject kernel, long[] local, OpenClContext context, Runnable launch)
    implements AutoCloseable {

  /// @throws DeviceException if the kernel was not written for this local size
  static WarmKernel of(
      OpenClProgram program, Launch launch, long[] local, cl_mem pool, OpenClContext context) {
    OpenClKernelObject kernel =
        new OpenClKernelObject(
            program.handles(), launch.kernel(), program.arguments(launch), pool, context);
    try {
      checkLocal(program, launch, local, kernel.requiredLocal(context));
    } catch (DeviceException e) {
      kernel.close();
      throw e;
    }
    return new WarmKernel(kernel, local, context, () -> kernel.warmUp(context.spareQueue(), local));
  }

  private static void checkLocal(
      OpenClProgram program, Launch launch, long[] local, long[] required) {
    long[] expected = {1, 1, 1};
    System.arraycopy(local, 0, expected, 0, local.length);
    if (!Arrays.equals(expected, required)) {
      throw new DeviceException(
          "program '%s': kernel '%s' is launched in groups of %s, and its text requires %s"
              .formatted(
                  program.name(),
                  launch.kernel(),
                  Arrays.toString(expected),
                  Arrays.toString(required)));
    }
  }

  /* Oclgrind compiles nothing at a first launch, and looks for values that nobody wrote only on the
  thread that opened it, which this is not. */
  void load(Runnable settle) {
    if (context.target().isPocl()) {
      LoadedKernels.OF_PROCESS.load(launch, settle);
    } else if (!context.target().isOclgrind()) {
      launch.run();
    }
  }

  @Override
  public void close() {
    LoadedKernels.OF_PROCESS.forget(launch);
    kernel.close();
  }
}
