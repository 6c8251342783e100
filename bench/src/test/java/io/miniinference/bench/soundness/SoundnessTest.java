package io.miniinference.bench.soundness;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.bench.soundness.SoundnessCheck.Closeness;
import io.miniinference.codegen.cpu.CpuTarget;
import io.miniinference.codegen.gpu.GpuTarget;
import io.miniinference.codegen.jvm.JvmTarget;
import io.miniinference.conformance.Rig;
import io.miniinference.device.choice.Devices;
import io.miniinference.lower.Target;
import io.miniinference.testing.RandomModel.Domain;
import io.miniinference.testing.device.UnoptimisedKernels;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// Random models on every device: each plan is sound, and outputs are those of the interpreter.
final class SoundnessTest {
  private static final int MODELS = 800;
  private static final int OPENCL_MODELS = 30;

  @Test
  void plansAreSoundAndOutputsOnTheJvmAreTheInterpretersToTheBit() {
    List<Target<?>> planned = List.of(new CpuTarget(), new GpuTarget());
    hold(Devices.Choice.JVM, new JvmTarget(), planned, Domain.ALL, Closeness.BITS, MODELS);
  }

  @Test
  @Tag("opencl")
  void outputsOfKernelsForCpusAreNearTheInterpreters() {
    onOpenCl(new CpuTarget());
  }

  @Test
  @Tag("opencl")
  @ExtendWith(UnoptimisedKernels.class)
  void outputsOfKernelsForGpusAreNearTheInterpreters() {
    onOpenCl(new GpuTarget());
  }

  private static void onOpenCl(Target<?> writer) {
    Devices.Choice choice = Devices.Choice.OPENCL;
    hold(choice, writer, List.of(), Domain.CONTINUOUS, Closeness.NEAR, OPENCL_MODELS);
  }

  private static void hold(
      Devices.Choice choice,
      Target<?> writer,
      List<Target<?>> planned,
      Domain domain,
      Closeness closeness,
      int models) {
    Devices devices = new Devices(Path.of(System.getProperty("mie.cache", "target/device-cache")));
    try (Rig rig = Rig.of(devices.open(choice), writer)) {
      var check = new SoundnessCheck(rig, planned, closeness);
      List<String> faults =
          LongStream.range(0, models)
              .mapToObj(seed -> check.check(seed, domain))
              .flatMap(Optional::stream)
              .map(SoundnessCheck.Fault::what)
              .toList();
      assertThat(faults).isEmpty();
    }
  }
}
