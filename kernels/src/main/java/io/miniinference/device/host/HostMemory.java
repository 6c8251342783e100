package io.miniinference.device.host;

import com.sun.management.OperatingSystemMXBean;
import io.miniinference.device.DeviceException;
import io.miniinference.device.DeviceInfo;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;

/// The memory of the host as a device's memory.
public final class HostMemory {
  public static final long PAGE_BYTES = 4096;
  private static final long JVM_LOCAL_BYTES = 32 << 10;

  private HostMemory() {}

  /// Bytes of the machine, or of the container.
  static long totalBytes() {
    return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
        .getTotalMemorySize();
  }

  public static DeviceInfo jvmInfo(int workers) {
    long memory = totalBytes();
    return new DeviceInfo(
        DeviceInfo.Kind.JVM,
        System.getProperty("java.vm.name", "JVM"),
        System.getProperty("java.vm.vendor", ""),
        System.getProperty("java.vm.version", ""),
        "JVM",
        workers,
        1,
        memory,
        memory,
        JVM_LOCAL_BYTES,
        true,
        true,
        false,
        false);
  }

  /// A page-aligned pool of zeros, in huge pages where there are any. Each page has been touched.
  ///
  /// @throws DeviceException if there is not so much
  public static MemorySegment allocate(Arena arena, long bytes, DeviceInfo device) {
    if (bytes <= 0 || bytes > device.maxPoolBytes()) {
      throw new DeviceException(
          "a pool of %,d bytes: %s can give 1 to %,d in one buffer; set engine.pool.capacity lower"
              .formatted(bytes, device.name(), device.maxPoolBytes()));
    }
    try {
      return HugePages.allocate(arena, bytes)
          .map(pool -> pool.fill((byte) 0))
          .orElseGet(() -> arena.allocate(bytes, PAGE_BYTES));
    } catch (OutOfMemoryError e) {
      throw new DeviceException(
          "a pool of %d bytes of host memory: %s; set engine.pool.capacity lower, or give the JVM more with -XX:MaxDirectMemorySize"
              .formatted(bytes, e.getMessage()),
          e);
    }
  }
}
