package io.miniinference.pass.views;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.pass.DeadCode;
import io.miniinference.pass.Passes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What lies channels last between convolutions and pools is computed channels first.
final class ChannelsFirstTest {
  private static final String INPUTS =
      """
        input %x: f32[N,3,8,8]
        input %w: f32[4,3,3,3]
        input %v: f32[2,4,3,3]
        const %b: f32[4] = [1.0, 2.0, 3.0, 4.0]
      """;

  private static String passed(String body) {
    return Passes.apply(new ChannelsFirst(), INPUTS + body);
  }

  @Test
  void aMapBehindAConvolutionIsComputedAsTheConvolutionGivesIt() {
    assertThat(
            passed(
                """
                  %c: f32[N,4,6,6] = conv(%x, %w) {kernel=[3,3]}
                  %t: f32[N,6,6,4] = transpose(%c) {permutation=[0,2,3,1]}
                  %a: f32[N,6,6,4] = elementwise(%t, %b) { max(a0 + a1, 0.0) }
                  %u: f32[N,4,6,6] = transpose(%a) {permutation=[0,3,1,2]}
                  %y: f32[N,2,4,4] = conv(%u, %v) {kernel=[3,3]}
                  output %y
                """))
        .endsWith(
            """
            %c: f32[N,4,6,6] = conv(%x, %w) {kernel=[3,3]}
            %"b of all axes": f32[1,1,1,4] = reshape(%b) from "b" "Constant"
            %"b channels first": f32[1,4,1,1] = transpose(%"b of all axes") {permutation=[0,3,1,2]} from "b of all axes" "Constant"
            %"a channels first": f32[N,4,6,6] = elementwise(%c, %"b channels first") { max(a0 + a1, 0.0) } from "a" "elementwise"
            %y: f32[N,2,4,4] = conv(%"a channels first", %v) {kernel=[3,3]}
            output %y
            """);
  }

  @Test
  void padsPartsAndConcatenationsMoveToo() {
    assertThat(
            passed(
                """
                  %c: f32[N,4,6,6] = conv(%x, %w) {kernel=[3,3]}
                  %t: f32[N,6,6,4] = transpose(%c) {permutation=[0,2,3,1]}
                  %p: f32[N,7,6,4] = elementwise(%t) { select(i1 - 1 >= 0 && i1 - 1 < 6, a0[i0, i1 - 1, i2, i3], 0.0) }
                  %s: f32[N,7,6,2] = slice(%p) {starts=[0,0,0,1]}
                  %a: f32[N,7,6,4] = concat(%s, %s) {axis=3}
                  %u: f32[N,4,7,6] = transpose(%a) {permutation=[0,3,1,2]}
                  %y: f32[N,2,5,4] = conv(%u, %v) {kernel=[3,3]}
                  output %y
                """))
        .contains(
            "f32[N,4,7,6] = elementwise(%c) { select(i2 - 1 >= 0 && i2 - 1 < 6, a0[i0, i1, i2 - 1, i3], 0.0) }",
            "f32[N,2,7,6] = slice(",
            "f32[N,4,7,6] = concat(%\"s channels first\", %\"s channels first\") {axis=1}",
            "%y: f32[N,2,5,4] = conv(%\"a channels first\", %v)")
        .doesNotContain("transpose");
  }

  /// As GlobalAveragePooling2D sums them up, with the axes and without.
  @ParameterizedTest
  @ValueSource(strings = {"f32[N,4]", "f32[N,1,1,4]"})
  void sumsOverSpaceAreTakenWhereTheyLie(String type) {
    String keep = type.contains("1,1") ? ", keep=true" : "";
    assertThat(
            passed(
                """
                  %c: f32[N,4,6,6] = conv(%x, %w) {kernel=[3,3]}
                  %t: f32[N,6,6,4] = transpose(%c) {permutation=[0,2,3,1]}
                  %y: TYPE = reduce_sum(%t) {axes=[1,2]KEEP}
                  output %y
                """
                    .replace("TYPE", type)
                    .replace("KEEP", keep)))
        .contains("= reduce_sum(%c) {axes=[2,3]" + keep + "}")
        .doesNotContain("transpose(%c)");
  }

  /// Where they are read as they are, as ConvNeXt's are by products over channels.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "%y: f32[N,6,6,4] = elementwise(%t, %b) { a0 + a1 }",
        "%s: f32[N,6,6,4] = softmax(%t) {axis=3}\n%y: f32[N,4,6,6] = transpose(%s) {permutation=[0,3,1,2]}",
        "%y: f32[N,6,6,1] = reduce_sum(%t) {axes=[3], keep=true}",
        "%y: f32[N,6,6] = reduce_max(%t) {axes=[3]}",
      })
  void othersStayChannelsLast(String nodes) {
    String body =
        "%c: f32[N,4,6,6] = conv(%x, %w) {kernel=[3,3]}\n"
            + "%t: f32[N,6,6,4] = transpose(%c) {permutation=[0,2,3,1]}\n"
            + nodes
            + "\noutput %y\n";
    assertThat(
            Passes.apply(
                graph -> new DeadCode().apply(new ChannelsFirst().apply(graph)), INPUTS + body))
        .isEqualTo(Passes.apply(new DeadCode(), INPUTS + body));
  }

  /// Such as a map of places, of which sums over space are asked.
  @Test
  void whatReadsNothingStays() {
    assertThat(
            passed(
                """
                  %c: f32[N,4,6,6] = conv(%x, %w) {kernel=[3,3]}
                  %t: f32[N,6,6,4] = transpose(%c) {permutation=[0,2,3,1]}
                  %p: f32[1,6,6,4] = elementwise() { f32(i1 + i3) }
                  %s: f32[1,4] = reduce_sum(%p) {axes=[1,2]}
                  %a: f32[N,6,6,4] = elementwise(%t, %p) { a0 + a1 }
                  %y: f32[N,4,6,6] = transpose(%a) {permutation=[0,3,1,2]}
                  output %s
                  output %y
                """))
        .contains("%a: f32[N,6,6,4] = elementwise(%t, %p) { a0 + a1 }");
  }

  /// Keys of attention are transposed in the same way, and come from no convolution.
  @Test
  void whatNoConvolutionGivesStays() {
    String body =
        """
          input %k: f32[N,5,7]
          %t: f32[N,7,5] = transpose(%k) {permutation=[0,2,1]}
          %a: f32[N,7,5] = elementwise(%t) { a0 * 2.0 }
          %y: f32[N,5,7] = transpose(%a) {permutation=[0,2,1]}
          output %y
        """;
    assertThat(Passes.apply(new ChannelsFirst(), body))
        .isEqualTo(Passes.apply(graph -> graph, body));
  }

  /// A value that is given out keeps its name and its order.
  @Test
  void anOutputIsGivenAsItWas() {
    assertThat(
            passed(
                """
                  %c: f32[N,4,6,6] = conv(%x, %w) {kernel=[3,3]}
                  %t: f32[N,6,6,4] = transpose(%c) {permutation=[0,2,3,1]}
                  %a: f32[N,6,6,4] = elementwise(%t) { max(a0, 0.0) }
                  %y: f32[N,4,6,6] = transpose(%a) {permutation=[0,3,1,2]}
                  output %a
                  output %y
                """))
        .contains(
            "%a: f32[N,6,6,4] = transpose(%\"a channels first\") {permutation=[0,2,3,1]}",
            "%y: f32[N,4,6,6] = transpose(%a) {permutation=[0,3,1,2]}");
  }
}
