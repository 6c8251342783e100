package io.miniinference.codegen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class SpellerTest {
  private static final Dialect OPENCL = new OpenClC("", true);

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "const int t = @localId;|const int t = get_local_id(0);",
        "@shared float as[4];|local float as[4];",
        "@load(4, 0, x + f(a, b[1, 2]) * 3).x|vload4(0, x + f(a, b[1, 2]) * 3).x",
        "@store(16, @splat(16, 0.0f), 0, y)|vstore16((float16)(0.0f), 0, y)",
        "@select(a, @load(16, 0, p), (a < b))|select(a, vload16(0, p), (a < b))",
        "a[@groupId(1)]|a[get_group_id(1)]"
      })
  void wordsAreSpelledWithTheirArguments(String text, String spelled) {
    assertThat(Speller.spell(text, OPENCL)).isEqualTo(spelled);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"@nothing", "@", "@load", "@load(4, a)", "@select(a, b)", "@load(4, a, b"})
  void whatIsNoWordOrHasOtherArgumentsIsAnError(String text) {
    assertThatIllegalStateException()
        .isThrownBy(() -> Speller.spell(text, OPENCL))
        .withMessageContaining("@" + text.substring(1).split("\\(")[0]);
  }

  @Test
  void everyWordHasASpelling() {
    for (Word word : Word.values()) {
      List<String> arguments =
          IntStream.range(0, word.arguments()).mapToObj(i -> i == 0 ? "int" : "a" + i).toList();

      assertThat(OPENCL.spell(word, arguments)).as("%s", word).doesNotContain("@");
    }
  }
}
