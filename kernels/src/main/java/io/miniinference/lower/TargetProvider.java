package io.miniinference.lower;

import io.miniinference.device.DeviceInfo;

/// Offers a [Target]. Providers are found through [java.util.ServiceLoader]: one more is a class
/// and a line in a jar's `META-INF/services`.
public interface TargetProvider {

  /// The name by which an operator asks for it, such as `cpu`; one word, in lower case.
  String name();

  /// How well its kernels suit a device.
  Fit fit(DeviceInfo device);

  Target<?> target();

  /// The target for devices that have all that it can use.
  ///
  /// @param precision what is allowed
  default Target<?> target(Precision precision) {
    return target();
  }

  /// The target for one device, which may do with less exact products.
  ///
  /// @param precision what is allowed
  default Target<?> target(DeviceInfo device, Precision precision) {
    return target();
  }

  /// How well kernels suit a device, worst first.
  enum Fit {
    /// They do not run there.
    NONE,
    /// They run there, and others may be faster.
    RUNS,
    /// They were written for such devices.
    SUITS
  }
}
