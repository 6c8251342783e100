package io.miniinference.pass.views;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.pass.Passes;
import org.junit.jupiter.api.Test;

/// Numbers that follow from their index are made where views of them are read.
final class NumbersInPlaceTest {
  private static String passed(String body) {
    return Passes.apply(new NumbersInPlace(), body);
  }

  @Test
  void oneSizeOfManyIsANumber() {
    assertThat(
            passed(
                """
                  %sizes: i64[2] = elementwise() { select(i0 == 0, size(N), 28) }
                  %one: i64[1] = slice(%sizes) {starts=[1]}
                  %y: i64[] = reshape(%one)
                  output %y
                """))
        .endsWith(
            "%y: i64[] = elementwise() { select(1 == 0, size(N), 28) } from \"y\" \"reshape\"\noutput %y\n");
  }

  @Test
  void partsAndNewAxesCountOn() {
    assertThat(
            passed(
                """
                  %numbers: i64[9] = elementwise() { i0 }
                  %some: i64[3] = slice(%numbers) {starts=[2], steps=[3]}
                  %y: i64[1,3,1] = reshape(%some)
                  output %y
                """))
        .endsWith(
            "%y: i64[1,3,1] = elementwise() { i1 * 3 + 2 } from \"y\" \"reshape\"\noutput %y\n");
  }

  /// Else the last of them would be an expression as deep as the file has nodes.
  @Test
  void numbersThatTakeLongToSayAreRead() {
    StringBuilder body = new StringBuilder("  %x0: i64[2000] = elementwise() { i0 }\n");
    int count = 1000;
    for (int i = 1; i <= count; i++) {
      body.append("  %%x%d: i64[%d] = slice(%%x%d) {starts=[1]}\n".formatted(i, 2000 - i, i - 1));
    }
    String after = passed(body + "  output %x" + count + "\n");
    assertThat(after.lines().filter(line -> line.contains("slice(")).count())
        .isBetween(count / 2L, count - 5L);
    assertThat(after.lines()).allMatch(line -> line.length() < 1000);
  }

  @Test
  void otherOrdersStayViews() {
    String body =
        """
          %numbers: i64[6] = elementwise() { i0 }
          %y: i64[2,3] = reshape(%numbers)
          output %y
        """;
    assertThat(passed(body)).isEqualTo(Passes.apply(graph -> graph, body));
  }
}
