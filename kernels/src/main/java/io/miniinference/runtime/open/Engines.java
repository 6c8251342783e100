package io.miniinference.runtime.open;

import io.miniinference.runtime.Engine;
import io.miniinference.runtime.EngineOptions;

/// Opens engines.
public final class Engines {
  private Engines() {}

  /// Opens the chosen device and takes the pool from it.
  ///
  /// @throws io.miniinference.device.DeviceException if there is no such device or not that much
  ///   memory
  public static Engine open(EngineOptions options) {
    return LoadingEngine.open(options);
  }
}
