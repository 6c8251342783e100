package io.miniinference.strings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Strings and their codes.
class StringTableTest {
  private static final Dictionary WORDS =
      Dictionary.of(List.of(utf8("yes"), utf8("no"), utf8(""), utf8("yes")));

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void theEmptyStringIsZeroAndEqualStringsAreOne() {
    assertThat(WORDS.size()).isEqualTo(3);
    assertThat(WORDS.code(utf8(""))).isZero();
    assertThat(WORDS.code(utf8("no"))).isEqualTo(2);
    assertThat(Dictionary.EMPTY.code(utf8(""))).isZero();
  }

  @Test
  void stringsOfARequestHaveNegativeCodes() {
    var table = new StringTable(WORDS);
    assertThat(table.code(utf8("yes"))).isEqualTo(1);
    assertThat(table.code(utf8("maybe"))).isEqualTo(-1);
    assertThat(table.code(utf8("é"))).isEqualTo(-2);
    assertThat(table.code(utf8("maybe"))).isEqualTo(-1);
    assertThat(table.text(-2)).isEqualTo("é");
    assertThat(table.length(-2)).isEqualTo(2);
    assertThat(table.size()).isEqualTo(2);
  }

  @Test
  void bytesStayAsTheyAre() {
    var table = new StringTable(Dictionary.EMPTY);
    byte[] any = {(byte) 0xFF, 0, (byte) 0xC3};
    assertThat(table.bytes(table.code(any))).containsExactly(any);
    assertThat(table.bytes(table.code(any, 1, 1))).containsExactly(0);
    assertThat(table.text(-1)).isEqualTo("\uFFFD\0\uFFFD");
  }

  @Test
  void whatIsNoCodeIsAnEmptyString() {
    var table = new StringTable(WORDS);
    table.code(utf8("one"));
    for (int code : new int[] {3, -2, Integer.MIN_VALUE, Integer.MAX_VALUE}) {
      assertThat(table.bytes(code)).isEmpty();
      assertThat(table.length(code)).isZero();
    }
  }

  @Test
  void aStringIsKeptOnlyWhereThereIsRoom() {
    long[] left = {StringTable.ENTRY_BYTES + 3};
    var table =
        new StringTable(
            WORDS,
            bytes -> {
              if (bytes > left[0]) {
                throw new IllegalStateException("full");
              }
              left[0] -= bytes;
            });
    table.code(utf8("new"));
    for (int i = 0; i < 1000; i++) {
      table.code(utf8(""));
      table.code(utf8("new"));
    }
    assertThatThrownBy(() -> table.code(utf8("x"))).hasMessage("full");
    assertThat(table.size()).isEqualTo(1);
  }
}
