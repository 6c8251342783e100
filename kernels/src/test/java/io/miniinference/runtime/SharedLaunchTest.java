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
import java.util.Arrays;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// Models whose rows are larger than a cache: all workers go through all steps together, in one
/// launch of the CPU writer's kernels.
@OnEachDevice(TestedDevice.CPU)
final class SharedLaunchTest extends SharedEngine {
  private static final int RUNS = 50;
  private static final int ROWS = 7;
  private static final int WIDTH = 20_000;
  private static final int MOST_ROWS = 3;

  /* Steps with many work items, with seven of a row, and with one. */
  private static TestModel wide() {
    return TestModel.opset(17)
        .floats("x", "N,7,20000")
        .node("Sin", "x", "a")
        .node("Softmax", "a", "b")
        .node("Mul", "b a", "c")
        .node("ReduceMax", "c", "m", "keepdims=1")
        .node("Sub", "c m", "d")
        .node("Softmax", "d", "e")
        .node("Add", "e a", "y")
        .output("y");
  }

  private static TestModel picking() {
    return TestModel.opset(17)
        .longs("i", "N,400000")
        .reals("table", 6, 1)
        .node("Gather", "table i", "a")
        .node("Sin", "a", "b")
        .node("Gather", "table i", "c")
        .node("Add", "b c", "y")
        .output("y");
  }

  private static Tensor batch(int rows) {
    return counted(ElementType.F32, rows, ROWS, WIDTH);
  }

  /* One by one, so that each can be looked at. */
  private static byte[] stepByStep(Model model, Tensor input) {
    return model.infer(
        request(input).observedBy((_, _, _, _) -> {}),
        outputs -> outputs.getFirst().data().toArray(ValueLayout.JAVA_BYTE));
  }

  @Test
  void aRequestIsOneLaunchForEachWorker() {
    try (Model model = load(wide().read(), MOST_ROWS)) {
      run(model, batch(1));
      long before = driverCalls().launches();
      run(model, batch(1));
      assertThat(driverCalls().launches() - before).isBetween(1L, workers());
    }
  }

  private static long workers() {
    return Runtime.getRuntime().availableProcessors();
  }

  @Test
  void answersAreThoseOfStepsOneByOne() {
    try (Model model = load(wide().read(), MOST_ROWS)) {
      for (int rows : new int[] {1, 2, 3}) {
        byte[] expected = stepByStep(model, batch(rows));
        for (int i = 0; i < RUNS; i++) {
          assertThat(Arrays.equals(run(model, batch(rows)), expected)).as("run %d", i).isTrue();
        }
      }
    }
  }

  @Test
  void requestsAtTheSameTimeHaveEachTheirOwn() throws Exception {
    try (Model model = load(wide().read(), MOST_ROWS);
        ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
      byte[] expected = stepByStep(model, batch(1));
      Callable<Boolean> call = () -> Arrays.equals(run(model, batch(1)), expected);
      for (Future<Boolean> each :
          callers.invokeAll(IntStream.range(0, RUNS).mapToObj(_ -> call).toList())) {
        assertThat(each.get()).isTrue();
      }
    }
  }

  /// A later step that fails, too, does not take the place of an earlier one.
  @Test
  void theFirstStepThatFailsIsToldAndTheNextRequestIsAnswered() {
    try (Model model = load(picking().read(), MOST_ROWS)) {
      long[] good = new long[400_000];
      long[] bad = good.clone();
      bad[399_999] = 6;
      for (int i = 0; i < RUNS; i++) {
        RequestFailedException failed =
            catchThrowableOfType(
                RequestFailedException.class, () -> run(model, longs(shape(1, 400_000), bad)));
        assertThat(failed.failures())
            .extracting(FailureReport::node, FailureReport::row, FailureReport::index)
            .containsExactly(tuple("make a", 0, 6L));
        run(model, longs(shape(1, 400_000), good));
      }
    }
  }
}
