package io.miniinference.pass.views;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.ir.Graph;
import io.miniinference.ir.Node;
import io.miniinference.pass.FusionTarget;
import io.miniinference.pass.Passes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What is made of each element of a concatenation is made of its parts.
final class MapsBeforeConcatTest {
  private static final String PARTS =
      """
        input %x: f32[N,2]
        const %wa: f32[2,1] = [1.0, 2.0]
        const %wb: f32[2,2] = [3.0, 4.0, 5.0, 6.0]
        const %bias: f32[1] = [0.5]
        const %scale: f32[3] = [1.5, 2.5, 3.5]
        %product: f32[N,1] = matmul(%x, %wa)
        %a: f32[N,1] = elementwise(%product, %bias) { a0 + a1 }
        %b: f32[N,2] = matmul(%x, %wb)
        %c: f32[N,3] = concat(%a, %b) {axis=1}
      """;

  private static String passed(String body) {
    return Passes.apply(new MapsBeforeConcat(Passes::evaluate, (_, _) -> true), PARTS + body);
  }

  private static String same(String body) {
    return Passes.apply(graph -> graph, PARTS + body);
  }

  /// Behind what makes them, so that no value lives longer; scales are parted.
  @Test
  void mapsMoveToThePartsOneAfterTheOther() {
    assertThat(
            passed(
                """
                  %s: f32[N,3] = elementwise(%c, %scale) { a0 * a1 }
                  %y: f32[N,3] = elementwise(%s) { max(a0, 0.0) }
                  output %y
                """))
        .contains("const %\"scale of a part\": f32[1] = [1.5]")
        .contains("const %\"scale of a part 2\": f32[2] = [2.5, 3.5]")
        .endsWith(
            """
            %product: f32[N,1] = matmul(%x, %wa)
            %a: f32[N,1] = elementwise(%product, %bias) { a0 + a1 }
            %"s of a part": f32[N,1] = elementwise(%a, %"scale of a part") { a0 * a1 } from "s" "elementwise"
            %"y of a part": f32[N,1] = elementwise(%"s of a part") { max(a0, 0.0) } from "y" "elementwise"
            %b: f32[N,2] = matmul(%x, %wb)
            %"s of a part 2": f32[N,2] = elementwise(%b, %"scale of a part 2") { a0 * a1 } from "s" "elementwise"
            %"y of a part 2": f32[N,2] = elementwise(%"s of a part 2") { max(a0, 0.0) } from "y" "elementwise"
            %y: f32[N,3] = concat(%"y of a part", %"y of a part 2") {axis=1} from "c" "concat"
            output %y
            """);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        // the concatenation is an output, too
        """
          %y: f32[N,3] = elementwise(%c) { max(a0, 0.0) }
          output %y
          output %c
        """,
        // another reads a part
        """
          %y: f32[N,3] = elementwise(%c) { max(a0, 0.0) }
          %z: f32[N,2] = elementwise(%b) { max(a0, 1.0) }
          output %y
          output %z
        """,
        // a part is the request's own
        """
          %d: f32[N,5] = concat(%b, %x, %a) {axis=1}
          %y: f32[N,5] = elementwise(%d) { max(a0, 0.0) }
          output %y
        """,
        // it is computed with another value
        """
          %z: f32[N,3] = elementwise(%c, %a) { a0 * a1 }
          output %z
        """,
        // its place counts
        """
          %y: f32[N,3] = elementwise(%c) { a0 + f32(i1) }
          output %y
        """,
        // the result takes more bytes
        """
          %y: f64[N,3] = elementwise(%c) { f64(a0) }
          output %y
        """
      })
  void allElseStays(String body) {
    assertThat(passed(body)).isEqualTo(same(body));
  }

  @Test
  void aTargetMayWantTheWhole() {
    String body =
        """
          %y: f32[N,3] = elementwise(%c) { max(a0, 0.0) }
          output %y
        """;
    var wholes =
        new FusionTarget() {
          @Override
          public boolean fuses(Node merged, Graph graph) {
            return true;
          }

          @Override
          public boolean mapsParts(Node concatenation) {
            return false;
          }
        };
    assertThat(Passes.apply(new MapsBeforeConcat(Passes::evaluate, wholes), PARTS + body))
        .isEqualTo(same(body));
  }
}
