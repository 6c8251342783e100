package io.miniinference.service.fullstack;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;

/// The service with its five models on an OpenCL device.
@Tag("opencl")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class OpenClServiceTest
    implements DigitsContract,
        DataSetContract,
        SteadyStateContract,
        BadIndexContract,
        ReadmeContract {
  private final RunningService service = RunningService.start("engine.device=opencl");

  @AfterAll
  void stop() {
    service.close();
  }

  @Override
  public RunningService service() {
    return service;
  }

  @Override
  public int images() {
    return 10_000;
  }
}
