package io.miniinference.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class PreparedShapesTest {
  @Test
  void eachShapeHasTheSizesOfItsSymbols() {
    assertThat(PreparedShapes.parse("batch=1, sequence = 128; batch=8,sequence=128 ;"))
        .containsExactly(
            Map.of("batch", 1L, "sequence", 128L), Map.of("batch", 8L, "sequence", 128L));
    assertThat(PreparedShapes.parse(" ")).isEmpty();
  }

  @Test
  void aRangeIsAShapeForEachOfItsSizes() {
    assertThat(PreparedShapes.parse("sequence=16..60/16"))
        .extracting(shape -> shape.get("sequence"))
        .containsExactly(16L, 32L, 48L);
    assertThat(PreparedShapes.parse("sequence=3..5; sequence=9"))
        .extracting(shape -> shape.get("sequence"))
        .containsExactly(3L, 4L, 5L, 9L);
    assertThat(PreparedShapes.parse("input[1]=7..7")).containsExactly(Map.of("input[1]", 7L));
  }

  @Test
  void severalRangesAreAllCombinations() {
    List<Map<String, Long>> shapes = PreparedShapes.parse("width=32..64/32,height=1..2,batch=4");

    assertThat(shapes)
        .containsExactly(
            Map.of("batch", 4L, "height", 1L, "width", 32L),
            Map.of("batch", 4L, "height", 1L, "width", 64L),
            Map.of("batch", 4L, "height", 2L, "width", 32L),
            Map.of("batch", 4L, "height", 2L, "width", 64L));
  }

  @Test
  void thereIsABoundOnHowMany() {
    assertThat(PreparedShapes.parse("sequence=1..4096")).hasSize(4_096);
    assertThat(PreparedShapes.parse("a=1..64,b=1..64")).hasSize(4_096);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "sequence | write SYMBOL=SIZE or SYMBOL=FROM..TO/STEP",
        "=3 | write SYMBOL=SIZE",
        "a=1,a=2 | each symbol once",
        "a=-1 | write SYMBOL=SIZE",
        "a=1/2 | write SYMBOL=SIZE",
        "a=1.. | write SYMBOL=SIZE",
        "a=9..8 | a range has no size",
        "a=1..8/0 | STEP 1 or more",
        "a=1..4097 | more than 4,096 shapes",
        "a=1..64,b=1..65 | more than 4,096 shapes",
        "a=1..4096; a=7 | more than 4,096 shapes",
        "a=0..999999999999999999 | more than 4,096 shapes",
      })
  void whatIsWrongIsTold(String text, String message) {
    assertThatThrownBy(() -> PreparedShapes.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }
}
