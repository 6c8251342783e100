package io.miniinference.runtime.specialise;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.codegen.cpu.CpuTarget;
import io.miniinference.device.Device;
import io.miniinference.device.TestCache;
import io.miniinference.device.choice.Devices;
import io.miniinference.onnx.OnnxModel;
import io.miniinference.pool.MemoryPool;
import io.miniinference.runtime.EngineOptions;
import io.miniinference.runtime.LoadOptions;
import io.miniinference.runtime.TinyModels;
import io.miniinference.runtime.compile.EngineContext;
import io.miniinference.runtime.load.ModelLoader;
import io.miniinference.runtime.load.SharedWeights;
import io.miniinference.runtime.serve.Activity;
import io.miniinference.testing.device.TestedDevice;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// What is done of a shape ahead of requests.
final class SpecialiserTest {
  private static final OnnxModel MODEL = TinyModels.picking("1", "A", "B");

  @Test
  void rehearsingAShapeTakesNothingOfThePoolAndBuildsNothing() {
    try (Device device = jvm()) {
      MemoryPool pool = pool(device);
      long builds = device.driverCalls().builds();
      try (Specialiser specialiser = specialiser(device, pool)) {
        assertThat(specialiser.rehearses(sizes(3, 5))).isTrue();
        assertThat(specialiser.rehearses(sizes(5, 3))).isTrue();
        assertThat(specialiser.kernels()).isZero();
      }
      assertThat(device.driverCalls().builds()).isEqualTo(builds);
      assertThat(pool.statistics().usedBytes()).isZero();
    }
  }

  @Test
  void sizesThatTheModelDoesNotTakeAreNoneToRehearse() {
    try (Device device = jvm();
        Specialiser specialiser = specialiser(device, pool(device))) {
      assertThat(specialiser.rehearses(sizes(Long.MAX_VALUE, 2))).isFalse();
    }
  }

  private static Device jvm() {
    Devices.Kind kind = Devices.Kind.of(TestedDevice.JVM.device());
    return new Devices(TestCache.FOLDER).open(new Devices.Choice(kind, null, null));
  }

  private static MemoryPool pool(Device device) {
    device.openPool(1 << 20);
    return new MemoryPool(1 << 20);
  }

  /* Kernels are written, and nobody builds them. */
  private static Specialiser specialiser(Device device, MemoryPool pool) {
    ModelLoader loader =
        new ModelLoader(
            device,
            pool,
            new CpuTarget(),
            EngineContext.of(EngineOptions.defaults(TestCache.FOLDER)),
            new Activity(),
            new SharedWeights(device, pool));
    OpenSignature open = OpenSignature.of(MODEL, LoadOptions.defaults());
    OtherSizes others = new OtherSizes(open.signature().inputs(), LoadOptions.defaults());
    return new Specialiser(MODEL, loader.ofManyShapes(), others);
  }

  private static LoadOptions sizes(long a, long b) {
    return LoadOptions.defaults().withDimensions(Map.of("A", a, "B", b));
  }
}
