package io.miniinference.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.device.DriverCalls;
import io.miniinference.device.TestCache;
import io.miniinference.pool.PoolStatistics;
import io.miniinference.runtime.open.Engines;
import io.miniinference.testing.device.OnEachDevice;
import io.miniinference.testing.device.TestedDevice;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;

/// A model that requests of ever new shapes come to: what it takes is bounded by the shapes that
/// stay compiled, and all of it is given back.
@OnEachDevice(
    value = {TestedDevice.JVM, TestedDevice.CPU},
    optimised = false)
final class ManyShapesTest {
  @Parameter TestedDevice tested;

  private static final int REQUESTS = Integer.getInteger("mie.open.requests", 1_000);
  private static final int KEPT = 4;
  private static final int LARGEST = 64;

  /// Indices of the largest shape, what is picked by them, and the place of a failure.
  private static final long ARENA_BYTES = (long) LARGEST * LARGEST * 2 * 8 + 4096;

  @Test
  void theyHoldNoMoreThanTheShapesThatStayCompiledAndNothingWhenItIsGone() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    EngineOptions options =
        new EngineOptions(
            16 << 20, tested.device(), null, null, tested.codegen(), TestCache.FOLDER);
    try (Engine engine = Engines.open(options);
        Model model =
            engine.load(
                TinyModels.picking("1", "A", "B"),
                LoadOptions.defaults().withMaxSpecialisations(KEPT))) {
      for (int columns = 1; columns <= KEPT + 2; columns++) {
        pick(model, LARGEST, columns, 0);
      }
      DriverCalls calls = engine.driverCalls();
      for (int k = 0; k < REQUESTS; k++) {
        int row = random.nextInt(5);
        float[] picked =
            pick(model, random.nextInt(1, LARGEST + 1), random.nextInt(1, LARGEST + 1), row);
        assertThat(picked[picked.length - 1]).as("seed %d", seed).isEqualTo(10 * row + 1);
        assertThat(takenBytes(engine)).as("seed %d", seed).isLessThan((KEPT + 2) * ARENA_BYTES);
      }
      assertThat(engine.driverCalls().allocations()).isEqualTo(calls.allocations());
      model.close();
      assertThat(takenBytes(engine)).isZero();
      engine.pool().validateIntegrity();
    }
  }

  private static long takenBytes(Engine engine) {
    PoolStatistics pool = engine.pool().statistics();
    return pool.usedBytes() + pool.heldBytes();
  }

  private static float[] pick(Model model, long rows, long columns, long index) {
    long[] indices = new long[(int) (rows * columns)];
    Arrays.fill(indices, index);
    return TinyModels.picked(model, new long[] {1, rows, columns}, indices);
  }
}
