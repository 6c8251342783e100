package io.miniinference.bench.planner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.miniinference.plan.packing.Rectangle;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

final class BaselineTest {

  @ParameterizedTest
  @EnumSource
  void liveRectanglesNeverShareAByte(Baseline baseline) {
    for (int seed = 0; seed < 1000; seed++) {
      List<Rectangle> rectangles = random(new Random(seed));
      long[] offsets = baseline.offsets(rectangles, 8);
      for (int i = 0; i < offsets.length; i++) {
        for (int k = 0; k < i; k++) {
          Rectangle a = rectangles.get(i);
          Rectangle b = rectangles.get(k);
          assertThat(
                  !a.overlaps(b)
                      || offsets[i] >= offsets[k] + b.sizeBytes()
                      || offsets[k] >= offsets[i] + a.sizeBytes())
              .as("seed %d: %s at %d, %s at %d", seed, a, offsets[i], b, offsets[k])
              .isTrue();
        }
      }
    }
  }

  private static List<Rectangle> random(Random random) {
    return IntStream.range(0, random.nextInt(20))
        .mapToObj(_ -> {
          long lower = random.nextInt(12);
          return new Rectangle(lower, lower + 1 + random.nextInt(6), random.nextInt(50));
        })
        .toList();
  }

  /* Instances of google/minimalloc, in thousandths of the 1,048,576 bytes that each can be packed
  into. */
  @Tag("data")
  @ParameterizedTest
  @CsvSource({
    "A, 1311, 1670",
    "B, 1347, 1603",
    "C, 1352, 1671",
    "E, 1401, 1411",
    "F, 1375, 1123",
    "H, 1355, 1261"
  })
  void simpleRulesTakeMoreThanTheBound(String name, int bySize, int online) throws IOException {
    Path file = Path.of(System.getProperty("mie.data"), "minimalloc", name + ".1048576.csv");
    List<Rectangle> rectangles =
        Files.readAllLines(file).stream()
            .skip(1)
            .map(line -> Stream.of(line.split(",")).skip(1).mapToLong(Long::parseLong).toArray())
            .map(cells -> new Rectangle(cells[0], cells[1], cells[2]))
            .toList();

    assertThat(thousandths(Baseline.GREEDY_BY_SIZE.peakBytes(rectangles, 1)))
        .isCloseTo(bySize, within(1L));
    assertThat(thousandths(Baseline.ONLINE_BEST_FIT.peakBytes(rectangles, 1)))
        .isCloseTo(online, within(1L));
  }

  private static long thousandths(long bytes) {
    return Math.round(1000.0 * bytes / (1 << 20));
  }

  @Test
  void bySizeTheLargestIsAtTheBottom() {
    List<Rectangle> rectangles =
        List.of(new Rectangle(0, 2, 10), new Rectangle(1, 3, 30), new Rectangle(2, 4, 20));
    assertThat(Baseline.GREEDY_BY_SIZE.offsets(rectangles, 1)).containsExactly(30, 0, 30);
  }

  @Test
  void bySizeWhatLivesAllTheTimeComesFirst() {
    List<Rectangle> rectangles = List.of(new Rectangle(0, 2, 30), new Rectangle(0, 3, 10));
    assertThat(Baseline.GREEDY_BY_SIZE.offsets(rectangles, 1)).containsExactly(10, 0);
  }

  @Test
  void onlineTheTightestGapIsTaken() {
    List<Rectangle> rectangles =
        List.of(
            new Rectangle(0, 1, 40),
            new Rectangle(0, 9, 39),
            new Rectangle(0, 1, 20),
            new Rectangle(0, 9, 19),
            new Rectangle(1, 9, 15));
    assertThat(Baseline.ONLINE_BEST_FIT.offsets(rectangles, 1)).containsExactly(0, 40, 79, 99, 79);
  }

  @Test
  void onlineReuseKeepsABufferForWhatHasItsSize() {
    List<Rectangle> rectangles =
        List.of(new Rectangle(0, 1, 10), new Rectangle(1, 2, 4), new Rectangle(2, 3, 10));
    assertThat(Baseline.ONLINE_BEST_FIT.peakBytes(rectangles, 1)).isEqualTo(10);
    assertThat(Baseline.ONLINE_BEST_FIT_WITH_REUSE.offsets(rectangles, 1))
        .as("the first buffer is held for the third value")
        .containsExactly(0, 10, 0);
  }
}
