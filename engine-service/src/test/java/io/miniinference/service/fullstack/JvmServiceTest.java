package io.miniinference.service.fullstack;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.TestInstance;

/// The service with its five models on the JVM device.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class JvmServiceTest
    implements DigitsContract,
        DataSetContract,
        SteadyStateContract,
        BadIndexContract,
        ReadmeContract {
  private final RunningService service = RunningService.start("engine.device=jvm");

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
    return Integer.getInteger("mie.mnist.images", 2_000);
  }
}
