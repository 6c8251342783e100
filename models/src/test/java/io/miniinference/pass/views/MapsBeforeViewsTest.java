package io.miniinference.pass.views;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.ir.Graph;
import io.miniinference.ir.Op;
import io.miniinference.ir.text.GraphText;
import io.miniinference.ir.type.GraphCheck;
import io.miniinference.pass.DeadCode;
import io.miniinference.pass.FusionOptions;
import io.miniinference.pass.Passes;
import io.miniinference.pass.pipeline.Pipeline;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What is made of each element is computed before elements are reshaped and repeated.
final class MapsBeforeViewsTest {
  private static String passed(String body) {
    return Passes.apply(new MapsBeforeViews(), body);
  }

  @Test
  void aMapMovesAheadOfReshapesAndRepetitions() {
    assertThat(
            passed(
                """
                  input %x: i64[N,6]
                  %a: bool[N,6] = elementwise(%x) { bool(a0) }
                  %b: bool[N,1,2,3] = reshape(%a)
                  %c: bool[N,4,2,3] = expand(%b)
                  %y: f32[N,4,2,3] = elementwise(%c) { select(a0, 0.0, -inf) }
                  output %y
                """))
        .isEqualTo(
            """
            input %x: i64[N,6]
            %a: bool[N,6] = elementwise(%x) { bool(a0) }
            %"y before views": f32[N,6] = elementwise(%a) { select(a0, 0.0, -inf) } from "y" "elementwise"
            %"y before views 2": f32[N,1,2,3] = reshape(%"y before views") from "b" "reshape"
            %"y before views 3": f32[N,4,2,3] = expand(%"y before views 2") from "c" "expand"
            %y: f32[N,4,2,3] = expand(%"y before views 3") from "y" "elementwise"
            output %y
            """);
  }

  /// A mask that is true everywhere is a number, though it has elements.
  @Test
  void whatNumbersRepeatIsRepeatedAfterwards() {
    assertThat(
            passed(
                """
                  input %x: i64[N,1,3]
                  const %all: bool[2,1] = [true, true]
                  %a: bool[N,1,3] = elementwise(%x) { bool(a0) }
                  %y: bool[N,2,3] = elementwise(%all, %a) { a0 && a1 }
                  output %y
                """))
        .contains(
            "%\"y before views\": bool[N,1,3] = elementwise(%a) { true && a0 }",
            "%y: bool[N,2,3] = expand(%\"y before views\")");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        // the place counts
        "%y: f32[N,3,2] = elementwise(%b) { a0 * f32(i2) }",
        // two operands
        "%y: f32[N,3,2] = elementwise(%b, %x3) { a0 + a1 }",
        // a mask of two numbers
        "%y: bool[N,3,2] = elementwise(%c, %two) { a0 && a1 }",
        // something else reads the view
        "%z: f32[N,3,2] = softmax(%b) {axis=2}\n%y: f32[N,3,2] = elementwise(%b) { a0 * 2.0 }\noutput %z",
        // something else reads what is viewed
        "%z: f32[N,6] = softmax(%a) {axis=1}\n%y: f32[N,3,2] = elementwise(%b) { a0 * 2.0 }\noutput %z",
        // nothing that could be one with the map makes the operand
        "%s: f32[N,6] = softmax(%x) {axis=1}\n%t: f32[N,3,2] = reshape(%s)\n%y: f32[N,3,2] = elementwise(%t) { a0 * 2.0 }",
        // it may fail, and for another element then
        "%y: i64[N,3,2] = elementwise(%d) { 7 / a0 }"
      })
  void others(String nodes) {
    String body =
        """
          input %x: f32[N,6]
          input %x3: f32[N,3,2]
          input %i: i64[N,6]
          const %two: bool[3,1] = [true, false, true]
          %a: f32[N,6] = elementwise(%x) { a0 + 1.0 }
          %b: f32[N,3,2] = reshape(%a)
          %o: bool[N,6] = elementwise(%x) { a0 < 1.0 }
          %c: bool[N,3,2] = reshape(%o)
          %j: i64[N,6] = elementwise(%i) { a0 + 1 }
          %d: i64[N,3,2] = reshape(%j)
          NODES
          output %y
        """
            .replace("NODES", nodes);
    assertThat(passed(body)).isEqualTo(Passes.apply(new DeadCode(), body));
  }

  /// As PyTorch's exporter writes it for each of two layers.
  @Test
  void aMaskOfTokensIsOneMapOfTokens() {
    String text =
        """
        graph "mask" {
          input %tokens: i64[N,4]
          const %rows: bool[1,1,4,1] = [true, true, true, true]
          const %zero: f32[1] = [0.0]
          const %none: f32[1] = [-inf]
          const %zero2: f32[1] = [0.0]
          const %none2: f32[1] = [-inf]
          %is: bool[N,4] = elementwise(%tokens) { bool(a0) }
          %flat: bool[4N] = reshape(%is)
          %keys: bool[N,1,1,4] = reshape(%flat)
          %both: bool[N,1,4,4] = elementwise(%rows, %keys) { a0 && a1 }
          %first: f32[N,1,4,4] = elementwise(%both, %zero, %none) { select(a0, a1, a2) }
          %second: f32[N,1,4,4] = elementwise(%both, %zero2, %none2) { select(a0, a1, a2) }
          %y: f32[N,1,4,4] = softmax(%first) {axis=3}
          %z: f32[N,1,4,4] = softmax(%second) {axis=2}
          output %y
          output %z
        }
        """;
    Graph after =
        Pipeline.standard(Passes::evaluate, 1 << 20, FusionOptions.all())
            .apply(GraphCheck.check(GraphText.parse(text)));
    assertThat(after.nodes().stream().filter(node -> node.op() instanceof Op.Elementwise))
        .singleElement()
        .satisfies(node -> assertThat(node.output().type().toString()).isEqualTo("f32[N,4]"));
  }
}
