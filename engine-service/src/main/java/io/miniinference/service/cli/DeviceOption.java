package io.miniinference.service.cli;

import io.miniinference.lower.Precision;
import io.miniinference.runtime.CacheFolder;
import io.miniinference.runtime.Engine;
import io.miniinference.runtime.EngineOptions;
import io.miniinference.runtime.open.Engines;
import java.util.Locale;
import picocli.CommandLine.Option;

/// The option `--device` and the engine that it opens.
final class DeviceOption {
  /// Room for models that are larger than what a service has by default.
  private static final long POOL_BYTES = 1L << 30;

  /// What `--device` may be.
  enum Kind {
    AUTO,
    GPU,
    OPENCL,
    JVM
  }

  @Option(
      names = "--device",
      paramLabel = "auto|gpu|opencl|jvm",
      description = "which device (default: auto, the best there is)")
  private Kind device = Kind.AUTO;

  @Option(
      names = "--precision",
      paramLabel = "f32|direct|tf32|f16|bf16",
      description =
          "how exactly to compute (default: f32); direct has no Winograd convolutions; on GPUs tf32 rounds products, f16 and bf16 all that is stored")
  private Precision precision = Precision.F32;

  Precision precision() {
    return precision;
  }

  String kind() {
    return device.name().toLowerCase(Locale.ROOT);
  }

  /// Opens an engine with a pool that is large enough for tools.
  Engine open() {
    EngineOptions defaults = EngineOptions.defaults(CacheFolder.ofUser());
    return Engines.open(
        new EngineOptions(POOL_BYTES, kind(), null, null, defaults.codegen(), defaults.cache())
            .withPrecision(precision));
  }
}
