package io.miniinference.plan.packing;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class BaselineTest {

  @ParameterizedTest
  @EnumSource
  void liveRectanglesNeverShareAByte(Baseline baseline) {
    for (int seed = 0; seed < 1000; seed++) {
      List<Rectangle> rectangles = RandomRectangles.loose(new Random(seed));
      PackingCheck.assertSound(rectangles, 8, baseline.pack(rectangles, 8));
    }
  }

  @Test
  void bySizeTheLargestIsAtTheBottom() {
    List<Rectangle> rectangles =
        List.of(new Rectangle(0, 2, 10), new Rectangle(1, 3, 30), new Rectangle(2, 4, 20));
    assertThat(Baseline.GREEDY_BY_SIZE.pack(rectangles, 1).offsets()).containsExactly(30, 0, 30);
  }

  @Test
  void bySizeWhatLivesAllTheTimeComesFirst() {
    List<Rectangle> rectangles = List.of(new Rectangle(0, 2, 30), new Rectangle(0, 3, 10));
    assertThat(Baseline.GREEDY_BY_SIZE.pack(rectangles, 1).offsets()).containsExactly(10, 0);
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
    assertThat(Baseline.ONLINE_BEST_FIT.pack(rectangles, 1).offsets())
        .containsExactly(0, 40, 79, 99, 79);
  }

  @Test
  void onlineReuseKeepsABufferForWhatHasItsSize() {
    List<Rectangle> rectangles =
        List.of(new Rectangle(0, 1, 10), new Rectangle(1, 2, 4), new Rectangle(2, 3, 10));
    assertThat(Baseline.ONLINE_BEST_FIT.pack(rectangles, 1).peakBytes()).isEqualTo(10);
    assertThat(Baseline.ONLINE_BEST_FIT_WITH_REUSE.pack(rectangles, 1).offsets())
        .as("the first buffer is held for the third value")
        .containsExactly(0, 10, 0);
  }
}
