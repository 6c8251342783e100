package io.miniinference.service.tensors;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.ir.Tensor;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

final class TensorTextTest {

  @Test
  void aShortTensorIsShownWhole() {
    assertThat(TensorText.of(Tensor.of(new float[] {1, 0.1f, Float.NaN}, 3)))
        .isEqualTo("[1.0, 0.1, NaN]");
    assertThat(TensorText.of(Tensor.of(new boolean[] {true, false}, 2))).isEqualTo("[true, false]");
    assertThat(TensorText.of(Tensor.of(new long[0], 0, 5))).isEqualTo("[]");
  }

  @Test
  void aLongTensorIsShownByItsEndsAndItsRange() {
    Tensor tensor = Tensor.of(LongStream.range(0, 1000).toArray(), 1000);

    assertThat(TensorText.of(tensor))
        .isEqualTo(
            "[0, 1, 2, 3, 4, 5, 6, 7, … 988 more …, 996, 997, 998, 999]"
                + "  least 0, largest 999, mean 499.500");
    assertThat(TensorText.values(tensor)).hasSize(1000).endsWith(999L);
    assertThat(TensorText.values(Tensor.of(new float[] {0.1f, Float.NaN}, 2)))
        .isEqualTo(List.of(0.1f, "NaN"));
  }

  @Test
  void theLargestScoresOfEachRowComeFirst() {
    Tensor scores = Tensor.of(new float[] {1, 3, 2, 3, Float.NaN, 0, 5, 0}, 2, 4);

    List<TopScores.Score> top = new TopScores(2, List.of("a", " b ", "c")).of(scores);

    assertThat(top).extracting(TopScores.Score::row).containsExactly(0L, 0L, 1L, 1L);
    assertThat(top).extracting(TopScores.Score::index).containsExactly(1L, 3L, 2L, 1L);
    assertThat(top).extracting(TopScores.Score::label).containsExactly("b", "", "c", "b");
    assertThat(TopScores.isAbout(Tensor.of(new float[1], 1))).isFalse();
  }

  @Test
  void aRowOfFewerThanAskedGivesAll() {
    Tensor scores = Tensor.of(IntStream.range(0, 3).toArray(), 3);

    assertThat(new TopScores(9, List.of()).of(scores))
        .extracting(TopScores.Score::index)
        .containsExactly(2L, 1L, 0L);
  }
}
