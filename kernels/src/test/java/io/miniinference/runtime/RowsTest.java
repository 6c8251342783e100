package io.miniinference.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assertions.tuple;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.Tensor;
import io.miniinference.testing.TestModel;
import io.miniinference.testing.device.OnEachDevice;
import io.miniinference.testing.device.TestedDevice;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Batches that go through a whole model row by row, in one launch of the CPU writer's kernels.
@OnEachDevice(TestedDevice.CPU)
final class RowsTest extends SharedEngine {
  /// Of a launch, for two workers.
  private static final long MOST_PIECES = 32;

  private static final int WIDTH = 64;

  /* Steps that no two launches would do in one. */
  private static TestModel deep() {
    return TestModel.opset(17)
        .floats("x", "N,64")
        .reals("w", WIDTH)
        .node("Softmax", "x", "a")
        .node("Mul", "a w", "b")
        .node("Softmax", "b", "c")
        .node("Mul", "c w", "d")
        .node("Softmax", "d", "y")
        .output("y");
  }

  private static TestModel picking() {
    return TestModel.opset(17)
        .longs("i", "N,3")
        .reals("table", 6, 4)
        .node("Gather", "table i", "a")
        .node("Softmax", "a", "b")
        .node("Gather", "table i", "c")
        .node("Add", "b c", "y")
        .output("y");
  }

  private static Tensor rows(Tensor all, int from, int to) {
    return new Tensor(
        ElementType.F32,
        shape(to - from, WIDTH),
        all.data().asSlice(from * WIDTH * 4L, (to - from) * WIDTH * 4L));
  }

  @Test
  void aRequestIsOneLaunchInPieces() {
    try (Model model = load(deep())) {
      Tensor batch = counted(ElementType.F32, 64, WIDTH);
      run(model, batch);
      long before = driverCalls().launches();
      run(model, batch);
      assertThat(driverCalls().launches() - before).isBetween(1L, MOST_PIECES);
      long later = driverCalls().launches();
      run(model, rows(batch, 0, 1));
      assertThat(driverCalls().launches() - later).isEqualTo(1);
    }
  }

  @Test
  void aRowHasTheSameBitsInEachBatch() {
    try (Model model = load(deep())) {
      Tensor batch = counted(ElementType.F32, 64, WIDTH);
      byte[] all = run(model, batch);
      int row = WIDTH * 4;
      for (int size : new int[] {1, 2, 7, 8, 9, 31, 64}) {
        for (int from = 0; from + size <= 64; from += size) {
          assertThat(run(model, rows(batch, from, from + size)))
              .as("rows from %d, %d of them", from, size)
              .isEqualTo(Arrays.copyOfRange(all, from * row, (from + size) * row));
        }
      }
    }
  }

  @Test
  void failuresKeepTheirRowsAndPositions() {
    try (Model model = load(picking())) {
      long[] indices = new long[64 * 3];
      indices[41 * 3 + 2] = 6;
      indices[63 * 3] = -7;
      Tensor bad = longs(shape(64, 3), indices);
      for (int run = 0; run < 3; run++) {
        RequestFailedException failed =
            catchThrowableOfType(RequestFailedException.class, () -> run(model, bad));
        assertThat(failed.failures())
            .extracting(FailureReport::row, FailureReport::index)
            .containsExactly(tuple(41, 6L), tuple(63, -7L));
        assertThat(failed.failures().stream().map(FailureReport::message).toList())
            .isEqualTo(List.of(message(6, 41, 125), message(-7, 63, 189)));
        run(model, longs(shape(2, 3), 0, 1, 2, 3, 4, 5));
      }
    }
  }

  private static String message(long index, int row, int position) {
    return "node 'make a' (Gather): index %d is outside [-6, 5] on axis 0, at row %d, position %d"
        .formatted(index, row, position);
  }

  /// The same for all rows, so that it is no part of one.
  @Test
  void anInputWithoutRowsIsThereForAllPieces() {
    TestModel shifted =
        TestModel.opset(17)
            .floats("x", "N,64")
            .floats("w", "64")
            .node("Softmax", "x", "a")
            .node("Mul", "a w", "y")
            .output("y");
    try (Model model = load(shifted)) {
      Tensor weights = counted(ElementType.F32, WIDTH);
      Tensor batch = counted(ElementType.F32, 9, WIDTH);
      float[] all = reals(model, batch, weights);
      float[] last = reals(model, rows(batch, 8, 9), weights);
      assertThat(Arrays.copyOfRange(all, 8 * WIDTH, 9 * WIDTH)).isEqualTo(last);
    }
  }
}
