package io.miniinference.plan.packing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.miniinference.plan.packing.SearchReport.Ending;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class RectanglePackerTest {
  private static final Duration LONG = Duration.ofHours(1);

  private static SearchLimits nodes(long nodes) {
    return new SearchLimits(nodes, LONG);
  }

  /* Greedy orders miss the bound of these; the search does not. */
  private static List<Rectangle> hard() {
    return RandomRectangles.cut(new Random(7), 120, 4096);
  }

  @Test
  void nothingNeedsNothing() {
    Packing packing = RectanglePacker.pack(PackingProblem.of(List.of()).searching(nodes(10)));
    assertThat(packing.peakBytes()).isZero();
    assertThat(packing.search()).isEqualTo(SearchReport.NOT_NEEDED);
  }

  @Test
  void liveRectanglesNeverShareAByte() {
    for (int seed = 0; seed < 2000; seed++) {
      Random random = new Random(seed);
      List<Rectangle> rectangles = RandomRectangles.loose(random);
      long alignment = List.of(1L, 8L, 256L).get(random.nextInt(3));
      Packing packing =
          RectanglePacker.pack(
              PackingProblem.of(rectangles).alignedTo(alignment).searching(nodes(2000)));
      PackingCheck.assertSound(rectangles, alignment, packing);
    }
  }

  @Test
  void whatWasCutFromOneRectangleFitsIntoItAgain() {
    for (int seed = 0; seed < 100; seed++) {
      List<Rectangle> rectangles = RandomRectangles.cut(new Random(seed), 60, 1000);
      Packing packing =
          RectanglePacker.pack(PackingProblem.of(rectangles).searching(nodes(50_000)));
      PackingCheck.assertSound(rectangles, 1, packing);
      assertThat(packing.peakBytes()).as("seed %d", seed).isEqualTo(1000);
    }
  }

  @Test
  void theSameProblemHasTheSamePackingAndTheSameNodes() {
    for (int seed = 0; seed < 20; seed++) {
      List<Rectangle> rectangles = RandomRectangles.full(new Random(seed), 150, 1000);
      PackingProblem problem = PackingProblem.of(rectangles).searching(nodes(3000));
      Packing once = RectanglePacker.pack(problem);
      Packing again = RectanglePacker.pack(problem);
      assertThat(again.offsets()).as("seed %d", seed).isEqualTo(once.offsets());
      assertThat(again.search()).isEqualTo(once.search());
    }
  }

  @Test
  void moreNodesAreNeverWorse() {
    List<Rectangle> rectangles = RandomRectangles.full(new Random(3), 300, 5000);
    long before = Long.MAX_VALUE;
    for (long nodes : List.of(0L, 500L, 2000L, 8000L)) {
      long peak =
          RectanglePacker.pack(PackingProblem.of(rectangles).searching(nodes(nodes))).peakBytes();
      assertThat(peak).as("%d nodes", nodes).isLessThanOrEqualTo(before);
      before = peak;
    }
  }

  @Test
  void aSearchThatRunsIntoItsNodeLimitSaysSo() {
    Packing packing = RectanglePacker.pack(PackingProblem.of(hard()).searching(nodes(5)));
    assertThat(packing.search()).isEqualTo(new SearchReport(5, Ending.NODE_LIMIT));
    assertThat(packing.peakBytes()).isGreaterThan(packing.boundBytes());
  }

  @Test
  void aSearchThatRunsOutOfTimeSaysSo() {
    Packing packing =
        RectanglePacker.pack(
            PackingProblem.of(hard()).searching(new SearchLimits(1_000_000, Duration.ZERO)));
    assertThat(packing.search().ending()).isEqualTo(Ending.TIME_LIMIT);
    PackingCheck.assertSound(hard(), 1, packing);
  }

  @Test
  void withoutASearchTheLimitIsReportedToo() {
    assertThat(RectanglePacker.pack(PackingProblem.of(hard())).search())
        .isEqualTo(new SearchReport(0, Ending.NODE_LIMIT));
  }

  @Test
  void aCapacityThatGreedyOrdersMeetNeedsNoSearch() {
    Packing packing =
        RectanglePacker.pack(PackingProblem.of(hard()).within(8192).searching(nodes(100)));
    assertThat(packing.search()).isEqualTo(SearchReport.NOT_NEEDED);
    assertThat(packing.peakBytes()).isBetween(4097L, 8192L);
  }

  @Test
  void stretchesOfTimeThatDoNotMeetArePackedOnTheirOwn() {
    List<Rectangle> rectangles = new ArrayList<>(hard());
    hard()
        .forEach(r ->
            rectangles.add(
                new Rectangle(r.lower() + (1 << 20), r.upper() + (1 << 20), 2 * r.sizeBytes())));
    Collections.shuffle(rectangles, new Random(1));
    Packing packing = RectanglePacker.pack(PackingProblem.of(rectangles).searching(nodes(50_000)));
    PackingCheck.assertSound(rectangles, 1, packing);
    assertThat(packing.peakBytes()).isEqualTo(8192);
  }

  @Test
  void anEarlierPackingAtOtherSizesShowsTheOrder() {
    Packing earlier = RectanglePacker.pack(PackingProblem.of(hard()).searching(nodes(50_000)));
    assertThat(earlier.search().ending()).isEqualTo(Ending.REACHED);
    List<Rectangle> half =
        hard().stream().map(r -> new Rectangle(r.lower(), r.upper(), 256 * r.sizeBytes())).toList();
    Packing packing =
        RectanglePacker.pack(
            PackingProblem.of(half).alignedTo(256).searching(nodes(50_000)).after(earlier));
    assertThat(packing.peakBytes()).isEqualTo(packing.boundBytes());
    assertThat(packing.search()).isEqualTo(SearchReport.NOT_NEEDED);
  }

  @Test
  void anEarlierPackingOfOtherRectanglesIsRefused() {
    Packing one = RectanglePacker.pack(PackingProblem.of(List.of(new Rectangle(0, 1, 1))));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PackingProblem.of(List.of()).after(one))
        .withMessageContaining("of 1 rectangles, these are 0");
  }

  @Test
  void tenThousandRectanglesThatAllMeetAreStacked() {
    List<Rectangle> rectangles = new ArrayList<>();
    for (int i = 0; i < 10_000; i++) {
      rectangles.add(new Rectangle(i, 20_000 - i, 1 + i % 7));
    }
    Packing packing = RectanglePacker.pack(PackingProblem.of(rectangles).searching(nodes(1000)));
    assertThat(packing.peakBytes()).isEqualTo(packing.boundBytes());
  }

  @Test
  void sizesThatOverflowTogetherAreRefused() {
    List<Rectangle> rectangles =
        List.of(
            new Rectangle(0, 1, Long.MAX_VALUE / 2), new Rectangle(2, 3, Long.MAX_VALUE / 2 + 9));
    assertThatExceptionOfType(ArithmeticException.class)
        .isThrownBy(() -> RectanglePacker.pack(PackingProblem.of(rectangles)));
  }
}
