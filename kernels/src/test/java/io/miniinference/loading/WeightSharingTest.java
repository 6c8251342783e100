package io.miniinference.loading;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.miniinference.device.TestCache;
import io.miniinference.runtime.Engine;
import io.miniinference.runtime.EngineOptions;
import io.miniinference.runtime.LoadOptions;
import io.miniinference.runtime.LoadRefusedException;
import io.miniinference.runtime.Model;
import io.miniinference.runtime.PreparedModel;
import io.miniinference.runtime.open.Engines;
import io.miniinference.testing.device.OnEachDevice;
import io.miniinference.testing.device.TestedDevice;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;

/// Weights that models have in common are in the pool once.
@OnEachDevice(
    value = {TestedDevice.JVM, TestedDevice.CPU},
    optimised = false)
final class WeightSharingTest {
  @Parameter TestedDevice tested;

  private static final LoadOptions OPTIONS = LoadOptions.defaults().withMaxBatch(4);

  /// Of the two layers that versions have in common, unpacked.
  private static final long COMMON_BYTES =
      4L * (Versions.WIDTH * Versions.WIDTH + Versions.WIDTH * Versions.HIDDEN);

  private Engine open(long poolBytes) {
    return Engines.open(
        new EngineOptions(
            poolBytes, tested.device(), null, null, tested.codegen(), TestCache.FOLDER));
  }

  private static long used(Engine engine) {
    return engine.pool().statistics().usedBytes();
  }

  private long alone(int classes) {
    try (Engine engine = open(1 << 20)) {
      engine.load(Versions.of(classes), OPTIONS);
      return used(engine);
    }
  }

  @Test
  void aVersionThatDiffersInItsLastLayerTakesThatLayerAndItsArenas() {
    try (Engine engine = open(1 << 20)) {
      Model first = engine.load(Versions.of(4), OPTIONS);
      float[] answer = Versions.ask(first);
      long before = used(engine);

      Model second = engine.load(Versions.of(40), OPTIONS);

      assertThat(alone(40) - (used(engine) - before)).isGreaterThanOrEqualTo(COMMON_BYTES);
      assertThat(first.reservedBytes() + second.reservedBytes()).isEqualTo(used(engine));
      float[] other = Versions.ask(second);
      first.close();
      assertThat(Versions.ask(second)).isEqualTo(other);
      assertThat(second.reservedBytes()).isEqualTo(used(engine)).isEqualTo(alone(40));
      Model again = engine.load(Versions.of(4), OPTIONS);
      assertThat(Versions.ask(again)).isEqualTo(answer);
      second.close();
      again.close();
      assertThat(used(engine)).isZero();
      engine.pool().validateIntegrity();
    }
  }

  @Test
  void aPoolThatHoldsBothToTheByteIsEnoughAndOneWithLessRefusesWithWhatIsMissing() {
    long both;
    try (Engine engine = open(1 << 20)) {
      engine.load(Versions.of(4), OPTIONS);
      engine.load(Versions.of(5), OPTIONS);
      both = used(engine);
    }
    try (Engine exact = open(both)) {
      exact.load(Versions.of(4), OPTIONS);
      PreparedModel second = exact.prepare(Versions.of(5), OPTIONS);
      assertThat(second.bytes(4)).isEqualTo(exact.pool().statistics().freeBytes());
      second.load(4);
      assertThat(exact.pool().statistics().freeBytes()).isZero();
    }
    try (Engine less = open(both - 256)) {
      less.load(Versions.of(4), OPTIONS);
      String before = less.pool().memoryMap().toString();
      assertThatThrownBy(() -> less.load(Versions.of(5), OPTIONS))
          .isInstanceOf(LoadRefusedException.class)
          .hasMessageContaining("besides those that other models have");
      assertThat(less.pool().memoryMap()).hasToString(before);
    }
  }

  @Test
  void modelsThatAreLoadedTogetherCountWhatTheyShareOnce() {
    try (Engine engine = open(1 << 20)) {
      PreparedModel first = engine.prepare(Versions.of(4), OPTIONS);
      PreparedModel second = engine.prepare(Versions.of(5), OPTIONS);
      long planned = first.bytes(4) + second.bytes(4) - second.bytesBroughtBy(List.of(first));

      first.load(4);
      second.load(4);

      assertThat(used(engine)).isEqualTo(planned);
    }
  }
}
