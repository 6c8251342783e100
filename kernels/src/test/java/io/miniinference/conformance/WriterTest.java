package io.miniinference.conformance;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;

/// Tests of one writer's kernels, all on one device.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class WriterTest {
  private Rig rig;

  abstract Writer writer();

  @BeforeAll
  void openRig() {
    rig = writer().open();
  }

  @AfterAll
  void closeRig() {
    rig.close();
  }

  final Rig rig() {
    return rig;
  }
}
