package io.miniinference.device;

import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.layout.Affine;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// The contract on a device whose memory is its own, as a GPU's is.
@Tag("opencl")
final class OpenClSeparateMemoryTest extends DeviceContract {

  @Override
  Device open() {
    OpenClTarget target = OpenClTargets.find(CACHE).targets().getFirst();
    return new OpenClDevice(target.asSeparateMemory(), CACHE);
  }

  @Override
  ProgramCode code() {
    return TestKernels.openCl();
  }

  /// Failure slots and the outputs of a small batch are close.
  @Test
  void outputsThatAreCloseComeBackInOneTransfer() {
    Commands commands = prepare();
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

  private static int[] output(Commands commands, int index) {
    return commands.output(index).toArray(JAVA_INT_UNALIGNED);
  }

  private long transfers(Commands commands, Binding binding) {
    long before = device.driverCalls().transfers();
    commands.bind(binding, 2);
    commands.run(false);
    return device.driverCalls().transfers() - before;
  }
}
