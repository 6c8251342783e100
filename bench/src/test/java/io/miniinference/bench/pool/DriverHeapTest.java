package io.miniinference.bench.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.miniinference.device.Device;
import io.miniinference.device.DeviceException;
import io.miniinference.device.DeviceInfo;
import io.miniinference.device.choice.Devices;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The driver's side: as many buffers as fit, each touched on every page.
@Tag("opencl")
final class DriverHeapTest {
  private static final long BLOCK = 1 << 16;

  @TempDir Path cache;
  private DeviceInfo info;
  private Driver device;

  @BeforeEach
  void open() {
    try (Device engines = new Devices(cache).open(Devices.Choice.OPENCL)) {
      info = engines.info();
    }
    device = Driver.open(info, cache);
  }

  @AfterEach
  void close() {
    device.close();
  }

  private int filled(int live, long mostBytes) {
    try (DriverHeap heap = new DriverHeap(device, live, BLOCK, mostBytes, 1)) {
      return heap.size();
    }
  }

  @Test
  void asManyAreLiveAsAreWanted() {
    assertThat(filled(10, 100 * BLOCK)).isEqualTo(10);
  }

  @Test
  void whereMemoryIsShortATenthIsReleasedAgain() {
    assertThat(filled(200, 100 * BLOCK)).isEqualTo(90);
  }

  @Test
  void replacingKeepsTheirNumber() {
    try (DriverHeap heap = new DriverHeap(device, 10, BLOCK, 100 * BLOCK, 1)) {
      for (int i = 0; i < 100; i++) {
        heap.replaceAny();
      }
      assertThat(heap.size()).isEqualTo(10);
    }
  }

  @Test
  void aDeviceThatIsNotThereIsNamed() {
    var unknown =
        new DeviceInfo(
            info.kind(),
            "no such device",
            "",
            "",
            info.platform(),
            1,
            1,
            0,
            0,
            0,
            true,
            true,
            false,
            false);
    assertThatThrownBy(() -> Driver.open(unknown, cache))
        .isInstanceOf(DeviceException.class)
        .hasMessageContaining("no such device");
  }
}
