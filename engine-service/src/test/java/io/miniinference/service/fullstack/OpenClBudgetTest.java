package io.miniinference.service.fullstack;

import org.junit.jupiter.api.Tag;

/// Pools of other sizes on an OpenCL device.
@Tag("opencl")
final class OpenClBudgetTest implements BudgetContract {
  @Override
  public String device() {
    return "opencl";
  }
}
