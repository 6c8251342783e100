package io.miniinference.device.host;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;

/// What the processor can do, where the system tells (Linux, `/proc/cpuinfo`).
public final class Processor {
  private static final Path FEATURES = Path.of("/proc/cpuinfo");

  private Processor() {}

  /// Whether it adds products of bytes to sixteen integers at once (AVX-512 VNNI).
  public static boolean hasByteSums() {
    return ByteSums.THERE;
  }

  /// Read once.
  private static final class ByteSums {
    static final boolean THERE = isAmong("avx512_vnni");
  }

  private static boolean isAmong(String feature) {
    if (!Files.isReadable(FEATURES)) {
      return false;
    }
    try (Stream<String> lines = Files.lines(FEATURES)) {
      return lines
          .filter(line -> line.startsWith("flags"))
          .findFirst()
          .filter(flags -> Arrays.asList(flags.split("\\s+")).contains(feature))
          .isPresent();
    } catch (IOException e) {
      return false; // as where there is no such file
    }
  }
}
