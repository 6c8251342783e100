package io.miniinference.runtime;

import io.miniinference.device.TestCache;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/// Tests that have an engine each, which closes the models they leave open.
abstract class EnginePerTest {
  private Engine engine;

  /// `jvm` or `opencl`.
  abstract String device();

  /// `auto`, `cpu` or `gpu`.
  abstract String codegen();

  @BeforeEach
  final void openEngine() {
    engine =
        Engine.open(
            new EngineOptions(16L << 20, device(), null, null, codegen(), TestCache.FOLDER));
  }

  @AfterEach
  final void closeEngine() {
    engine.close();
  }

  final Engine engine() {
    return engine;
  }
}
