package io.miniinference.runtime;

import io.miniinference.device.TestCache;
import io.miniinference.runtime.open.Engines;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/// Tests that have an engine each, which closes the models they leave open.
abstract class EnginePerTest {
  private final TestedEngine tested;
  private Engine engine;

  EnginePerTest(TestedEngine tested) {
    this.tested = tested;
  }

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
