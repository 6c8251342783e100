package io.miniinference.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.runtime.Model;
import io.miniinference.runtime.PlanReport;
import io.miniinference.runtime.PreparedModel;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// How models share a pool before they are loaded.
final class BatchSharingTest {

  /// A model of some weights and of bytes for each row.
  private record Sized(
      String name, long weights, long row, int largestBatch, boolean isSizedByRequests)
      implements PreparedModel {
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
    return new Sized("sized", weights, row, 256, false);
  }

  private static List<Integer> batches(List<? extends PreparedModel> models, long freeBytes) {
    return BatchSharing.batches(models.stream().map(BatchSharing.Claim::new).toList(), freeBytes);
  }

  @ParameterizedTest
  @CsvSource({"1099, 0", "1100, 1", "1199, 1", "1200, 2", "7399, 32", "7400, 64", "26600, 256"})
  void aModelAloneGetsTheLargestPowerOfTwoThatFitsToTheByte(long freeBytes, int batch) {
    assertThat(batches(List.of(model(1000, 100)), freeBytes)).containsExactly(batch);
  }

  @Test
  void allowedIsAlsoABatchThatIsNoPowerOfTwo() {
    var model = new Sized("sized", 0, 1, 100, false);

    assertThat(batches(List.of(model), 100)).containsExactly(100);
    assertThat(batches(List.of(model), 99)).containsExactly(64);
  }

  @Test
  void allStartAtOneBeforeAnyIsRaised() {
    assertThat(batches(List.of(model(0, 10), model(0, 50), model(0, 10)), 79))
        .containsExactly(1, 1, 1);
    assertThat(batches(List.of(model(0, 10), model(0, 50), model(0, 10)), 80))
        .containsExactly(2, 1, 1);
  }

  @Test
  void aModelWithoutRoomIsLeftOutAndThoseBehindItAreNot() {
    assertThat(batches(List.of(model(0, 10), model(500, 1), model(0, 10)), 40))
        .containsExactly(2, 0, 2);
  }

  @Test
  void modelsThatTakeMemoryPerRequestKeepAnEqualShareFree() {
    var open = new Sized("sized", 0, 0, 1, true);

    assertThat(batches(List.of(model(0, 1), open), 100)).containsExactly(32, 1);
    assertThat(batches(List.of(model(0, 1)), 100)).containsExactly(64);
  }

  @Test
  void halfOfWhatIsLeftIsForModelsOfAKnownSize() {
    var open = new Sized("sized", 0, 0, 1, true);

    assertThat(batches(List.of(model(60, 5), open, open), 100)).containsExactly(4, 1, 1);
  }

  @Test
  void thoseThatTakeLeastHaveRoomFirstSoThatMoreAreServed() {
    assertThat(batches(List.of(model(0, 90), model(0, 40), model(0, 30)), 100))
        .containsExactly(0, 1, 2);
  }

  @Test
  void thoseThatTakeLeastMoreAreRaisedFirst() {
    assertThat(batches(List.of(model(0, 50), model(40, 20), model(90, 10)), 240))
        .containsExactly(1, 2, 2);
  }

  @Test
  void ofThoseThatTakeEquallyMuchTheFirstByNameHasRoomFirst() {
    var a = new Sized("a", 0, 10, 256, false);
    var b = new Sized("b", 0, 10, 256, false);

    assertThat(batches(List.of(b, a), 10)).containsExactly(0, 1);
    assertThat(batches(List.of(a, b), 10)).containsExactly(1, 0);
    assertThat(batches(List.of(b, a), 30)).containsExactly(1, 2);
  }

  @Test
  void aModelOfALowerRankHasRoomBeforeSmallerOnes() {
    List<BatchSharing.Claim> claims =
        List.of(
            new BatchSharing.Claim(model(0, 10), 1),
            new BatchSharing.Claim(model(0, 95), 0),
            new BatchSharing.Claim(model(0, 5), 1));

    assertThat(BatchSharing.batches(claims, 100)).containsExactly(0, 1, 1);
  }

  /// Networks that an OpenCL CPU is loaded with, by bytes of weights and of a further row.
  private static final List<Sized> NETWORKS =
      List.of(
          new Sized("bert", 2_189_824, 200_704, 256, false),
          new Sized("convnext", 114_228_224, 7_225_088, 256, false),
          new Sized("deeplab", 44_402_432, 4_478_208, 1, false),
          new Sized("efficientnet", 21_380_864, 6_021_120, 256, false),
          new Sized("gpt2", 2_648_832, 288_768, 256, false),
          new Sized("inception", 103_040_512, 8_297_728, 256, false),
          new Sized("mnasnet", 17_563_648, 3_211_264, 256, false),
          new Sized("mobilenet", 14_045_440, 6_021_120, 256, false),
          new Sized("resnet18", 53_850_624, 4_014_080, 256, false),
          new Sized("resnet50", 108_871_936, 7_225_344, 256, false),
          new Sized("shufflenet", 9_470_208, 2_207_744, 256, false),
          new Sized("squeezenet", 6_088_704, 3_928_576, 256, false),
          new Sized("swin", 115_077_888, 8_429_568, 256, false));

  @Test
  void asManyNetworksAreServedAsCanBeWhateverTheirOrder() {
    List<Sized> networks = new ArrayList<>(NETWORKS);
    Set<Map<String, Integer>> shared = new HashSet<>();
    for (int seed = 0; seed < 50; seed++) {
      Collections.shuffle(networks, new Random(seed));
      shared.add(byName(networks, batches(networks, 256 << 20)));
    }

    assertThat(shared).hasSize(1);
    Map<String, Integer> batches = shared.iterator().next();
    assertThat(batches)
        .containsEntry("bert", 4)
        .containsEntry("efficientnet", 4)
        .containsEntry("mobilenet", 2)
        .containsEntry("resnet18", 4)
        .containsEntry("convnext", 0);
    assertThat(batches.values()).filteredOn(batch -> batch > 0).hasSize(9);
    assertThat(most(NETWORKS, 256 << 20)).isEqualTo(9);
  }

  private static Map<String, Integer> byName(List<Sized> models, List<Integer> batches) {
    Map<String, Integer> byName = new TreeMap<>();
    for (int i = 0; i < models.size(); i++) {
      byName.put(models.get(i).name(), batches.get(i));
    }
    return byName;
  }

  /* How many of those there are at most that fit together, of all sets of them. */
  private static int most(List<Sized> models, long freeBytes) {
    int most = 0;
    for (int set = 0; set < 1 << models.size(); set++) {
      long bytes = 0;
      for (int i = 0; i < models.size(); i++) {
        bytes += (set >> i & 1) == 0 ? 0 : models.get(i).bytes(1);
      }
      most = bytes <= freeBytes ? Math.max(most, Integer.bitCount(set)) : most;
    }
    return most;
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

      List<Integer> batches = batches(models, free);

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
