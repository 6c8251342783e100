package io.miniinference.service.cli;

import io.miniinference.lower.Precision;
import io.miniinference.runtime.CacheFolder;
import io.miniinference.runtime.Engine;
import io.miniinference.runtime.EngineOptions;
import io.miniinference.runtime.open.Engines;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/// The option `--device` and the engine that it opens.
final class DeviceOption {
  /// Room for models that are larger than what a service has by default. Each of its pages is
  /// touched, so that tests, which open one for each command, say that they need less.
  private static final long POOL_BYTES = Long.getLong("mie.tools.pool", 1L << 30);

  /// What `--device` may be.
  enum Kind {
    AUTO,
    GPU,
    OPENCL,
    JVM;

    private String shown() {
      return name().toLowerCase(Locale.ROOT);
    }

    /// Reads one in letters of either case.
    static final class Reader implements ITypeConverter<Kind> {
      @Override
      public Kind convert(String text) {
        return Stream.of(values())
            .filter(kind -> kind.name().equalsIgnoreCase(text))
            .findFirst()
            .orElseThrow(() -> new TypeConversionException(wrong(text)));
      }

      private static String wrong(String text) {
        return "'%s' is none of %s; ./mie devices shows those of this machine"
            .formatted(
                text, Stream.of(values()).map(Kind::shown).collect(Collectors.joining(", ")));
      }
    }
  }

  @Option(
      names = "--device",
      paramLabel = "auto|gpu|opencl|jvm",
      converter = Kind.Reader.class,
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
    return device.shown();
  }

  /// Opens an engine with a pool that is large enough for tools.
  Engine open() {
    EngineOptions defaults = EngineOptions.defaults(CacheFolder.ofUser());
    return Engines.open(
        new EngineOptions(POOL_BYTES, kind(), null, null, defaults.codegen(), defaults.cache())
            .withPrecision(precision));
  }
}
