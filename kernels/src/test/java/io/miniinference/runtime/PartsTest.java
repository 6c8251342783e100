package io.miniinference.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assertions.tuple;

import io.miniinference.device.Device;
import io.miniinference.device.TestCache;
import io.miniinference.device.opencl.SeparateMemory;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Tensor;
import io.miniinference.runtime.open.Engines;
import io.miniinference.testing.TestModel;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Batches that go in parts on a device with memory of its own, which says that it overlaps runs.
@Tag("opencl")
final class PartsTest {
  private static final int ROWS = 4;
  private static final int MOST = 9;
  private static final int TOKENS = 200;
  private static final int RESULTS = TOKENS * 200;

  private static Engine engine;

  @BeforeAll
  static void open() {
    var options =
        new EngineOptions(SharedEngine.POOL_BYTES, "opencl", null, null, "gpu", TestCache.FOLDER);
    engine =
        Engines.open(
            options,
            shared -> {
              shared.close();
              return overlapping();
            });
  }

  private static Device overlapping() {
    return SeparateMemory.open(TestCache.FOLDER, 8);
  }

  @AfterAll
  static void close() {
    engine.close();
  }

  private static TestModel picking() {
    return TestModel.opset(17)
        .longs("i", "N,200")
        .reals("table", 6, 500)
        .reals("w", 500, 200)
        .node("Gather", "table i", "a")
        .node("MatMul", "a w", "y")
        .output("y");
  }

  /* Nothing of it can fail, so that parts of a lane are all the same. */
  private static TestModel sure() {
    return TestModel.opset(17)
        .floats("x", "N,200,500")
        .reals("w", 500, 200)
        .node("MatMul", "x w", "a")
        .node("Sin", "a", "y")
        .output("y");
  }

  private static Model load(TestModel model, int maxBatch) {
    return engine.load(
        model.read(), LoadOptions.defaults().withMaxBatch(maxBatch).withInstances(1));
  }

  private static long[] indices(int rows) {
    return LongStream.range(0, (long) rows * TOKENS).map(i -> i * i % 6).toArray();
  }

  private static Tensor batch(long... indices) {
    return SharedEngine.longs(SharedEngine.shape(indices.length / TOKENS, TOKENS), indices);
  }

  /// The last part has one row, and follows the first one in its lane.
  @Test
  void aRowHasTheSameBitsInEachBatch() {
    try (Model model = load(picking(), MOST)) {
      assertThat(model.plan(MOST).text())
          .startsWith("in parts: 9 rows go through all steps 4 at a time in each of 2 lanes");
      long[] all = indices(MOST);
      float[] together = SharedEngine.reals(model, batch(all));
      for (int row : new int[] {0, 2 * ROWS - 1, MOST - 1}) {
        long[] alone = Arrays.copyOfRange(all, row * TOKENS, (row + 1) * TOKENS);
        assertThat(SharedEngine.reals(model, batch(alone)))
            .as("row %d", row)
            .isEqualTo(Arrays.copyOfRange(together, row * RESULTS, (row + 1) * RESULTS));
      }
    }
  }

  @Test
  void partsWithoutFailuresAreAllTheSame() {
    try (Model model = load(sure(), MOST)) {
      Tensor all = SharedEngine.counted(ElementType.F32, MOST, TOKENS, 500);
      float[] together = SharedEngine.reals(model, all);
      long row = TOKENS * 500 * 4L;
      for (int i : new int[] {0, 3, MOST - 1}) {
        Tensor alone =
            new Tensor(
                ElementType.F32,
                SharedEngine.shape(1, TOKENS, 500),
                all.data().asSlice(i * row, row));
        assertThat(SharedEngine.reals(model, alone))
            .as("row %d", i)
            .isEqualTo(Arrays.copyOfRange(together, i * RESULTS, (i + 1) * RESULTS));
      }
      assertThat(SharedEngine.reals(model, all)).isEqualTo(together);
    }
  }

  /// Memory for four lanes, whatever the batch is.
  @Test
  void theArenaDoesNotGrowWithTheBatch() {
    try (Model model = load(sure(), 128)) {
      assertThat(model.plan(128).text())
          .startsWith("in parts: 128 rows go through all steps 4 at a time in each of 4 lanes");
      long row = TOKENS * (500 + 200) * 4L;
      assertThat(model.reservedBytes()).isLessThan(4 * ROWS * row + 500 * 200 * 4 + 100_000);
      assertThat(model.plan(ROWS).text()).doesNotContain("in parts");
    }
  }

  /// One is filled and read while the other computes.
  @Test
  void besideTheLargeInstanceThereIsASmallOne() {
    try (Model model = engine.load(picking().read(), LoadOptions.defaults().withMaxBatch(MOST))) {
      assertThat(model.instanceBatches()).containsExactly(8, MOST);
    }
  }

  @Test
  void failuresKeepTheirRowsAndPositions() {
    try (Model model = load(picking(), MOST)) {
      long[] good = indices(MOST);
      float[] expected = SharedEngine.reals(model, batch(good));
      long[] bad = good.clone();
      bad[2 * TOKENS - 1] = 6;
      bad[2 * TOKENS] = 8;
      bad[8 * TOKENS + 5] = 7;
      for (int run = 0; run < 2; run++) {
        RequestFailedException failed =
            catchThrowableOfType(
                RequestFailedException.class, () -> SharedEngine.run(model, batch(bad)));
        assertThat(failed.failures())
            .extracting(FailureReport::row, FailureReport::index, FailureReport::linear)
            .containsExactly(
                tuple(1, 6L, 2L * TOKENS - 1),
                tuple(2, 8L, 2L * TOKENS),
                tuple(8, 7L, 8L * TOKENS + 5));
        assertThat(SharedEngine.reals(model, batch(good))).isEqualTo(expected);
      }
    }
  }

  /// Each launch is told, of each part.
  @Test
  void anObservedBatchHasTheSameBits() {
    try (Model model = load(picking(), MOST)) {
      Tensor batch = batch(indices(MOST));
      float[] expected = SharedEngine.reals(model, batch);
      List<Integer> launches = new ArrayList<>();
      float[] observed =
          model.infer(
              SharedEngine.request(batch).observedBy((launch, _, _, _) -> launches.add(launch)),
              outputs -> outputs.getFirst().data().toArray(ValueLayout.JAVA_FLOAT_UNALIGNED));
      assertThat(observed).isEqualTo(expected);
      long distinct = launches.stream().distinct().count();
      assertThat(launches).hasSize((int) distinct * Math.ceilDiv(MOST, ROWS));
    }
  }

  @Test
  void requestsAtTheSameTimeHaveEachTheirOwn() throws Exception {
    try (Model model =
            engine.load(
                picking().read(), LoadOptions.defaults().withMaxBatch(MOST).withInstances(2));
        ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
      long[] indices = indices(MOST);
      float[] expected = SharedEngine.reals(model, batch(indices));
      List<Callable<Boolean>> calls = new ArrayList<>();
      for (int rows : new int[] {1, 5, MOST}) {
        calls.add(() -> {
          float[] part = SharedEngine.reals(model, batch(Arrays.copyOf(indices, rows * TOKENS)));
          return Arrays.equals(part, Arrays.copyOf(expected, part.length));
        });
      }
      for (Future<Boolean> each : callers.invokeAll(calls)) {
        assertThat(each.get()).isTrue();
      }
    }
  }
}
