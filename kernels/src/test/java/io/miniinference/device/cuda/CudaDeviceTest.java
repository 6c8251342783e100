package io.miniinference.device.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.miniinference.device.Binding;
import io.miniinference.device.Device;
import io.miniinference.device.DeviceContract;
import io.miniinference.device.DeviceException;
import io.miniinference.device.DriverCalls;
import io.miniinference.device.ExecutionContext;
import io.miniinference.device.Launch;
import io.miniinference.device.Launch.Items;
import io.miniinference.device.ProgramCode;
import io.miniinference.device.TestCache;
import io.miniinference.device.TestKernels;
import io.miniinference.device.choice.Devices;
import io.miniinference.device.opencl.OpenClTarget;
import io.miniinference.device.opencl.OpenClTargets;
import io.miniinference.device.opencl.PtxCompiler;
import io.miniinference.layout.Affine;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// The contract on an NVIDIA GPU, and what recording adds to it.
@Tag("cuda")
final class CudaDeviceTest extends DeviceContract {
  private static final Items PER_ROW = new Items(Affine.N, 1);

  @Override
  protected Device open() {
    Device opened = new Devices(TestCache.FOLDER).open(Devices.Choice.AUTO);
    assertThat(opened).isInstanceOf(CudaDevice.class);
    return opened;
  }

  @Override
  protected ProgramCode code() {
    return TestKernels.openCl();
  }

  /// By which GPUs of a host are told apart.
  @Test
  void theDriverKnowsThePlaceThatOpenClTells() {
    OpenClTarget first = OpenClTargets.find(TestCache.FOLDER).targets().getFirst();
    assertThat(CudaContext.at(PtxCompiler.busId(first).orElseThrow())).isNotNegative();
  }

  /// As where others share the card: the context alone has taken some of it.
  @Test
  void aPoolWithoutRoomIsRefusedWithWhatIsFree() {
    try (Device second = open()) {
      long all = second.info().memoryBytes();

      assertThatThrownBy(() -> second.openPool(all))
          .isInstanceOf(DeviceException.class)
          .hasMessageContaining("no room for a pool of %,d bytes".formatted(all))
          .hasMessageMatching("(?s).*the GPU has [0-9,]+ of its [0-9,]+ bytes free.*");
    }
  }

  @Test
  void runsThatAreRecordedDoWhatQueuedOnesDo() {
    ExecutionContext commands =
        prepare(
            new Launch("count", List.of(0), PER_ROW), new Launch("mirror", List.of(0, 1), PER_ROW));
    store(0, new int[8]);
    Binding binding = at(0, 4096);
    DriverCalls before = device.driverCalls();
    for (int run = 1; run <= 6; run++) {
      int n = run % 2 == 0 ? 2 : 3;
      commands.bind(binding, n);
      commands.run(false);
      assertThat(cell(4096)).isEqualTo(cell(4 * (n - 1)));
    }
    assertThat(cells(0, 4)).containsExactly(6, 6, 3, 0);
    assertThat(device.driverCalls().launches() - before.launches()).isEqualTo(12);
    assertThat(device.driverCalls().waits() - before.waits()).isEqualTo(6);
  }

  /// What borrows other places each time has no more recorded runs than that.
  @Test
  void manyBindingsMakeRoomForEachOther() {
    ExecutionContext commands = prepare(new Launch("count", List.of(0), PER_ROW));
    store(0, new int[2000]);
    for (int round = 0; round < 3; round++) {
      for (int place = 0; place < 200; place++) {
        Binding binding = at(4L * place);
        for (int run = 0; run < 2 + round; run++) {
          commands.bind(binding, 1);
          commands.run(false);
        }
      }
    }
    assertThat(cells(0, 201)).startsWith(9, 9, 9).endsWith(9, 0);
  }
}
