package io.miniinference.runtime;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// How an engine is opened.
///
/// @param poolBytes capacity of the one pool
/// @param device `auto`, `opencl` or `jvm`
/// @param platform part of the OpenCL platform's name, null for any
/// @param deviceName part of the OpenCL device's name or its number, null for any
/// @param codegen `auto`, `cpu` or `gpu`: which writer makes OpenCL kernels
/// @param cache folder for built programs
/// @param failureChecks whether kernels look at indices and divisors before they use them; without,
///   OpenCL kernels read and write wherever an index points
/// @param planning how memory is planned
public record EngineOptions(
    long poolBytes,
    String device,
    @Nullable String platform,
    @Nullable String deviceName,
    String codegen,
    Path cache,
    boolean failureChecks,
    Planning planning) {

  /// With failure checks and the usual planning.
  public EngineOptions(
      long poolBytes,
      String device,
      @Nullable String platform,
      @Nullable String deviceName,
      String codegen,
      Path cache) {
    this(poolBytes, device, platform, deviceName, codegen, cache, true, Planning.defaults());
  }

  /// 256 MB on the best device.
  public static EngineOptions defaults(Path cache) {
    return new EngineOptions(256L << 20, "auto", null, null, "auto", cache);
  }

  /// With a pool of that capacity.
  public EngineOptions withPool(long bytes) {
    return new EngineOptions(
        bytes, device, platform, deviceName, codegen, cache, failureChecks, planning);
  }

  /// With failure checks, or, to measure what they cost and never else, without.
  public EngineOptions withFailureChecks(boolean on) {
    return new EngineOptions(poolBytes, device, platform, deviceName, codegen, cache, on, planning);
  }

  public EngineOptions withPlanning(Planning other) {
    return new EngineOptions(
        poolBytes, device, platform, deviceName, codegen, cache, failureChecks, other);
  }
}
