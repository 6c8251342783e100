package io.miniinference.device;

/// What a device is and can do.
///
/// @param name as the driver spells it
/// @param platform the OpenCL platform's name, or `JVM`
/// @param workers units that run launches side by side under our own threads (cores), 1 on a GPU
/// @param streams runs that a GPU overlaps, 1 where they go one after the other
/// @param memoryBytes of the whole device
/// @param maxPoolBytes largest single buffer
/// @param localMemoryBytes per work-group
/// @param hostShared whether kernels and host address the same memory, so that staging is the arena
///   itself
/// @param doubles whether 64-bit floats can be computed
/// @param tensorCores whether it has NVIDIA's units for products of TF32 matrices, and takes PTX in
///   kernels
/// @param byteSums whether it has instructions that add four products of bytes to each integer of a
///   vector (AVX-512 VNNI), and takes them in kernels
public record DeviceInfo(
    Kind kind,
    String name,
    String vendor,
    String driver,
    String platform,
    int workers,
    int streams,
    long memoryBytes,
    long maxPoolBytes,
    long localMemoryBytes,
    boolean hostShared,
    boolean doubles,
    boolean tensorCores,
    boolean byteSums) {

  /// The kinds of devices, best first.
  public enum Kind {
    OPENCL_GPU,
    OPENCL_CPU,
    JVM
  }

  public boolean isOpenCl() {
    return kind != Kind.JVM;
  }
}
