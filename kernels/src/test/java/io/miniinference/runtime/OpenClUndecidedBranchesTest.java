package io.miniinference.runtime;

import org.junit.jupiter.api.Tag;

/// The best OpenCL device.
@Tag("opencl")
final class OpenClUndecidedBranchesTest extends UndecidedBranchesContract {
  OpenClUndecidedBranchesTest() {
    super(TestedEngine.OPENCL);
  }
}
