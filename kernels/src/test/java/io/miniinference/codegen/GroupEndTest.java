package io.miniinference.codegen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.miniinference.device.Binding;
import io.miniinference.device.Device;
import io.miniinference.device.DeviceProgram;
import io.miniinference.device.ExecutionContext;
import io.miniinference.device.Launch;
import io.miniinference.device.ProgramCode;
import io.miniinference.device.TestCache;
import io.miniinference.device.choice.Devices;
import io.miniinference.layout.Affine;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Work items of a work-group that part behind its last barrier: each does what it is to do, and no
/// more. PoCL had all of them do what the first does ([OpenClC]).
@Tag("opencl")
final class GroupEndTest {
  private static final OpenClC DIALECT = new OpenClC("", true);
  private static final int ITEMS = 32;
  private static final int CELLS = 512;

  private static KernelText kernel(String stores) {
    KernelText kernel = new KernelText().group(ITEMS);
    kernel.entries("y", "int", 0);
    return kernel
        .line("const int t = @localId;")
        .line("@shared int a[32];")
        .line("a[t] = t;")
        .line("@barrier;")
        .line(stores);
  }

  private static int[] run(KernelText text) {
    String function = text.function("parts", DIALECT);
    String source = DIALECT.preamble(function, "") + function;
    var kernel = new ProgramCode.OpenClKernel("parts", 1);
    ProgramCode code = new ProgramCode("ends", source, DIALECT.options(), List.of(kernel));
    Launch.Extent rows = new Launch.Extent(Affine.batch(ITEMS), ITEMS, ITEMS);
    Launch launch = new Launch("parts", List.of(0), new Launch.Groups(List.of(rows)));
    int[] cells = new int[CELLS];
    Arrays.fill(cells, -1);
    try (Device device = new Devices(TestCache.FOLDER).open(Devices.Choice.OPENCL)) {
      device.openPool(1 << 20);
      device.upload(0, MemorySegment.ofArray(cells));
      try (DeviceProgram program = device.build(code);
          ExecutionContext commands =
              device.prepare(program, List.of(launch), new Device.StagingSize(0, 0))) {
        commands.bind(new Binding(new long[1], List.of(), List.of()), 1);
        commands.run(false);
      }
      device.download(0, MemorySegment.ofArray(cells));
    }
    return cells;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "if (t < 3) y[t] = a[31 - t];",
        "for (int j = t; j < 3; j += 32) y[j] = a[31 - j];"
      })
  void workItemsThatDoNotStoreStoreNothing(String stores) {
    int[] cells = run(kernel(stores));

    assertThat(Arrays.copyOf(cells, 3)).containsExactly(31, 30, 29);
    assertThat(Arrays.copyOfRange(cells, 3, CELLS)).containsOnly(-1);
  }

  @Test
  void conditionsWithinConditionsHoldForEachWorkItem() {
    int[] cells =
        run(
            kernel(
                """
                if (t < 16) {
                  const int j = a[t];
                  if (j < n + 2) {
                    y[j] = a[31 - j];
                    if (n == 1) y[j + 3] = j;
                  }
                }
                """));

    assertThat(Arrays.copyOf(cells, 6)).containsExactly(31, 30, 29, 0, 1, 2);
    assertThat(Arrays.copyOfRange(cells, 6, CELLS)).containsOnly(-1);
  }

  @Test
  void noWorkItemMayReturnBehindABarrier() {
    KernelText kernel = kernel("if (t > 2) return;").line("y[t] = a[31 - t];");

    assertThatIllegalStateException()
        .isThrownBy(() -> kernel.function("parts", DIALECT))
        .withMessageContaining("all work items go on");
  }
}
