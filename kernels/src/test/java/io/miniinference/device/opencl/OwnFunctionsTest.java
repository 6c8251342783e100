package io.miniinference.device.opencl;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.device.Binding;
import io.miniinference.device.Device;
import io.miniinference.device.DeviceProgram;
import io.miniinference.device.ExecutionContext;
import io.miniinference.device.Launch;
import io.miniinference.device.Launch.Items;
import io.miniinference.device.ProgramCode;
import io.miniinference.device.ProgramCode.OpenClKernel;
import io.miniinference.device.TestCache;
import io.miniinference.device.choice.Devices;
import io.miniinference.layout.Affine;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("opencl")
final class OwnFunctionsTest {
  private Device device;

  @BeforeEach
  void open() {
    device = new Devices(TestCache.FOLDER).open(Devices.Choice.OPENCL);
    device.openPool(1 << 20);
  }

  @AfterEach
  void close() {
    device.close();
  }

  @Test
  void aProgramOfDeclaredFunctionsIsBuiltOnce() {
    assertThat(value("fma(fmax(x, 2.0f), 3.0f, exp(0.0f * x))")).isEqualTo(7);
    assertThat(device.driverCalls().builds()).isEqualTo(1);
  }

  @Test
  void aProgramOfOtherFunctionsIsBuiltWithAll() {
    assertThat(value("hypot(3.0f, 4.0f * x)")).isEqualTo(5);
    boolean isShortened = device.info().driver().startsWith("3.") && isPocl();
    assertThat(device.driverCalls().builds()).isEqualTo(isShortened ? 2 : 1);
  }

  private boolean isPocl() {
    return device.info().platform().contains(OpenClTarget.POCL);
  }

  /* Of an expression in x, which is 1. */
  private float value(String expression) {
    String source =
        """
        __attribute__((reqd_work_group_size(1, 1, 1)))
        kernel void f(global uchar* pool, int n, int first, ulong o0) {
          if (n < 0) return;
          global float* y = (global float*) (pool + o0);
          const float x = y[0];
          y[0] = %s;
        }
        """
            .formatted(expression);
    var code = new ProgramCode("made up", source, "", List.of(new OpenClKernel("f", 1)));
    device.upload(256, MemorySegment.ofArray(new float[] {1}));
    try (DeviceProgram program = device.build(code);
        ExecutionContext commands =
            device.prepare(
                program,
                List.of(new Launch("f", List.of(0), new Items(Affine.of(1), 1))),
                new Device.StagingSize(0, 0, 0))) {
      commands.bind(new Binding(new long[] {256}, List.of(), List.of()), 1);
      commands.run(false);
      byte[] bytes = new byte[Float.BYTES];
      device.download(256, MemorySegment.ofArray(bytes));
      return MemorySegment.ofArray(bytes).get(ValueLayout.JAVA_FLOAT_UNALIGNED, 0);
    }
  }
}
