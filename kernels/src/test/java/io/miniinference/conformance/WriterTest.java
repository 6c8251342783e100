package io.miniinference.conformance;

import io.miniinference.testing.device.TestedDevice;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;

/// Tests of one writer's kernels, all on one device.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class WriterTest {
  /// The device that the tests run on.
  @Parameter TestedDevice tested;

  private Rig rig;

  @BeforeParameterizedClassInvocation
  void openRig() {
    rig = Writer.of(tested).open();
  }

  @AfterParameterizedClassInvocation
  void closeRig() {
    rig.close();
  }

  final Rig rig() {
    return rig;
  }
}
