package io.miniinference.service.fullstack;

import io.miniinference.testing.device.OnEachDevice;
import io.miniinference.testing.device.TestedDevice;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;

/// The service with its five models.
@OnEachDevice({TestedDevice.JVM, TestedDevice.CPU})
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class ServiceTest
    implements DigitsContract,
        DataSetContract,
        SteadyStateContract,
        BadIndexContract,
        ReadmeContract {
  @Parameter TestedDevice tested;

  private RunningService service;

  @BeforeParameterizedClassInvocation
  void start() {
    service = RunningService.start("engine.device=" + tested.device());
  }

  @AfterParameterizedClassInvocation
  void stop() {
    service.close();
  }

  @Override
  public RunningService service() {
    return service;
  }

  @Override
  public int images() {
    return tested.isOpenCl() ? 10_000 : Integer.getInteger("mie.mnist.images", 2_000);
  }
}
