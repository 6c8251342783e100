package io.miniinference.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.runtime.Model;
import io.miniinference.runtime.PlanReport;
import io.miniinference.runtime.PreparedModel;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// How models share a pool before they are loaded.
final class BatchSharingTest {

  /// A model of some weights and of bytes for each row.
  private record Sized(long weights, long row, int largestBatch, boolean isSizedByRequests)
      implements PreparedModel {
    @Override
    public String name() {
      return "sized";
    }

    @Override
    public long bytes(int maxBatch) {
      return isSizedByRequests ? 0 : weights + maxBatch * row;
    }

    @Override
    public PlanReport plan(int maxBatch, int batch) {
      throw new UnsupportedOperationException("only shared");
    }

    @Override
    public Model load(int maxBatch) {
      throw new UnsupportedOperationException("only shared");
    }
  }

  private static Sized model(long weights, long row) {
    return new Sized(weights, row, 256, false);
  }

  @ParameterizedTest
  @CsvSource({"1099, 0", "1100, 1", "1199, 1", "1200, 2", "7399, 32", "7400, 64", "26600, 256"})
  void aModelAloneGetsTheLargestPowerOfTwoThatFitsToTheByte(long freeBytes, int batch) {
    assertThat(BatchSharing.batches(List.of(model(1000, 100)), freeBytes)).containsExactly(batch);
  }

  @Test
  void allowedIsAlsoABatchThatIsNoPowerOfTwo() {
    var model = new Sized(0, 1, 100, false);

    assertThat(BatchSharing.batches(List.of(model), 100)).containsExactly(100);
    assertThat(BatchSharing.batches(List.of(model), 99)).containsExactly(64);
  }

  @Test
  void allStartAtOneBeforeAnyIsRaised() {
    assertThat(BatchSharing.batches(List.of(model(0, 10), model(0, 50), model(0, 10)), 79))
        .containsExactly(1, 1, 1);
    assertThat(BatchSharing.batches(List.of(model(0, 10), model(0, 50), model(0, 10)), 80))
        .containsExactly(2, 1, 1);
  }

  @Test
  void aModelWithoutRoomIsLeftOutAndThoseBehindItAreNot() {
    assertThat(BatchSharing.batches(List.of(model(0, 10), model(500, 1), model(0, 10)), 40))
        .containsExactly(2, 0, 2);
  }

  @Test
  void modelsThatTakeMemoryPerRequestKeepAnEqualShareFree() {
    var open = new Sized(0, 0, 1, true);

    assertThat(BatchSharing.batches(List.of(model(0, 1), open), 100)).containsExactly(32, 1);
    assertThat(BatchSharing.batches(List.of(model(0, 1)), 100)).containsExactly(64);
  }

  @Test
  void randomModelsNeverTakeMoreThanThereIsNorLeaveRoomForTheLowest() {
    for (long seed = 0; seed < 200; seed++) {
      Random random = new Random(seed);
      List<PreparedModel> models =
          random
              .ints(1 + random.nextInt(8), 1, 1000)
              .<PreparedModel>mapToObj(row -> model(random.nextInt(5000), row))
              .toList();
      long free = random.nextInt(200_000);

      List<Integer> batches = BatchSharing.batches(models, free);

      long left = free;
      for (int i = 0; i < models.size(); i++) {
        left -= batches.get(i) == 0 ? 0 : models.get(i).bytes(batches.get(i));
      }
      assertThat(left).as("seed %d", seed).isNotNegative();
      for (int i = 0; i < models.size(); i++) {
        assertThat(more(models.get(i), batches.get(i))).as("seed %d", seed).isGreaterThan(left);
      }
    }
  }

  private static long more(PreparedModel model, int batch) {
    return batch == 0
        ? model.bytes(1)
        : batch == 256 ? Long.MAX_VALUE : model.bytes(2 * batch) - model.bytes(batch);
  }
}
