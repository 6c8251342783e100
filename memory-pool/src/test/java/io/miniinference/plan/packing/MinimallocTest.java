package io.miniinference.plan.packing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The instances of google/minimalloc, each of which can be packed into 1,048,576 bytes.
@Tag("data")
final class MinimallocTest {
  private static final long CAPACITY_BYTES = 1 << 20;
  private static final SearchLimits LIMITS = new SearchLimits(200_000, Duration.ofMinutes(5));

  private static List<Rectangle> read(String name) throws IOException {
    Path folder = Path.of(System.getProperty("mie.data"), "minimalloc");
    return RectangleFile.read(folder.resolve(name + ".1048576.csv"));
  }

  /* The bound, and what simple rules need, in thousandths of the capacity. */
  @ParameterizedTest
  @CsvSource({
    "A, 1000, 1311, 1670",
    "B, 1000, 1347, 1603",
    "C,  991, 1352, 1671",
    "E, 1000, 1401, 1411",
    "F, 1000, 1375, 1123",
    "H, 1000, 1355, 1261"
  })
  void theSearchReachesTheBoundThatSimpleRulesMiss(String name, int bound, int bySize, int online)
      throws IOException {
    List<Rectangle> rectangles = read(name);
    Packing packing = RectanglePacker.pack(PackingProblem.of(rectangles).searching(LIMITS));
    PackingCheck.assertSound(rectangles, 1, packing);
    assertThat(packing.peakBytes()).isEqualTo(packing.boundBytes());
    assertThat(thousandths(packing.boundBytes())).isEqualTo(bound);
    assertThat(thousandths(Baseline.GREEDY_BY_SIZE.pack(rectangles, 1).peakBytes()))
        .isCloseTo(bySize, within(1L));
    assertThat(thousandths(Baseline.ONLINE_BEST_FIT.pack(rectangles, 1).peakBytes()))
        .isCloseTo(online, within(1L));
  }

  private static long thousandths(long bytes) {
    return Math.round(1000.0 * bytes / CAPACITY_BYTES);
  }
}
