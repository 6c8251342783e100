package io.miniinference.device;

import org.junit.jupiter.api.Tag;

/// The contract on a device whose memory is its own, as a GPU's is.
@Tag("opencl")
final class OpenClSeparateMemoryTest extends DeviceContract {

  @Override
  Device open() {
    OpenClTarget target = OpenClTargets.find(CACHE).targets().getFirst();
    return new OpenClDevice(target.asSeparateMemory(), CACHE);
  }

  @Override
  ProgramCode code() {
    return TestKernels.openCl();
  }
}
