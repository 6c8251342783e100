package io.miniinference.runtime;

import io.miniinference.budget.LoadLimits;
import io.miniinference.lower.Precision;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// How an engine is opened.
///
/// @param poolBytes capacity of the one pool
/// @param device `auto`, `gpu`, `opencl` or `jvm`
/// @param platform part of the OpenCL platform's name, null for any
/// @param deviceName part of the OpenCL device's name or its number, null for any
/// @param codegen `auto`, `cpu` or `gpu`: which writer makes OpenCL kernels
/// @param cache folder for built programs
/// @param failureChecks whether kernels look at indices and divisors before they use them; without,
///   OpenCL kernels read and write wherever an index points
/// @param planning how memory is planned
/// @param limits what the load of one model may take
/// @param precision how exact products of `f32` numbers must be
public record EngineOptions(
    long poolBytes,
    String device,
    @Nullable String platform,
    @Nullable String deviceName,
    String codegen,
    Path cache,
    boolean failureChecks,
    Planning planning,
    LoadLimits limits,
    Precision precision) {

  /// With products of `f32` numbers as they are.
  public EngineOptions(
      long poolBytes,
      String device,
      @Nullable String platform,
      @Nullable String deviceName,
      String codegen,
      Path cache,
      boolean failureChecks,
      Planning planning,
      LoadLimits limits) {
    this(
        poolBytes,
        device,
        platform,
        deviceName,
        codegen,
        cache,
        failureChecks,
        planning,
        limits,
        Precision.F32);
  }

  /// With failure checks, the usual planning and the usual limits.
  public EngineOptions(
      long poolBytes,
      String device,
      @Nullable String platform,
      @Nullable String deviceName,
      String codegen,
      Path cache) {
    this(
        poolBytes,
        device,
        platform,
        deviceName,
        codegen,
        cache,
        true,
        Planning.defaults(),
        LoadLimits.defaults());
  }

  /// 256 MB on the best device; built kernels are kept in the user's cache folder.
  public static EngineOptions defaults() {
    return defaults(CacheFolder.ofUser());
  }

  /// 256 MB on the best device.
  public static EngineOptions defaults(Path cache) {
    return new EngineOptions(256L << 20, "auto", null, null, "auto", cache);
  }

  /// On another device.
  ///
  /// @param kind `auto`, `gpu`, `opencl` or `jvm`
  public EngineOptions withDevice(String kind) {
    return on(kind, platform, deviceName);
  }

  /// On an OpenCL device of those names.
  ///
  /// @param ofPlatform part of the platform's name, null for any
  /// @param ofDevice part of the device's name or its number, null for any
  public EngineOptions withOpenCl(@Nullable String ofPlatform, @Nullable String ofDevice) {
    return on("opencl", ofPlatform, ofDevice);
  }

  private EngineOptions on(String kind, @Nullable String ofPlatform, @Nullable String ofDevice) {
    return new EngineOptions(
        poolBytes,
        kind,
        ofPlatform,
        ofDevice,
        codegen,
        cache,
        failureChecks,
        planning,
        limits,
        precision);
  }

  /// With a pool of that capacity.
  public EngineOptions withPool(long bytes) {
    return with(bytes, failureChecks, planning, limits);
  }

  /// With failure checks, or, to measure what they cost and never else, without.
  public EngineOptions withFailureChecks(boolean on) {
    return with(poolBytes, on, planning, limits);
  }

  public EngineOptions withPlanning(Planning other) {
    return with(poolBytes, failureChecks, other, limits);
  }

  public EngineOptions withLimits(LoadLimits other) {
    return with(poolBytes, failureChecks, planning, other);
  }

  /// With products as exact as `allowed` asks.
  public EngineOptions withPrecision(Precision allowed) {
    return new EngineOptions(
        poolBytes,
        device,
        platform,
        deviceName,
        codegen,
        cache,
        failureChecks,
        planning,
        limits,
        allowed);
  }

  private EngineOptions with(long pool, boolean checks, Planning memory, LoadLimits load) {
    return new EngineOptions(
        pool, device, platform, deviceName, codegen, cache, checks, memory, load, precision);
  }
}
