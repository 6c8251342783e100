package io.miniinference.pass;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The nodes of a normalisation become one.
final class FuseNormalizeTest {
  private static final String CENTRED =
      """
        input %x: f32[N,2,4]
        const %eps: f32[] = [1.0E-5]
        %s: f32[N,2,1] = reduce_sum(%x) {axes=[2], keep=true}
        %m: f32[N,2,1] = elementwise(%s) { a0 / 4.0 }
        %d: f32[N,2,4] = elementwise(%x, %m) { a0 - a1 }
        %q: f32[N,2,4] = elementwise(%d) { a0 * a0 }
        %t: f32[N,2,1] = reduce_sum(%q) {axes=[2], keep=true}
        %v: f32[N,2,1] = elementwise(%t) { a0 / 4.0 }
        %e: f32[N,2,1] = elementwise(%v, %eps) { a0 + a1 }
        %r: f32[N,2,1] = elementwise(%e) { sqrt(a0) }
        %y: f32[N,2,4] = elementwise(%d, %r) { a0 / a1 }
        output %y
      """;

  private static String passed(String body) {
    return Passes.apply(new FuseNormalize(), body);
  }

  private static void staysAsItIs(String body) {
    assertThat(passed(body)).isEqualTo(Passes.apply(graph -> graph, body));
  }

  @Test
  void theNodesOfALayerNormalisationAreOne() {
    assertThat(passed(CENTRED))
        .contains("%y: f32[N,2,4] = normalize(%x) {axes=[2], epsilon=9.999999747378752E-6")
        .doesNotContain("reduce_sum", "sqrt", "centered=false");
  }

  @ParameterizedTest
  @ValueSource(strings = {"1.0 / a0", "reciprocal(a0)"})
  void aRootMayBeInvertedFirst(String inverse) {
    String body =
        CENTRED.replace(
            "%y: f32[N,2,4] = elementwise(%d, %r) { a0 / a1 }",
            "%i: f32[N,2,1] = elementwise(%r) { %s }\n  %y: f32[N,2,4] = elementwise(%i, %d) { a0 * a1 }"
                .replace("%s }", inverse + " }"));
    assertThat(passed(body)).contains("normalize(%x) {axes=[2]").doesNotContain("reduce_sum");
  }

  @Test
  void withoutAMeanItIsTheRootOfSquares() {
    assertThat(
            passed(
                """
                  input %x: f32[N,3,2]
                  %q: f32[N,3,2] = elementwise(%x) { a0 * a0 }
                  %t: f32[N,1,1] = reduce_sum(%q) {axes=[1,2], keep=true}
                  %v: f32[N,1,1] = elementwise(%t) { a0 / 6.0 }
                  %e: f32[N,1,1] = elementwise(%v) { 0.5 + a0 }
                  %r: f32[N,1,1] = elementwise(%e) { pow(a0, 0.5) }
                  %y: f32[N,3,2] = elementwise(%x, %r) { a0 / a1 }
                  output %y
                """))
        .contains("%y: f32[N,3,2] = normalize(%x) {axes=[1,2], epsilon=0.5, centered=false}")
        .doesNotContain("reduce_sum");
  }

  @Test
  void aMeanThatIsAnOutputStays() {
    assertThat(passed(CENTRED + "  output %m\n")).contains("normalize(%x)", "output %m");
  }

  @Test
  void anotherNumberOfElementsIsNoMean() {
    staysAsItIs(
        CENTRED.replace(
            "%v: f32[N,2,1] = elementwise(%t) { a0 / 4.0 }",
            "%v: f32[N,2,1] = elementwise(%t) { a0 / 3.0 }"));
  }

  @Test
  void aProductOfTwoValuesIsNoSquare() {
    staysAsItIs(CENTRED.replace("(%d) { a0 * a0 }", "(%d, %x) { a0 * a1 }"));
  }

  @Test
  void axesThatAreNotTheLastStay() {
    staysAsItIs(
        CENTRED
            .replace("axes=[2]", "axes=[1]")
            .replace("[N,2,1]", "[N,1,4]")
            .replace("/ 4.0", "/ 2.0"));
  }

  @Test
  void aNegativeEpsilonStays() {
    staysAsItIs(CENTRED.replace("[1.0E-5]", "[-1.0E-5]"));
  }

  @Test
  void halvesStay() {
    staysAsItIs(CENTRED.replace("f32", "f16").replace("4.0", "4.0:f16"));
  }
}
