package io.miniinference.device;

/// Kernels that a device's driver is compiling, which takes long the first time, and which a cache
/// keeps for later.
///
/// @param program the model, for messages
/// @param kernels that the build has to do with, compiled before or not
public record KernelBuild(String program, int kernels) {

  /// `12 kernels of 'mnist-deep'`
  @Override
  public String toString() {
    return (kernels == 1 ? "1 kernel" : kernels + " kernels") + " of '" + program + "'";
  }
}
