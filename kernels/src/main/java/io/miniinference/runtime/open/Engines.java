package io.miniinference.runtime.open;

import io.miniinference.device.Device;
import io.miniinference.runtime.Engine;
import io.miniinference.runtime.EngineOptions;
import java.util.function.UnaryOperator;

/// Opens engines.
public final class Engines {
  private Engines() {}

  /// Opens the chosen device and takes the pool from it.
  ///
  /// @throws io.miniinference.device.DeviceException if there is no such device or not that much
  ///   memory
  public static Engine open(EngineOptions options) {
    return open(options, device -> device);
  }

  /// Opens the chosen device, and uses another in its place, such as one that fails on purpose.
  ///
  /// @param inPlaceOf the device to use for the one that was chosen, both of one kind
  /// @throws io.miniinference.device.DeviceException if there is no such device or not that much
  ///   memory
  public static Engine open(EngineOptions options, UnaryOperator<Device> inPlaceOf) {
    return LoadingEngine.open(options, inPlaceOf);
  }
}
