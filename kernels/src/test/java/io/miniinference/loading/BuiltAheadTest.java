package io.miniinference.loading;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.miniinference.device.TestCache;
import io.miniinference.pool.Allocation;
import io.miniinference.runtime.Engine;
import io.miniinference.runtime.EngineOptions;
import io.miniinference.runtime.LoadOptions;
import io.miniinference.runtime.LoadRefusedException;
import io.miniinference.runtime.Model;
import io.miniinference.runtime.PreparedModel;
import io.miniinference.runtime.open.Engines;
import io.miniinference.testing.device.OnEachDevice;
import io.miniinference.testing.device.TestedDevice;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;

/// Kernels that are built ahead of a load are built once, and given back if no load takes them.
@OnEachDevice(
    value = {TestedDevice.JVM, TestedDevice.CPU},
    optimised = false)
final class BuiltAheadTest {
  @Parameter TestedDevice tested;

  private static final LoadOptions OPTIONS = LoadOptions.defaults().withMaxBatch(4);

  private Engine open(long poolBytes) {
    return Engines.open(
        new EngineOptions(
            poolBytes, tested.device(), null, null, tested.codegen(), TestCache.FOLDER));
  }

  private static PreparedModel prepared(Engine engine) {
    return engine.prepare(Versions.of(4), OPTIONS);
  }

  private static long builds(Engine engine) {
    return engine.driverCalls().builds();
  }

  @Test
  void aLoadTakesWhatWasBuiltAndBuildsNothing() {
    try (Engine engine = open(1 << 20)) {
      PreparedModel model = prepared(engine);
      model.build();
      model.build();
      assertThat(builds(engine)).isOne();

      Model loaded = model.load(4);

      assertThat(builds(engine)).isOne();
      try (Engine other = open(1 << 20)) {
        assertThat(Versions.ask(loaded))
            .isEqualTo(Versions.ask(other.load(Versions.of(4), OPTIONS)));
      }
      model.build();
      model.close();
      assertThat(builds(engine)).isOne();
      assertThat(Versions.ask(loaded)).isNotEmpty();
    }
  }

  @Test
  void aLoadThatIsRefusedLeavesItToTheNextAndCloseGivesItBack() {
    try (Engine engine = open(1 << 20)) {
      PreparedModel model = prepared(engine);
      long needed = model.bytes(4);
      var filler = engine.pool().allocate((1 << 20) - needed + 256, "others");
      model.build();
      assertThatThrownBy(() -> model.load(4)).isInstanceOf(LoadRefusedException.class);
      ((Allocation) filler).close();
      Model loaded = model.load(4);
      assertThat(builds(engine)).isOne();

      PreparedModel further = prepared(engine);
      further.build();
      further.close();
      further.close();
      loaded.close();
      assertThat(engine.driverCalls().variants()).isZero();
      assertThat(Versions.ask(further.load(4))).isNotEmpty();
      assertThat(builds(engine)).isEqualTo(3);
    }
  }

  @Test
  void loadsAndBuildsSideBySideBuildEachModelOnce() {
    try (Engine engine = open(1 << 20)) {
      for (int i = 0; i < 20; i++) {
        PreparedModel model = prepared(engine);
        CompletableFuture<Void> building = CompletableFuture.runAsync(model::build);
        model.load(4).close();
        building.join();
        model.close();
        assertThat(builds(engine)).isEqualTo(i + 1);
      }
    }
  }

  @Test
  void anEngineThatClosesWaitsForABuildAndRefusesLaterOnes() {
    for (int i = 0; i < 10; i++) {
      Engine engine = open(1 << 20);
      PreparedModel model = prepared(engine);
      PreparedModel late = prepared(engine);
      CompletableFuture<Void> building = CompletableFuture.runAsync(model::build);
      engine.close();
      building.handle((_, _) -> null).join();
      if (tested.device().equals("opencl")) {
        assertThatThrownBy(late::build).hasMessageContaining("closed");
      }
      model.close();
    }
  }
}
