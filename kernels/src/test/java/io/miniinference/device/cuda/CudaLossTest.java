package io.miniinference.device.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.miniinference.device.Device;
import io.miniinference.device.DeviceContract;
import io.miniinference.device.DeviceException;
import io.miniinference.device.DeviceProgram;
import io.miniinference.device.ExecutionContext;
import io.miniinference.device.Launch;
import io.miniinference.device.Launch.Items;
import io.miniinference.device.TestCache;
import io.miniinference.device.TestKernels;
import io.miniinference.device.choice.Devices;
import io.miniinference.layout.Affine;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// What becomes of a process whose GPU met an address that is none: NVIDIA's driver opens it no
/// more there, and OpenCL does.
@Tag("cuda")
@Tag("alone") // no other test of its process has CUDA behind it
final class CudaLossTest {
  private static final Launch COUNT = new Launch("count", List.of(0), new Items(Affine.N, 1));

  @Test
  void aDeviceThatFailedIsLostAndAnotherOneIsOpened() {
    Device first = open();
    assertThat(first).isInstanceOf(CudaDevice.class);
    ExecutionContext commands = prepared(first);
    commands.bind(DeviceContract.at(1L << 46), 4);
    assertThatThrownBy(() -> commands.run(false))
        .isInstanceOf(DeviceException.class)
        .hasMessageContaining("CUDA_ERROR_ILLEGAL_ADDRESS");
    assertThat(first.healthy()).isFalse();
    commands.close();
    first.close();

    try (Device second = open()) {
      ExecutionContext later = prepared(second);
      second.upload(0, MemorySegment.ofArray(new int[5]));
      later.bind(DeviceContract.at(0), 4);
      later.run(false);
      int[] counted = new int[5];
      second.download(0, MemorySegment.ofArray(counted));
      assertThat(counted).containsExactly(1, 1, 1, 1, 0);
      assertThat(second.healthy()).isTrue();
    }
  }

  private static Device open() {
    Device device = new Devices(TestCache.FOLDER).open(Devices.Choice.AUTO);
    device.openPool(1 << 20);
    return device;
  }

  private static ExecutionContext prepared(Device device) {
    DeviceProgram program = device.build(TestKernels.openCl());
    return device.prepare(program, List.of(COUNT), new Device.StagingSize(0, 0));
  }
}
