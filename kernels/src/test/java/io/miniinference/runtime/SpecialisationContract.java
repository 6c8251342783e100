package io.miniinference.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.miniinference.device.DriverCalls;
import io.miniinference.pool.PoolStatistics;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// What models with sizes besides the batch keep to: compiled per shape, in held blocks.
abstract class SpecialisationContract {
  private static final long[][] SHAPES = {{2, 3}, {4, 5}, {1, 64}};

  private @Nullable Engine engine;

  /// `jvm` or `opencl`.
  abstract String device();

  private Engine open(long poolBytes) {
    EngineOptions options =
        new EngineOptions(poolBytes, device(), null, null, "auto", RuntimeContract.CACHE);
    Engine opened = Engine.open(options);
    engine = opened;
    return opened;
  }

  @AfterEach
  void closeEngine() {
    if (engine != null) {
      engine.close();
    }
  }

  private static float[] pick(Model model, long[] shape, long index) {
    long[] indices = new long[(int) (shape[0] * shape[1])];
    Arrays.fill(indices, index);
    return TinyModels.picked(model, shape, indices);
  }

  @Test
  void aThousandRequestsOfThreeShapesTakeNoNewBlockAfterTheFirstRound() {
    Engine open = open(16L << 20);
    Model model = open.load(TinyModels.picking("A", "B"), LoadOptions.defaults());
    for (long[] shape : SHAPES) {
      pick(model, shape, 0);
    }
    PoolStatistics before = open.pool().statistics();
    DriverCalls calls = open.driverCalls();
    for (int k = 0; k < 1000; k++) {
      int row = k % 5;
      float[] picked = pick(model, SHAPES[k % SHAPES.length], row);
      assertThat(picked[picked.length - 1]).isEqualTo(10 * row + 1);
    }
    PoolStatistics after = open.pool().statistics();
    assertThat(after.events().splits()).isEqualTo(before.events().splits());
    assertThat(after.events().coalescings()).isEqualTo(before.events().coalescings());
    assertThat(after.events().heldMisses()).isEqualTo(before.events().heldMisses());
    assertThat(after.events().heldHits()).isEqualTo(before.events().heldHits() + 1000);
    assertThat(open.driverCalls().allocations()).isEqualTo(calls.allocations());
    assertThat(open.driverCalls().builds()).isEqualTo(calls.builds());
  }

  @Test
  void aLoadThatNeedsHeldBytesGetsThem() {
    Engine open = open(380_000);
    Model picking = open.load(TinyModels.picking("A", "B"), LoadOptions.defaults());
    pick(picking, new long[] {64, 256}, 3);
    assertThat(open.pool().statistics().heldBytes()).isGreaterThan(250_000);
    Model doubling = open.load(TinyModels.doubling(), LoadOptions.defaults().withMaxBatch(1024));
    assertThat(open.pool().statistics().events().evictions()).isPositive();
    assertThat(TinyModels.doubled(doubling, 1, 4)).containsOnly(8);
  }

  @Test
  void aRequestThatThePoolCannotHoldIsRefusedWithTheFigures() {
    Engine open = open(100_000);
    Model model = open.load(TinyModels.picking("A", "B"), LoadOptions.defaults());
    assertThatThrownBy(() -> pick(model, new long[] {64, 256}, 0))
        .isInstanceOf(LoadRefusedException.class)
        .hasMessageContaining("[64, 256]")
        .hasMessageContaining("'picking'");
    assertThat(pick(model, new long[] {1, 1}, 4)).containsExactly(40, 41);
  }

  @Test
  void aBadIndexFailsTheRunAndTheNextRequestIsClean() {
    Model model = open(1 << 20).load(TinyModels.picking("A", "B"), LoadOptions.defaults());
    assertThatThrownBy(() -> TinyModels.picked(model, new long[] {1, 3}, 0, 9, 1))
        .isInstanceOf(RequestFailedException.class)
        .hasMessage("node 'pick' (Gather): index 9 is outside [-5, 4] on axis 0, position 1");
    assertThat(TinyModels.picked(model, new long[] {1, 3}, 0, 1, 2))
        .containsExactly(0, 1, 10, 11, 20, 21);
  }

  @Test
  void aShapeOfAnotherRankIsTurnedAway() {
    Model model = open(1 << 20).load(TinyModels.picking("A", "B"), LoadOptions.defaults());
    assertThatThrownBy(() -> TinyModels.picked(model, new long[] {3}, 0, 1, 2))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("unexpected shape for input 'i' for model 'picking'");
  }
}
