package io.miniinference.device.opencl;

import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.device.Binding;
import io.miniinference.device.Device;
import io.miniinference.device.DeviceContract;
import io.miniinference.device.DeviceProgram;
import io.miniinference.device.ExecutionContext;
import io.miniinference.device.Launch;
import io.miniinference.device.Launch.Items;
import io.miniinference.device.ProgramCode;
import io.miniinference.device.TestCache;
import io.miniinference.device.TestKernels;
import io.miniinference.layout.Affine;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The contract on a device whose memory is its own, as a GPU's is.
@Tag("opencl")
final class OpenClSeparateMemoryTest extends DeviceContract {

  @TempDir Path programs;

  @Override
  protected Device open() {
    return SeparateMemory.open(TestCache.FOLDER, 1);
  }

  @Override
  protected ProgramCode code() {
    return TestKernels.openCl();
  }

  @Test
  void aSecondDeviceTakesTheProgramFromTheCache() throws IOException {
    ProgramCode fresh = TestKernels.openCl(UUID.randomUUID().toString());
    assertThat(buildAndRun(fresh)).isFalse();
    assertThat(buildAndRun(fresh)).isTrue();
    damageCache();
    assertThat(buildAndRun(fresh)).isFalse();
    assertThat(buildAndRun(fresh)).isTrue();
  }

  private boolean buildAndRun(ProgramCode code) {
    try (Device other = SeparateMemory.open(programs, 1)) {
      other.openPool(POOL_BYTES);
      DeviceProgram built = other.build(code);
      ExecutionContext commands =
          other.prepare(
              built,
              List.of(new Launch("batch", List.of(0), new Items(Affine.ONE, 1))),
              new Device.StagingSize(0, 0));
      commands.bind(at(0), 77);
      commands.run(false);
      int[] result = new int[1];
      other.download(0, MemorySegment.ofArray(result));
      assertThat(result).containsExactly(77);
      assertThat(other.driverCalls().builds()).isEqualTo(built.cached() ? 0 : 1);
      return built.cached();
    }
  }

  private void damageCache() throws IOException {
    try (Stream<Path> files = Files.list(programs.resolve("programs"))) {
      for (Path file : files.toList()) {
        byte[] content = Files.readAllBytes(file);
        content[content.length / 2] ^= 1;
        Files.write(file, content);
      }
    }
  }

  /// Failure slots and the outputs of a small batch are close.
  @Test
  void outputsThatAreCloseComeBackInOneTransfer() {
    ExecutionContext commands = prepare();
    Binding.Region far = region(1 << 17);
    Binding near = new Binding(new long[0], List.of(), List.of(region(4364), region(256)));
    Binding apart = new Binding(new long[0], List.of(), List.of(region(4364), far, region(256)));
    store(256, 1, 2);
    store(4364, 3, 4);
    store(1 << 17, 5, 6);
    assertThat(transfers(commands, near)).isEqualTo(1);
    assertThat(output(commands, 0)).containsExactly(3, 4);
    assertThat(output(commands, 1)).containsExactly(1, 2);
    assertThat(transfers(commands, apart)).isEqualTo(2);
    assertThat(output(commands, 0)).containsExactly(3, 4);
    assertThat(output(commands, 1)).containsExactly(5, 6);
    assertThat(output(commands, 2)).containsExactly(1, 2);
  }

  private static Binding.Region region(long offsetBytes) {
    return new Binding.Region(offsetBytes, Affine.batch(4));
  }

  private static int[] output(ExecutionContext commands, int index) {
    return commands.output(index).toArray(JAVA_INT_UNALIGNED);
  }

  private long transfers(ExecutionContext commands, Binding binding) {
    long before = device.driverCalls().transfers();
    commands.bind(binding, 2);
    commands.run(false);
    return device.driverCalls().transfers() - before;
  }
}
