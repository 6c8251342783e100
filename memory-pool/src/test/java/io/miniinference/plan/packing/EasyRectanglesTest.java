package io.miniinference.plan.packing;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.plan.packing.GreedyPlacer.Fit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class EasyRectanglesTest {

  @Test
  void aRectangleWithRoomWhateverTheOthersDoIsLeftOut() {
    EasyRectangles easy = easy(8, new Rectangle(0, 2, 4), new Rectangle(1, 3, 1));
    assertThat(easy.core()).isEmpty();
  }

  @Test
  void aRectangleThatOthersCanCrowdOutStays() {
    EasyRectangles easy = easy(8, new Rectangle(0, 2, 4), new Rectangle(1, 3, 4));
    assertThat(easy.core()).containsExactly(0, 1);
  }

  @Test
  void onceAnEasyOneIsGoneItsNeighboursMayBeEasy() {
    Rectangle easy = new Rectangle(2, 3, 1);
    Rectangle next = new Rectangle(0, 3, 3);
    assertThat(easy(9, new Rectangle(0, 2, 4), easy, next).core()).isEmpty();
    assertThat(easy(7, new Rectangle(0, 2, 4), easy, next).core()).containsExactly(0, 2);
  }

  @Test
  void theEasyOnesFitAroundAnyPackingOfTheOthers() {
    int leftOut = 0;
    for (int seed = 0; seed < 2000; seed++) {
      Random random = new Random(seed);
      List<Rectangle> rectangles = new ArrayList<>(RandomRectangles.loose(random));
      rectangles.removeIf(r -> r.sizeBytes() == 0);
      Instance instance = Instance.of(rectangles, 1);
      Overlaps overlaps = new Overlaps(instance);
      long capacity = 2 * instance.bound();
      EasyRectangles easy = EasyRectangles.of(instance, overlaps, capacity);
      long[] offsets = scattered(instance, overlaps, easy.core(), capacity, random);
      easy.place(offsets);
      assertThat(instance.peak(offsets)).as("seed %d", seed).isLessThanOrEqualTo(capacity);
      PackingCheck.assertSound(
          rectangles,
          1,
          new Packing(offsets, instance.peak(offsets), instance.bound(), SearchReport.NOT_NEEDED));
      leftOut += instance.count() - easy.core().length;
    }
    assertThat(leftOut).isGreaterThan(1000);
  }

  /* The core high and low at random, where it fits; greedily where chance finds no place. */
  private static long[] scattered(
      Instance instance, Overlaps overlaps, int[] core, long capacity, Random random) {
    long[] greedy = new GreedyPlacer(instance, overlaps).place(core, Fit.LOWEST);
    long[] offsets = greedy.clone();
    for (int i : core) {
      long tried = random.nextLong(capacity - instance.size()[i] + 1);
      boolean free =
          Arrays.stream(overlaps.of(i))
              .allMatch(n ->
                  offsets[n] < 0
                      || tried + instance.size()[i] <= offsets[n]
                      || offsets[n] + instance.size()[n] <= tried);
      offsets[i] = free ? tried : offsets[i];
    }
    return offsets;
  }

  private static EasyRectangles easy(long capacity, Rectangle... rectangles) {
    Instance instance = Instance.of(List.of(rectangles), 1);
    return EasyRectangles.of(instance, new Overlaps(instance), capacity);
  }
}
