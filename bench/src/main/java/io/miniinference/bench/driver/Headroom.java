package io.miniinference.bench.driver;

import com.sun.management.OperatingSystemMXBean;
import io.miniinference.device.DeviceInfo;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;

/// How much of a device's memory a benchmark may take.
public final class Headroom {
  private static final long MOST_OF_HOST_BYTES = 4L << 30;
  private static final int SHARE_OF_HOST = 4;
  private static final Path MEMORY = Path.of("/proc/meminfo");

  private Headroom() {}

  /// Four fifths of a GPU's memory. Where the host's memory is the device's, a quarter of what is
  /// available there, and 4 GiB at most: others live there, too.
  public static long bytes(DeviceInfo device) {
    long ofDevice = device.memoryBytes() / 5 * 4;
    return device.hostShared()
        ? Math.min(ofDevice, Math.min(MOST_OF_HOST_BYTES, availableBytes() / SHARE_OF_HOST))
        : ofDevice;
  }

  /// What Linux says could be used without swapping, or what is free on other systems.
  private static long availableBytes() {
    var system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    return Math.min(
        system.getTotalMemorySize(), linuxAvailableBytes().orElseGet(system::getFreeMemorySize));
  }

  /// The line `MemAvailable: 21094520 kB`.
  private static OptionalLong linuxAvailableBytes() {
    try {
      return Files.readAllLines(MEMORY).stream()
          .filter(line -> line.startsWith("MemAvailable:"))
          .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) << 10)
          .findFirst();
    } catch (IOException e) {
      return OptionalLong.empty();
    }
  }
}
