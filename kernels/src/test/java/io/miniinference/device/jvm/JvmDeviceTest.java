package io.miniinference.device.jvm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.miniinference.device.Device;
import io.miniinference.device.DeviceContract;
import io.miniinference.device.DeviceException;
import io.miniinference.device.ExecutionContext;
import io.miniinference.device.Launch;
import io.miniinference.device.Launch.Items;
import io.miniinference.device.ProgramCode;
import io.miniinference.device.ProgramCode.JavaKernel;
import io.miniinference.device.TestKernels;
import io.miniinference.layout.Affine;
import java.util.List;
import org.junit.jupiter.api.Test;

final class JvmDeviceTest extends DeviceContract {

  @Override
  protected Device open() {
    return new JvmDevice(4);
  }

  @Override
  protected ProgramCode code() {
    return TestKernels.java();
  }

  @Test
  void aShareThatFailsFailsTheRunAndNoOther() {
    JavaKernel picky =
        new JavaKernel(
            "picky",
            (_, n, first, count, _) -> {
              if (n == 400 && first <= 350 && 350 < first + count) {
                throw new IllegalStateException("item 350");
              }
            });
    program = device.build(new ProgramCode("picky", "", "", List.of(picky)));
    ExecutionContext commands = prepare(new Launch("picky", List.of(), new Items(Affine.N, 1)));
    for (int run = 0; run < 100; run++) {
      commands.bind(at(), 400);
      assertThatThrownBy(() -> commands.run(true))
          .isInstanceOf(DeviceException.class)
          .hasMessageContaining("kernel 'picky' failed on items")
          .hasMessageContaining("at batch size 400")
          .hasMessageContaining("item 350");
      commands.bind(at(), 300);
      commands.run(true);
    }
    assertThat(device.healthy()).isTrue();
  }

  @Test
  void kernelsOfOpenClAreRefused() {
    assertThatThrownBy(() -> device.build(TestKernels.openCl()))
        .isInstanceOf(DeviceException.class)
        .hasMessageContaining("'count' is OpenCL C");
  }
}
