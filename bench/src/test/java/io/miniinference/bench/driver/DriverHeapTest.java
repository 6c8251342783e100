package io.miniinference.bench.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.miniinference.device.Device;
import io.miniinference.device.DeviceException;
import io.miniinference.device.DeviceInfo;
import io.miniinference.device.choice.Devices;
import java.nio.file.Path;
import java.time.Duration;
import org.jocl.CL;
import org.jocl.Pointer;
import org.jocl.cl_mem;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The driver's side: as many buffers as fit, each touched on every page.
@Tag("opencl")
final class DriverHeapTest {
  private static final long BLOCK = 1 << 16;
  private static final Duration LIMIT = Duration.ofSeconds(60);

  @TempDir Path cache;
  private DeviceInfo info;
  private DriverDevice device;

  @BeforeEach
  void open() {
    try (Device engines = new Devices(cache).open(Devices.Choice.OPENCL)) {
      info = engines.info();
    }
    device = DriverDevice.open(info);
  }

  @AfterEach
  void close() {
    device.close();
  }

  private int filled(int live, long mostBytes, Duration limit) {
    var wanted = new DriverHeap.Wanted(live, BLOCK, mostBytes, limit);
    try (DriverHeap heap = DriverHeap.fill(device, wanted, 1)) {
      return heap.size();
    }
  }

  @Test
  void asManyAreLiveAsAreWanted() {
    assertThat(filled(10, 100 * BLOCK, LIMIT)).isEqualTo(10);
  }

  @Test
  void whereMemoryIsShortATenthIsReleasedAgain() {
    assertThat(filled(200, 100 * BLOCK, LIMIT)).isEqualTo(90);
  }

  @Test
  void whereTimeIsShortThereAreFewer() {
    assertThat(filled(200, 1_000 * BLOCK, Duration.ZERO)).isEqualTo(1);
  }

  @Test
  void replacingKeepsTheirNumber() {
    var wanted = new DriverHeap.Wanted(10, BLOCK, 100 * BLOCK, LIMIT);
    try (DriverHeap heap = DriverHeap.fill(device, wanted, 1)) {
      for (int i = 0; i < 100; i++) {
        heap.inPlaceOfAny();
        heap.freedAtOnce();
      }
      assertThat(heap.size()).isEqualTo(10);
    }
  }

  @Test
  void aTouchWritesAByteIntoEachPageOfItsRangeAndNoOther() {
    int bytes = 40 * 4096;
    byte[] content = new byte[bytes];
    cl_mem buffer = device.create(bytes);
    write(buffer, content);
    device.touch(buffer, 4096 + 256, 35 * 4096 - 256);
    read(buffer, content);
    device.release(buffer);

    for (int i = 0; i < bytes; i++) {
      boolean touched = i % 4096 == 256 && i / 4096 >= 1 && i / 4096 < 36;
      assertThat(content[i]).as("byte %d", i).isEqualTo((byte) (touched ? 1 : 0));
    }
  }

  private void write(cl_mem buffer, byte[] content) {
    DriverDevice.check(
        CL.clEnqueueWriteBuffer(
            device.queue(), buffer, true, 0, content.length, Pointer.to(content), 0, null, null),
        "clEnqueueWriteBuffer");
  }

  private void read(cl_mem buffer, byte[] content) {
    DriverDevice.check(
        CL.clEnqueueReadBuffer(
            device.queue(), buffer, true, 0, content.length, Pointer.to(content), 0, null, null),
        "clEnqueueReadBuffer");
  }

  @Test
  void blocksOfAPoolLieInARegionWhateverTheirAddress() {
    try (Region region = new Region(device, 3 * BLOCK)) {
      region.touch(0, BLOCK);
      region.touch(3 * BLOCK - 256, BLOCK);
      region.touch(200L << 30, BLOCK);
    }
  }

  @Test
  void aDeviceThatIsNotThereIsNamed() {
    var unknown =
        new DeviceInfo(
            info.kind(), "no such device", "", "", info.platform(), 1, 0, 0, 0, true, true, false);
    assertThatThrownBy(() -> DriverDevice.open(unknown))
        .isInstanceOf(DeviceException.class)
        .hasMessageContaining("no such device");
  }
}
