package io.miniinference.pass.views;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.pass.Passes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Zeros around an operand become the padding of its windows.
final class PadsInWindowsTest {
  private static final String INPUTS =
      """
        input %x: f32[N,3,8,8]
        input %last: f32[N,8,8,3]
        input %w: f32[4,3,3,3]
      """;
  private static final String PADDED =
      "f32[N,3,9,9] = elementwise(%x) { select(i2 >= 0 && i2 < 8 && (i3 >= 0 && i3 < 8), a0[i0, i1, i2, i3], 0.0) }\n";

  private static String passed(String body) {
    return Passes.apply(new PadsInWindows(), INPUTS + body + "\noutput %y\n");
  }

  @Test
  void aConvolutionPadsByItself() {
    assertThat(
            passed(
                "%p: " + PADDED + "%y: f32[N,4,4,4] = conv(%p, %w) {kernel=[3,3], strides=[2,2]}"))
        .contains("= conv(%x, %w) {kernel=[3,3], strides=[2,2], padsEnd=[1,1]}")
        .doesNotContain("elementwise");
  }

  /// Such as a map of places.
  @Test
  void whatReadsNothingStays() {
    assertThat(
            passed(
                "%places: i64[4] = elementwise() { i0 }\noutput %places\n%p: "
                    + PADDED
                    + "%y: f32[N,4,7,7] = conv(%p, %w) {kernel=[3,3]}"))
        .contains("%places: i64[4] = elementwise() { i0 }", "= conv(%x, %w)");
  }

  @Test
  void padsThatAreTransposedAreThoseOfTheTransposed() {
    assertThat(
            passed(
                """
                  %p: f32[N,10,8,3] = elementwise(%last) { select(i1 - 1 >= 0 && i1 - 1 < 8, a0[i0, i1 - 1, i2, i3], 0.0) }
                  %t: f32[N,3,10,8] = transpose(%p) {permutation=[0,3,1,2]}
                  %y: f32[N,4,8,6] = conv(%t, %w) {kernel=[3,3]}\
                """))
        .contains(
            "%\"t before pads\": f32[N,3,8,8] = transpose(%last) {permutation=[0,3,1,2]}",
            "= conv(%\"t before pads\", %w) {kernel=[3,3], padsBegin=[1,0], padsEnd=[1,0]}")
        .doesNotContain("elementwise");
  }

  @Test
  void toTheLargestOfAWindowZerosAreNothingWhereNoneIsLess() {
    String relu = "%r: f32[N,3,8,8] = elementwise(%x) { max(a0, 0.0) }\n";
    String pool = "%y: f32[N,3,4,4] = pool_max(%p) {kernel=[3,3], strides=[2,2]}";

    assertThat(passed(relu + "%p: " + PADDED.replace("%x", "%r") + pool))
        .contains("= pool_max(%r) {kernel=[3,3], strides=[2,2], padsEnd=[1,1]}");
    assertThat(passed("%p: " + PADDED + pool)).contains("pool_max(%p)");
    assertThat(passed(relu + "%p: " + PADDED.replace("%x", "%r") + pool.replace("max", "average")))
        .contains("pool_average(%p)");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        // other than zeros
        "%p: f32[N,3,9,8] = elementwise(%x) { select(i2 >= 0 && i2 < 8, a0[i0, i1, i2, i3], 1.0) }",
        // another place
        "%p: f32[N,3,9,8] = elementwise(%x) { select(i2 >= 0 && i2 < 8, a0[i0, i1, i3, i2], 0.0) }",
        // another test
        "%p: f32[N,3,9,8] = elementwise(%x) { select(i2 >= 0 && i2 < 7, a0[i0, i1, i2, i3], 0.0) }",
        // more than a window
        "%p: f32[N,3,11,8] = elementwise(%x) { select(i2 - 3 >= 0 && i2 - 3 < 8, a0[i0, i1, i2 - 3, i3], 0.0) }",
      })
  void othersStay(String pad) {
    int height = pad.contains("11") ? 9 : 7;
    assertThat(passed(pad + "\n%y: f32[N,4," + height + ",6] = conv(%p, %w) {kernel=[3,3]}"))
        .contains("conv(%p, %w)");
  }
}
