package io.miniinference.service.cli;

import io.miniinference.plan.packing.Packing;
import io.miniinference.plan.packing.PackingProblem;
import io.miniinference.plan.packing.Rectangle;
import io.miniinference.plan.packing.RectangleFile;
import io.miniinference.plan.packing.RectanglePacker;
import io.miniinference.plan.packing.SearchLimits;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.springframework.boot.convert.DurationStyle;
import org.springframework.util.unit.DataSize;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/// `--rectangles`: a bare packing instance in place of a model, and how well it must be packed.
final class RectanglesArgument {
  @Option(
      names = "--rectangles",
      required = true,
      paramLabel = "FILE.csv",
      description = "instead of a model: rectangles to pack, 'id,lower,upper,size', half-open")
  private Path file = Path.of("");

  @Option(
      names = "--capacity",
      paramLabel = "BYTES",
      converter = Bytes.class,
      description = "with --rectangles: a peak up to this will do (default: the lowest)")
  private long capacityBytes;

  @Option(
      names = "--time-limit",
      paramLabel = "TIME",
      converter = Time.class,
      defaultValue = "10s",
      description = "with --rectangles: how long to search (default: ${DEFAULT-VALUE})")
  private Duration timeLimit = Duration.ZERO;

  /// What came of it, as one line of JSON.
  ///
  /// @param feasible whether the peak is within the capacity, if there is one
  record Outcome(long peakBytes, long lowerBoundBytes, boolean feasible, long millis) {
    String json() {
      return "{\"peakBytes\":%d,\"lowerBoundBytes\":%d,\"feasible\":%b,\"millis\":%d}"
          .formatted(peakBytes, lowerBoundBytes, feasible, millis);
    }
  }

  /// Packs the rectangles; the clock runs from the first byte read to the last one placed.
  ///
  /// @throws IllegalArgumentException if the file is not there or in another form
  Outcome pack() {
    long start = System.nanoTime();
    Packing packing = RectanglePacker.pack(problem(read()));
    return new Outcome(
        packing.peakBytes(),
        packing.boundBytes(),
        capacityBytes == 0 || packing.peakBytes() <= capacityBytes,
        Duration.ofNanos(System.nanoTime() - start).toMillis());
  }

  private PackingProblem problem(List<Rectangle> rectangles) {
    return PackingProblem.of(rectangles)
        .within(capacityBytes)
        .searching(new SearchLimits(Long.MAX_VALUE, timeLimit));
  }

  private List<Rectangle> read() {
    if (!Files.isRegularFile(file)) {
      throw new IllegalArgumentException("there is no file '%s'".formatted(file));
    }
    try {
      return RectangleFile.read(file);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + file + ": " + e.getMessage(), e);
    }
  }

  /// A number of bytes, with a unit or without.
  static final class Bytes implements ITypeConverter<Long> {
    @Override
    public Long convert(String text) {
      try {
        long bytes = DataSize.parse(text).toBytes();
        if (bytes > 0) {
          return bytes;
        }
      } catch (IllegalArgumentException e) {
        /* told below */
      }
      throw new TypeConversionException("'" + text + "' is no size such as 1048576 or 1MB");
    }
  }

  /// A time with its unit.
  static final class Time implements ITypeConverter<Duration> {
    @Override
    public Duration convert(String text) {
      try {
        Duration time = DurationStyle.detectAndParse(text);
        if (!time.isNegative()) {
          return time;
        }
      } catch (IllegalArgumentException e) {
        /* told below */
      }
      throw new TypeConversionException("'" + text + "' is no time such as 10s or 500ms");
    }
  }
}
