package io.miniinference.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assertions.tuple;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.Tensor;
import io.miniinference.testing.TestModel;
import io.miniinference.testing.device.OnEachDevice;
import io.miniinference.testing.device.TestedDevice;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.assertj.core.groups.Tuple;
import org.junit.jupiter.api.Test;

/// Batches of which a few rows go through all steps before the next ones do, since one row is
/// larger than a core's cache, of the CPU writer's kernels: in launches that all workers share, and
/// where workers have as many rows each, row by row.
@OnEachDevice(TestedDevice.CPU)
final class MicroBatchesTest extends SharedEngine {
  /// A step of fewer rows does not keep the workers of this machine busy.
  private static final int ROWS =
      Integer.highestOneBit(Math.max(1, (Runtime.getRuntime().availableProcessors() - 1) / 4 * 2));

  private static final int MOST_ROWS = 7 * ROWS;
  private static final int WORKERS = Runtime.getRuntime().availableProcessors();

  /// Four for each worker.
  private static final int EVEN = 4 * WORKERS;

  private static final int WIDTH = 70_000;
  private static final int INDICES = 65_000;

  private static TestModel deep() {
    return TestModel.opset(17)
        .floats("x", "N,7,10000")
        .node("Sin", "x", "a")
        .node("Softmax", "a", "b")
        .node("Mul", "b a", "c")
        .node("Softmax", "c", "d")
        .node("Add", "d a", "y")
        .output("y");
  }

  private static TestModel picking() {
    return TestModel.opset(17)
        .longs("i", "N,65000")
        .reals("table", 6, 1)
        .node("Gather", "table i", "a")
        .node("Sin", "a", "b")
        .node("Gather", "table i", "c")
        .node("Add", "b c", "y")
        .output("y");
  }

  /* Of weights that make it worth to take two rows. */
  private static TestModel weighted() {
    return TestModel.opset(17)
        .longs("i", "N,200")
        .reals("table", 6, 1000)
        .reals("w", 1000, 700)
        .node("Gather", "table i", "a")
        .reals("v", 700, 100)
        .node("MatMul", "a w", "b")
        .node("MatMul", "b v", "y")
        .output("y");
  }

  /* How the plan of a batch begins. The cache that workers share has room for lanes of 32. */
  private static String way(int rows) {
    boolean hasLanes = WORKERS >= 2 && WORKERS <= 32;
    int idle = Math.ceilDiv(rows, WORKERS) * WORKERS - rows;
    return hasLanes && rows >= 4 * WORKERS && idle * 10 <= rows
        ? "row by row: one launch takes " + rows + " rows through all steps"
        : "micro-batches: " + rows + " rows go through all steps";
  }

  private Model load(TestModel model, int maxBatch) {
    return load(model.read(), LoadOptions.defaults().withMaxBatch(maxBatch).withInstances(1));
  }

  /* Node, row, index and place in the result of each failure that a request is told. */
  private static List<Tuple> told(Model model, Tensor indices) {
    return catchThrowableOfType(RequestFailedException.class, () -> run(model, indices))
        .failures()
        .stream()
        .map(it -> tuple(it.node(), it.row(), it.index(), it.linear()))
        .toList();
  }

  private static Tensor rows(Tensor all, int from, int to) {
    return new Tensor(
        ElementType.F32,
        shape(to - from, 7, 10_000),
        all.data().asSlice(from * WIDTH * 4L, (to - from) * WIDTH * 4L));
  }

  private static Tensor batch() {
    return counted(ElementType.F32, MOST_ROWS, 7, 10_000);
  }

  @Test
  void aRowHasTheSameBitsInEachBatch() {
    try (Model model = load(deep(), MOST_ROWS)) {
      Tensor batch = batch();
      byte[] all = run(model, batch);
      int row = WIDTH * 4;
      for (int size : new int[] {1, 2, 3, MOST_ROWS - 1}) {
        for (int from = 0; from + size <= MOST_ROWS; from += size) {
          byte[] part = run(model, rows(batch, from, from + size));
          assertThat(Arrays.equals(part, 0, size * row, all, from * row, (from + size) * row))
              .as("rows from %d, %d of them", from, size)
              .isTrue();
        }
      }
    }
  }

  /// Each launch is told, of each micro-batch.
  @Test
  void anObservedBatchHasTheSameBits() {
    try (Model model = load(deep(), MOST_ROWS)) {
      byte[] expected = run(model, batch());
      List<Integer> launches = new ArrayList<>();
      byte[] observed =
          model.infer(
              request(batch()).observedBy((launch, _, _, _) -> launches.add(launch)),
              outputs -> outputs.getFirst().data().toArray(ValueLayout.JAVA_BYTE));
      assertThat(Arrays.equals(observed, expected)).isTrue();
      long distinct = launches.stream().distinct().count();
      assertThat(distinct).isGreaterThan(1);
      assertThat(launches.size() % distinct).isZero();
      assertThat(launches.size() / distinct).isGreaterThan(1);
    }
  }

  /// Memory for one micro-batch, and for what comes in and goes out.
  @Test
  void theArenaDoesNotGrowByWhatIsBetween() {
    try (Model model = load(deep(), MOST_ROWS)) {
      long staged = 2L * MOST_ROWS * WIDTH * 4;
      String plan = model.plan(MOST_ROWS).text();
      assertThat(plan).startsWith(way(MOST_ROWS));
      long lane = 3L * WIDTH * 4;
      assertThat(model.reservedBytes()).isLessThan(staged * 21 / 20 + WORKERS * lane);
      assertThat(model.plan(3 * MOST_ROWS).text())
          .as("of more rows than were loaded")
          .startsWith(way(3 * MOST_ROWS));
    }
  }

