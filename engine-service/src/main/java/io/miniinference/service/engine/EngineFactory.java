package io.miniinference.service.engine;

import io.miniinference.runtime.Engine;
import io.miniinference.runtime.EngineOptions;

/// Opens the process's engine.
@FunctionalInterface
public interface EngineFactory {

  /// Opens the engine.
  ///
  /// @throws io.miniinference.device.DeviceException if no device is as the options want it, or it
  ///   cannot give the pool
  Engine open(EngineOptions options);
}
