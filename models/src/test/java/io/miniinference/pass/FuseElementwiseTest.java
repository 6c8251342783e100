package io.miniinference.pass;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.ir.Graph;
import io.miniinference.ir.Node;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class FuseElementwiseTest {
  private static void becomes(String before, String after) {
    becomes(FusionOptions.all(), before, after);
  }

  private static void becomes(FusionOptions options, String before, String after) {
    assertThat(Passes.apply(new FuseElementwise(options), before)).isEqualTo(after);
  }

  private static void stays(String body) {
    becomes(body, body);
  }

  @Test
  void aChainBecomesOneExpression() {
    becomes(
        """
        input %x: f32[N,4]
        input %y: f32[N,4]
        const %two: f32[] = [2.0]
        %a: f32[N,4] = elementwise(%x, %two) { a0 * a1 }
        %b: f32[N,4] = elementwise(%a, %y) { a0 + a1 }
        %c: f32[N,4] = elementwise(%b) { max(a0, 0.0) }
        output %c
        """,
        """
        input %x: f32[N,4]
        input %y: f32[N,4]
        %c: f32[N,4] = elementwise(%y, %x) { max(a1 * 2.0 + a0, 0.0) }
        output %c
        """);
  }

  @Test
  void biasAndActivationMoveIntoTheConvolution() {
    becomes(
        """
        input %x: f32[N,1,4,4]
        const %w: f32[2,1,1,1] = [1.0, 2.0]
        const %b: f32[2,1,1] = [0.5, 0.25]
        %c: f32[N,2,4,4] = conv(%x, %w) {kernel=[1,1]}
        %d: f32[N,2,4,4] = elementwise(%c, %b) { a0 + a1 }
        %y: f32[N,2,4,4] = elementwise(%d) { max(a0, 0.0) }
        output %y
        """,
        """
        input %x: f32[N,1,4,4]
        const %w: f32[2,1,1,1] = [1.0, 2.0]
        const %b: f32[2,1,1] = [0.5, 0.25]
        %y: f32[N,2,4,4] = conv(%x, %w) {kernel=[1,1]} epilogue(%b) { max(a0 + a1, 0.0) } from "c" "conv"
        output %y
        """);
  }

  /* The pixels of an image as tokens. */
  private static final String TOKENS =
      """
      input %x: f32[N,1,4,4]
      const %w: f32[2,1,1,1] = [1.0, 2.0]
      %c: f32[N,2,4,4] = conv(%x, %w) {kernel=[1,1]}
      %r: f32[N,2,16] = reshape(%c)
      %t: f32[N,16,2] = transpose(%r) {permutation=[0,2,1]}
      """;

  @Test
  void anActivationOfTokensMovesAheadOfTheirViews() {
    becomes(
        TOKENS
            + """
            %y: f32[N,16,2] = elementwise(%t) { max(a0, 0.0) * a0 }
            output %y
            """,
        """
        input %x: f32[N,1,4,4]
        const %w: f32[2,1,1,1] = [1.0, 2.0]
        %"y ahead": f32[N,2,4,4] = conv(%x, %w) {kernel=[1,1]} epilogue { max(a0, 0.0) * a0 } from "c" "conv"
        %"r behind": f32[N,2,16] = reshape(%"y ahead") from "r" "reshape"
        %y: f32[N,16,2] = transpose(%"r behind") {permutation=[0,2,1]} from "t" "transpose"
        output %y
        """);
  }

  /// As transformers have it whose products take sequences as rows.
  @Test
  void aSumWithAnotherSequenceMovesAheadOfTheReshape() {
    becomes(
        """
        input %x: f32[N,4]
        input %z: f32[N,1,2]
        const %w: f32[4,2] = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]
        const %b: f32[2] = [0.5, 0.25]
        %m: f32[N,2] = matmul(%x, %w)
        %r: f32[N,1,2] = reshape(%m)
        %s: f32[N,1,2] = elementwise(%z) { exp(a0) }
        %y: f32[N,1,2] = elementwise(%s, %r, %b) { a0 + (a1 + a2) }
        output %y
        output %s
        """,
        """
        input %x: f32[N,4]
        input %z: f32[N,1,2]
        const %w: f32[4,2] = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]
        const %b: f32[2] = [0.5, 0.25]
        %s: f32[N,1,2] = elementwise(%z) { exp(a0) }
        %"s for y": f32[N,2] = reshape(%s) from "y" "elementwise"
        %"y ahead": f32[N,2] = matmul(%x, %w) epilogue(%"s for y", %b) { a1 + (a0 + a2) } from "m" "matmul"
        %y: f32[N,1,2] = reshape(%"y ahead") from "y" "elementwise"
        output %y
        output %s
        """);
  }

  @Test
  void whatReadsMoreThanTheViewedResultStaysBehindTheViews() {
    stays(
        "input %z: f32[N,16,2]\n"
            + TOKENS
            + """
            %y: f32[N,16,2] = elementwise(%t, %z) { a0 * a1 }
            output %y
            """);
    stays(
        TOKENS
            + """
            %y: f32[N,16,2] = elementwise(%t) { max(a0, 0.0) }
            output %y
            output %r
            """);
    stays(
        TOKENS
            + """
            %e: f32[3,N,16,2] = expand(%t)
            %y: f32[3,N,16,2] = elementwise(%e) { max(a0, 0.0) }
            output %y
            """);
  }

  @Test
  void aResidualMovesIntoTheLaterProducer() {
    becomes(
        """
        input %x: f32[N,4]
        const %w: f32[4,4] = [0,0,0,0, 0,0,0,0, 0,0,0,0, 0,0,0,0]
        %a: f32[N,4] = matmul(%x, %w)
        %b: f32[N,4] = softmax(%x) {axis=1}
        %y: f32[N,4] = elementwise(%a, %b) { a0 + a1 }
        output %y
        """
            .replace("[0,0,0,0, 0,0,0,0, 0,0,0,0, 0,0,0,0]", zeros(16)),
        """
        input %x: f32[N,4]
        const %w: f32[4,4] = ZEROS
        %a: f32[N,4] = matmul(%x, %w)
        %y: f32[N,4] = softmax(%x) {axis=1} epilogue(%a) { a1 + a0 } from "b" "softmax"
        output %y
        """
            .replace("ZEROS", zeros(16)));
  }

  private static String zeros(int count) {
    return "[" + "0.0, ".repeat(count - 1) + "0.0]";
  }

  @Test
  void aProducerMovesToItsConsumersPlace() {
    becomes(
        """
        input %x: f32[N,4]
        %a: f32[N,4] = softmax(%x) {axis=1}
        %b: f32[N,4] = scan_sum(%x) {axis=1}
        %y: f32[N,4] = elementwise(%a, %b) { a0 * a1 }
        output %y
        """,
        """
        input %x: f32[N,4]
        %b: f32[N,4] = scan_sum(%x) {axis=1}
        %y: f32[N,4] = softmax(%x) {axis=1} epilogue(%b) { a0 * a1 } from "a" "softmax"
        output %y
        """);
  }

  @Test
  void anElementwiseNodeBecomesTheMapOfItsReduction() {
    becomes(
        """
        input %x: f32[N,4]
        %a: f32[N,4] = elementwise(%x) { a0 * a0 }
        %y: f32[N] = reduce_sum(%a) {axes=[1]} map { abs(a0) }
        output %y
        """,
        """
        input %x: f32[N,4]
        %y: f32[N] = reduce_sum(%x) {axes=[1]} map { abs(a0 * a0) }
        output %y
        """);
  }

  @Test
  void aValueThatSomethingElseReadsIsStored() {
    stays(
        """
        input %x: f32[N,4]
        %a: f32[N,4] = softmax(%x) {axis=1}
        %y: f32[N,4] = elementwise(%a) { exp(a0) }
        %z: f32[N,4] = scan_sum(%a) {axis=1}
        output %y
        output %z
        """);
  }

  @Test
  void anOutputIsStored() {
    stays(
        """
        input %x: f32[N,4]
        %a: f32[N,4] = elementwise(%x) { exp(a0) }
        %y: f32[N,4] = elementwise(%a) { a0 + 1.0 }
        output %a
        output %y
        """);
  }

  @Test
  void aCheapValueIsComputedAgainForEachReader() {
    becomes(
        """
        input %x: i32[N,4]
        %a: f32[N,4] = elementwise(%x) { f32(a0) }
        %y: f32[N,4] = elementwise(%a) { exp(a0) }
        %z: f32[N,4] = elementwise(%a) { sin(a0) }
        output %y
        output %z
        """,
        """
        input %x: i32[N,4]
        %y: f32[N,4] = elementwise(%x) { exp(f32(a0)) }
        %z: f32[N,4] = elementwise(%x) { sin(f32(a0)) }
        output %y
        output %z
        """);
  }

  @Test
  void aResultThatIsBroadcastKeepsItsOwnShape() {
    stays(
        """
        input %x: f32[N,4]
        input %z: f32[N,4]
        %a: f32[N,1] = reduce_max(%x) {axes=[1], keep=true}
        %y: f32[N,4] = elementwise(%a, %z) { a1 - a0 }
        output %y
        """
            .replace("(%a, %z) { a1 - a0 }", "(%z, %a) { a0 - a1 }"));
  }

  @Test
  void whatCanFailStaysANodeOfItsOwn() {
    stays(
        """
        input %x: i32[N,4]
        input %d: i32[N,4]
        %a: i32[N,4] = elementwise(%x, %d) { a0 / a1 }
        %y: i32[N,4] = elementwise(%a) { a0 + 1:i32 }
        output %y
        """);
  }

  @Test
  void aConstantDivisorCannotFail() {
    becomes(
        """
        input %x: i32[N,4]
        const %d: i32[] = [3]
        %a: i32[N,4] = elementwise(%x, %d) { a0 / a1 }
        %y: i32[N,4] = elementwise(%a) { a0 + 1:i32 }
        output %y
        """,
        """
        input %x: i32[N,4]
        %y: i32[N,4] = elementwise(%x) { a0 / 3:i32 + 1:i32 }
        output %y
        """);
  }

  @Test
  void aGatherDoesNotMovePastAnother() {
    stays(
        """
        input %x: f32[4]
        input %i: i64[N]
        %a: f32[N] = gather(%x, %i) {axis=0}
        %b: f32[N] = gather(%x, %i) {axis=0} from "b" "Gather"
        %c: f32[N] = scan_sum(%b) {axis=0}
        %y: f32[N] = elementwise(%a, %c) { a0 + a1 }
        output %y
        """);
  }

  @Test
  void aLongExpressionIsNotMadeLonger() {
    String body =
        """
        input %x: f32[N]
        %a: f32[N] = elementwise(%x) { exp(sin(cos(a0))) }
        %y: f32[N] = elementwise(%a) { tan(exp(sin(a0))) }
        output %y
        """;
    becomes(new FusionOptions(7, 7, 3, 8, Set.of(), true, (_, _) -> true), body, body);
  }

  @Test
  void computedReadsStayReads() {
    stays(
        """
        input %x: f32[N,4]
        %a: f32[N,4] = elementwise(%x) { exp(a0) }
        %y: f32[N,4] = elementwise(%a) { a0[i0, 3 - i1] }
        output %y
        """);
  }

  @Test
  void aTargetThatTakesNoEpilogueGetsNone() {
    String body =
        """
        input %x: f32[N,4]
        %a: f32[N,4] = softmax(%x) {axis=1}
        %y: f32[N,4] = elementwise(%a) { exp(a0) }
        output %y
        """;
    becomes(FusionOptions.none(), body, body);
  }

  /* Takes epilogues over constants only. */
  private static boolean isOverConstants(Node merged, Graph graph) {
    return graph.constants().keySet().containsAll(merged.epilogueValues());
  }

  @Test
  void whatTheTargetRefusesStaysApart() {
    String body =
        """
        input %x: f32[N,1,4,4]
        input %g: f32[N,2,1,1]
        const %w: f32[2,1,1,1] = [1.0, 2.0]
        %c: f32[N,2,4,4] = conv(%x, %w) {kernel=[1,1]}
        %y: f32[N,2,4,4] = elementwise(%c, %g) { a0 * a1 }
        output %y
        """;
    becomes(FusionOptions.of(FuseElementwiseTest::isOverConstants), body, body);
    assertThat(Passes.apply(new FuseElementwise(FusionOptions.all()), body)).contains("epilogue");
  }

  @Test
  void theTargetSeesWhichOperandsAreConstants() {
    String body =
        """
        input %x: f32[N,1,4,4]
        const %b: f32[1,2,1,1] = [1.0, 2.0]
        const %w: f32[2,1,1,1] = [1.0, 2.0]
        %c: f32[N,2,4,4] = conv(%x, %w) {kernel=[1,1]}
        %y: f32[N,2,4,4] = elementwise(%c, %b) { a0 + a1 }
        output %y
        """;
    FusionOptions options = FusionOptions.of(FuseElementwiseTest::isOverConstants);
    assertThat(Passes.apply(new FuseElementwise(options), body))
        .contains("epilogue(%b) { a0 + a1 }");
  }
}
