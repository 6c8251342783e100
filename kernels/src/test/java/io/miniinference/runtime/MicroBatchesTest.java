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
import org.junit.jupiter.api.Test;

/// Batches of which a few rows go through all steps before the next ones do, since one row is
/// larger than a cache: in launches that all workers share, of the CPU writer's kernels.
@OnEachDevice(TestedDevice.CPU)
final class MicroBatchesTest extends SharedEngine {
  private static final int MOST_ROWS = 7;
  private static final int WIDTH = 140_000;
  private static final int INDICES = 200_000;

  private static TestModel deep() {
    return TestModel.opset(17)
        .floats("x", "N,7,20000")
        .node("Sin", "x", "a")
        .node("Softmax", "a", "b")
        .node("Mul", "b a", "c")
        .node("Softmax", "c", "d")
        .node("Add", "d a", "y")
        .output("y");
  }

  private static TestModel picking() {
    return TestModel.opset(17)
        .longs("i", "N,200000")
        .reals("table", 6, 1)
        .node("Gather", "table i", "a")
        .node("Sin", "a", "b")
        .node("Gather", "table i", "c")
        .node("Add", "b c", "y")
        .output("y");
  }

  private static Tensor rows(Tensor all, int from, int to) {
    return new Tensor(
        ElementType.F32,
        shape(to - from, 7, 20_000),
        all.data().asSlice(from * WIDTH * 4L, (to - from) * WIDTH * 4L));
  }

  private static Tensor batch() {
    return counted(ElementType.F32, MOST_ROWS, 7, 20_000);
  }

  @Test
  void aRowHasTheSameBitsInEachBatch() {
    try (Model model = load(deep().read(), MOST_ROWS)) {
      Tensor batch = batch();
      byte[] all = run(model, batch);
      int row = WIDTH * 4;
      for (int size : new int[] {1, 2, 3, 6}) {
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
    try (Model model = load(deep().read(), MOST_ROWS)) {
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
    try (Model model = load(deep().read(), MOST_ROWS)) {
      long staged = 2L * MOST_ROWS * WIDTH * 4;
      String plan = model.plan(MOST_ROWS).text();
      assertThat(plan).startsWith("micro-batches: 7 rows go through all steps");
      assertThat(model.reservedBytes()).isLessThan(staged * 4 / 3);
    }
  }

  @Test
  void failuresKeepTheirRowsAndPositions() {
    try (Model model = load(picking().read(), MOST_ROWS)) {
      long[] good = new long[MOST_ROWS * INDICES];
      long[] bad = good.clone();
      bad[2 * INDICES - 1] = 6;
      bad[4 * INDICES + 5] = 7;
      bad[6 * INDICES] = -7;
      for (int run = 0; run < 3; run++) {
        RequestFailedException failed =
            catchThrowableOfType(
                RequestFailedException.class,
                () -> run(model, longs(shape(MOST_ROWS, INDICES), bad)));
        assertThat(failed.failures())
            .extracting(
                FailureReport::node,
                FailureReport::row,
                FailureReport::index,
                FailureReport::linear)
            .containsExactly(
                tuple("make a", 1, 6L, 2L * INDICES - 1),
                tuple("make a", 4, 7L, 4L * INDICES + 5),
                tuple("make a", 6, -7L, 6L * INDICES));
        run(model, longs(shape(MOST_ROWS, INDICES), good));
      }
    }
  }

  @Test
  void requestsAtTheSameTimeHaveEachTheirOwn() throws Exception {
    try (Model model = load(deep().read(), MOST_ROWS);
        ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
      Tensor batch = batch();
      byte[] expected = run(model, batch);
      List<Callable<Boolean>> calls = new ArrayList<>();
      for (int size : new int[] {1, 5, 7, 2, 6}) {
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
