package io.miniinference.runtime;

import io.miniinference.device.TestCache;
import io.miniinference.runtime.open.Engines;
import io.miniinference.testing.device.TestedDevice;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.Parameter;

/// Tests that have an engine each, which closes the models they leave open.
abstract class EnginePerTest {
  /// The device that the tests run on.
  @Parameter TestedDevice tested;

  private Engine engine;

  @BeforeEach
  final void openEngine() {
    engine =
        Engines.open(
            new EngineOptions(
                16L << 20, tested.device(), null, null, tested.codegen(), TestCache.FOLDER));
  }

  @AfterEach
  final void closeEngine() {
    engine.close();
  }

  final Engine engine() {
    return engine;
  }
}
