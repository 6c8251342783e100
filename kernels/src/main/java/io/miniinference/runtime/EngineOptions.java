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
public record EngineOptions(
    long poolBytes,
    String device,
    @Nullable String platform,
    @Nullable String deviceName,
    String codegen,
    Path cache) {

  /// 256 MB on the best device.
  public static EngineOptions defaults(Path cache) {
    return new EngineOptions(256L << 20, "auto", null, null, "auto", cache);
  }
}