  /// Workers have four rows each there, and no two share a step.
  @Test
  void aRowHasTheSameBitsWhereWorkersHaveAsMany() {
    try (Model model = load(deep(), EVEN + 1)) {
      assertThat(model.plan(EVEN).text()).startsWith(way(EVEN));
      Tensor batch = counted(ElementType.F32, EVEN, 7, 10_000);
      byte[] all = run(model, batch);
      int row = WIDTH * 4;
      for (int i = 0; i < EVEN; i++) {
        byte[] alone = run(model, rows(batch, i, i + 1));
        assertThat(Arrays.equals(alone, 0, row, all, i * row, (i + 1) * row))
            .as("row %d", i)
            .isTrue();
      }
      assertThat(run(model, counted(ElementType.F32, EVEN + 1, 7, 10_000)))
          .as("one more, with as many elements before it")
          .startsWith(all);
    }
  }

  @Test
  void failuresOfRowsInLanesOfTheirOwnKeepTheirRowsAndPositions() {
    try (Model model = load(picking(), EVEN)) {
      long[] good = new long[EVEN * INDICES];
      long[] bad = good.clone();
      bad[2 * INDICES - 1] = 6;
      bad[3 * INDICES + 5] = 7;
      for (int run = 0; run < 3; run++) {
        assertThat(told(model, longs(shape(EVEN, INDICES), bad)))
            .containsExactly(
                tuple("make a", 1, 6L, 2L * INDICES - 1), tuple("make a", 3, 7L, 3L * INDICES + 5));
        run(model, longs(shape(EVEN, INDICES), good));
      }
    }
  }

  @Test
  void failuresKeepTheirRowsAndPositions() {
    try (Model model = load(picking(), MOST_ROWS)) {
      long[] good = new long[MOST_ROWS * INDICES];
      long[] bad = good.clone();
      bad[2 * INDICES - 1] = 6;
      bad[4 * INDICES + 5] = 7;
      bad[6 * INDICES] = -7;
      for (int run = 0; run < 3; run++) {
        assertThat(told(model, longs(shape(MOST_ROWS, INDICES), bad)))
            .containsExactly(
                tuple("make a", 1, 6L, 2L * INDICES - 1),
                tuple("make a", 4, 7L, 4L * INDICES + 5),
                tuple("make a", 6, -7L, 6L * INDICES));
        run(model, longs(shape(MOST_ROWS, INDICES), good));
      }
    }
  }

  /// The last one has a single row, and its failure is told like those of a second row.
  @Test
  void microBatchesOfTwoRowsKeepRowsAndFailures() {
    try (Model model = load(weighted(), 5)) {
      if (WORKERS <= 8 && WORKERS > 1) {
        assertThat(model.plan(5).text())
            .startsWith("micro-batches: 5 rows go through all steps 2 at a time");
      }
      long[] good = LongStream.range(0, 1000).map(i -> i * i % 6).toArray();
      float[] all = reals(model, longs(shape(5, 200), good));
      for (int row = 0; row < 5; row++) {
        long[] alone = Arrays.copyOfRange(good, row * 200, (row + 1) * 200);
        assertThat(reals(model, longs(shape(1, 200), alone)))
            .as("row %d", row)
            .isEqualTo(Arrays.copyOfRange(all, row * 20_000, (row + 1) * 20_000));
      }
      long[] bad = good.clone();
      bad[399] = 6;
      bad[600] = 7;
      bad[802] = 8;
      RequestFailedException failed =
          catchThrowableOfType(
              RequestFailedException.class, () -> run(model, longs(shape(5, 200), bad)));
      assertThat(failed.failures())
          .extracting(FailureReport::row, FailureReport::index, FailureReport::linear)
          .containsExactly(tuple(1, 6L, 399L), tuple(3, 7L, 600L), tuple(4, 8L, 802L));
      assertThat(reals(model, longs(shape(5, 200), good))).isEqualTo(all);
    }
  }

  /// An output of its own place takes more than one that lies where the input was.
  @Test
  void aBatchThatWouldNeedMoreMemorySoGoesWhole() {
    TestModel one =
        TestModel.opset(17)
            .floats("x", "N,7,10000")
            .reals("w", 1, 10_000)
            .node("GlobalMaxPool", "x", "a")
            .node("Add", "a w", "b")
            .node("Sin", "b", "y")
            .output("y");
    try (Model model = load(one, 16)) {
      assertThat(model.plan(16).text()).doesNotContain("micro-batches");
    }
  }

  @Test
  void requestsAtTheSameTimeHaveEachTheirOwn() throws Exception {
    try (Model model = load(deep(), MOST_ROWS);
        ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
      Tensor batch = batch();
      byte[] expected = run(model, batch);
      List<Callable<Boolean>> calls = new ArrayList<>();
      for (int size : new int[] {1, 5, MOST_ROWS, 2, 6}) {
        calls.add(() -> {
          byte[] part = run(model, rows(batch, 0, size));
          return Arrays.equals(part, Arrays.copyOf(expected, part.length));
        });
      }
      for (Future<Boolean> each :
          callers.invokeAll(IntStream.range(0, 5).boxed().flatMap(_ -> calls.stream()).toList())) {
        assertThat(each.get()).isTrue();
      }
    }
  }
}
