package io.miniinference.service.fullstack;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// A request of `number-words` with a character code that no embedding has.
interface BadIndexContract {
  int ROWS = 4;

  /// `three` and `seventeen` in turn, as character codes (a = 1).
  List<String> WORDS =
      List.of(
          "20,8,18,5,5,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0",
          "19,5,22,5,14,20,5,5,14,0,0,0,0,0,0,0,0,0,0,0");

  RunningService service();

  @Test
  default void aBadIndexFailsItsRequestAndNotTheNext() {
    int position = 2 * Bundled.WORDS.rowElements() + 3;

    var answer = Bundled.WORDS.infer(service().client(), ROWS, words(position, "812"));

    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.error())
        .isEqualTo(
            "node 'node_embedding' (Gather): index 812 is outside [-29, 28] on axis 0, at row 2, position 43");
    assertThat(digitsOfGoodRequest()).containsExactly(3, 17, 3, 17);
  }

  private int[] digitsOfGoodRequest() {
    float[] scores = Bundled.values(Bundled.WORDS.infer(service().client(), ROWS, words(0, "20")));
    return IntStream.range(0, ROWS)
        .map(row -> 10 * Bundled.best(scores, 2 * row) + Bundled.best(scores, 2 * row + 1))
        .toArray();
  }

  private static String words(int position, String code) {
    String[] codes =
        IntStream.range(0, ROWS)
            .mapToObj(row -> WORDS.get(row % 2))
            .collect(Collectors.joining(","))
            .split(",", -1);
    codes[position] = code;
    return String.join(",", codes);
  }
}
