package io.miniinference.runtime.specialise;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class SizeExpressionTest {
  private static final Map<String, Long> SIZES = Map.of("past_length", 7L, "length", 3L, "s0", 20L);

  @ParameterizedTest
  @CsvSource({
    "past_length + length, 10",
    "past_length+1, 8",
    "1+past_length, 8",
    "2*length, 6",
    "s0//3 - 1, 5",
    "(s0 + 1)//2, 10",
    "(s0 - 7)/4*2, 6",
    "'2*(length + (s0 - 1)) ', 44",
    "length, 3",
    "12, 12",
  })
  void saysASize(String name, long size) {
    assertThat(SizeExpression.value(name, SIZES)).hasValue(size);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "other + 1",
        "length - s0",
        "length +",
        "(length",
        "length)",
        "length length",
        "s0//0",
        "9223372036854775807 + s0",
        "length % 2",
        "-length",
      })
  void saysNoSize(String name) {
    assertThat(SizeExpression.value(name, SIZES)).isEmpty();
  }

  @Test
  void aNameOfAnyLengthIsReadAtOnce() {
    String deep = "(".repeat(1 << 20) + "s0" + ")".repeat(1 << 20);
    assertThat(SizeExpression.value(deep, SIZES)).isEmpty();
  }

  @Test
  void aNameDoesNotFollowFromItself() {
    Set<String> symbols = Set.of("past", "past + 1", "s1", "s1 - 300", "a.b");
    assertThat(symbols.stream().filter(it -> SizeExpression.follows(it, symbols)))
        .containsExactlyInAnyOrder("past + 1", "s1 - 300");
  }
}
