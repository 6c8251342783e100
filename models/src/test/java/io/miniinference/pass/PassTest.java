package io.miniinference.pass;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.miniinference.ir.Graph;
import io.miniinference.ir.text.GraphText;
import io.miniinference.pass.pipeline.Pipeline;
import java.util.List;
import org.junit.jupiter.api.Test;

final class PassTest {
  private static final Pass FOLD = new FoldConstants(Passes::evaluate, 1 << 20);

  private static void becomes(Pass pass, String before, String after) {
    assertThat(Passes.apply(pass, before)).isEqualTo(after);
  }

  @Test
  void whatDependsOnConstantsOnlyIsAConstant() {
    becomes(
        FOLD,
        """
        input %x: f32[N,2]
        const %a: f32[2,1] = [1.0, 2.0]
        const %b: f32[2] = [10.0, 20.0]
        %c: f32[2,2] = elementwise(%a, %b) { a0 + a1 }
        %t: f32[2,2] = transpose(%c) {permutation=[1,0]}
        %r: f32[4] = reshape(%t)
        %s: f32[2,2] = reshape(%r)
        %y: f32[N,2] = matmul(%x, %s)
        output %y
        """,
        """
        input %x: f32[N,2]
        const %s: f32[2,2] = [11.0, 12.0, 21.0, 22.0]
        %y: f32[N,2] = matmul(%x, %s)
        output %y
        """);
  }

  @Test
  void whatDependsOnTheBatchSizeIsNoConstant() {
    String body =
        """
        const %a: f32[] = [1.0]
        %y: f32[] = elementwise(%a) { a0 / f32(size(N)) }
        output %y
        """;
    becomes(FOLD, body, body);
  }

  @Test
  void aFoldedOutputKeepsItsName() {
    becomes(
        FOLD,
        """
        const %a: i64[2] = [1, 2]
        %y: i64[] = reduce_sum(%a) {axes=[0]}
        output %y
        """,
        """
        const %y: i64[] = [3]
        output %y
        """);
  }

  @Test
  void whatFailsAtLoadIsLeftToFailItsRequests() {
    String body =
        """
        const %a: f32[2] = [1.0, 2.0]
        const %i: i64[1] = [7]
        %y: f32[1] = gather(%a, %i) {axis=0}
        output %y
        """;
    becomes(FOLD, body, body);
  }

  @Test
  void aLargeExpandedConstantStaysAView() {
    String body =
        """
        const %a: f32[1] = [1.0]
        %e: f32[100000] = expand(%a)
        %y: f32[100000] = scan_sum(%e) {axis=0}
        output %y
        """;
    assertThat(Passes.apply(FOLD, body)).startsWith("const %y: f32[100000] = large");
    String read =
        body.replace(
            "%y: f32[100000] = scan_sum(%e) {axis=0}",
            "input %x: f32[100000]\n%y: f32[100000] = elementwise(%x, %e) { a0 + a1 }");
    assertThat(Passes.apply(FOLD, read)).contains("%e: f32[100000] = expand(%a)");
  }

  @Test
  void aLargeWeightIsAConstantHoweverItIsMade() {
    String filled = "%w: f32[40,30,5,5] = elementwise() { 0.0 }";
    String convolved =
        """
        input %x: f32[N,30,8,8]
        FILLED
        %y: f32[N,40,4,4] = conv(%x, %w) {kernel=[5,5]}
        output %y
        """;
    String expected = "const %w: f32[40,30,5,5] = large";
    assertThat(Passes.apply(FOLD, convolved.replace("FILLED", filled))).contains(expected);
    String expanded = "const %a: f32[1] = [1.0]\n%w: f32[40,30,5,5] = expand(%a)";
    assertThat(Passes.apply(FOLD, convolved.replace("FILLED", expanded))).contains(expected);
    String turned =
        """
        %f: f32[5,5,40,30] = elementwise() { 0.0 }
        %w: f32[40,30,5,5] = transpose(%f) {permutation=[2,3,0,1]}\
        """;
    assertThat(Passes.apply(FOLD, convolved.replace("FILLED", turned)))
        .contains(expected)
        .doesNotContain("elementwise", "transpose");
  }

  @Test
  void aLargeWeightServesOthersThatReadItToo() {
    String body =
        """
        input %x: f32[N,200]
        input %z: f32[200,200]
        %w: f32[200,200] = elementwise() { 2.0 }
        %m: f32[N,200] = matmul(%x, %w)
        %s: f32[200,200] = elementwise(%z, %w) { a0 + a1 }
        output %m
        output %s
        """;
    assertThat(Passes.apply(FOLD, body))
        .contains("const %w: f32[200,200] = large", "elementwise(%z, %w) { a0 + a1 }")
        .doesNotContain("2.0");
  }

  @Test
  void aWeightThatDoesNotFitTheLimitStaysAView() {
    String body =
        """
        input %x: f32[N,200]
        const %a: f32[1] = [1.0]
        %w: f32[200,200] = expand(%a)
        %y: f32[N,200] = matmul(%x, %w)
        output %y
        """;
    Pass tight = new FoldConstants(Passes::evaluate, 150_000);
    assertThat(Passes.apply(tight, body)).contains("%w: f32[200,200] = expand(%a)");
  }

  @Test
  void foldingPastTheLimitIsRefusedWithFigures() {
    Graph graph =
        GraphText.parse(
            """
            graph "g" {
              const %a: f32[1000,1] = large 00
              const %b: f32[1,1000] = large 00
              %y: f32[1000,1000] = matmul(%a, %b) from "outer" "MatMul"
              output %y
            }
            """);
    assertThatThrownBy(() -> FOLD.apply(graph))
        .isInstanceOf(FoldingLimitException.class)
        .hasMessageContaining("node 'outer' (MatMul)")
        .hasMessageContaining("4000000 bytes")
        .hasMessageContaining("limit is 1048576")
        .hasMessageContaining("engine.pool.capacity");
  }

  @Test
  void aHugeSizeIsRefusedToo() {
    Graph graph =
        GraphText.parse(
            """
            graph "g" {
              %y: f32[4611686018427387904] = elementwise() { 0.0 }
              output %y
            }
            """);
    assertThatThrownBy(() -> FOLD.apply(graph)).isInstanceOf(FoldingLimitException.class);
  }

  @Test
  void foldedStepsDoNotAddUpOnceTheyAreRead() {
    String chain =
        """
        const %a: f32[1000,1] = large 00
        %b: f32[1000,100] = expand(%a)
        %c: f32[1000,100] = scan_sum(%b) {axis=0}
        %d: f32[1000,100] = scan_sum(%c) {axis=0}
        %e: f32[1000,100] = scan_sum(%d) {axis=0}
        %y: f32[1] = reduce_sum(%e) {axes=[0,1]}
        output %y
        """;
    String fixed =
        chain.replace(
            "f32[1] = reduce_sum(%e) {axes=[0,1]}", "f32[] = reduce_sum(%e) {axes=[0,1]}");
    Pass tight = new FoldConstants(Passes::evaluate, 1_250_000);
    assertThat(Passes.apply(tight, fixed)).isEqualTo("const %y: f32[] = [0.0]\noutput %y\n");
  }

  @Test
  void whatNothingReadsIsDropped() {
    becomes(
        new DeadCode(),
        """
        input %x: f32[N]
        input %unused: f32[N]
        const %c: f32[] = [1.0]
        %a: f32[N] = elementwise(%x, %c) { a0 + a1 }
        %b: f32[N] = elementwise(%a) { exp(a0) }
        %y: f32[N] = scan_sum(%x) {axis=0}
        output %y
        """,
        """
        input %x: f32[N]
        input %unused: f32[N]
        %y: f32[N] = scan_sum(%x) {axis=0}
        output %y
        """);
  }

  @Test
  void equalComputationsAreDoneOnce() {
    becomes(
        new CommonSubexpressions(),
        """
        input %x: f32[N,2]
        %a: f32[N,2] = softmax(%x) {axis=1}
        %b: f32[N,2] = softmax(%x) {axis=1}
        %c: f32[N,2] = scan_sum(%a) {axis=1}
        %d: f32[N,2] = scan_sum(%b) {axis=1}
        %y: f32[N,2] = softmax(%x) {axis=1}
        %z: f32[N,4] = concat(%c, %d) {axis=1}
        output %y
        output %z
        """,
        """
        input %x: f32[N,2]
        %a: f32[N,2] = softmax(%x) {axis=1}
        %c: f32[N,2] = scan_sum(%a) {axis=1}
        %y: f32[N,2] = softmax(%x) {axis=1}
        %z: f32[N,4] = concat(%c, %c) {axis=1}
        output %y
        output %z
        """);
  }

  @Test
  void whatIsComputedWithEqualConstantsIsComputedOnce() {
    becomes(
        new CommonSubexpressions(),
        """
        input %x: f32[N,2]
        const %c: f32[1] = [0.5]
        const %d: f32[1] = [0.5]
        const %e: f32[] = [0.5]
        %a: f32[N,2] = elementwise(%x, %c) { a0 * a1 }
        %b: f32[N,2] = elementwise(%x, %d) { a0 * a1 }
        %f: f32[N,2] = elementwise(%x, %e) { a0 * a1 }
        %z: f32[N,6] = concat(%a, %b, %f) {axis=1}
        output %z
        """,
        """
        input %x: f32[N,2]
        const %c: f32[1] = [0.5]
        const %d: f32[1] = [0.5]
        const %e: f32[] = [0.5]
        %a: f32[N,2] = elementwise(%x, %c) { a0 * a1 }
        %f: f32[N,2] = elementwise(%x, %e) { a0 * a1 }
        %z: f32[N,6] = concat(%a, %a, %f) {axis=1}
        output %z
        """);
  }

  @Test
  void nodesThatChangeNothingGoAndOutputsKeepTheirNames() {
    becomes(
        new RemoveIdentities(),
        """
        input %x: f32[N,2]
        %a: f32[N,2] = reshape(%x)
        %b: f32[N,2] = elementwise(%a) { a0 }
        %c: f32[3,N,2] = elementwise(%b) { a0 }
        %d: f32[3,N,2] = slice(%c)
        %e: f32[3,N,2] = scan_sum(%d) {axis=0}
        %y: f32[N,2] = elementwise(%b) { a0 }
        output %e
        output %y
        """,
        """
        input %x: f32[N,2]
        %c: f32[3,N,2] = expand(%x) from "c" "elementwise"
        %e: f32[3,N,2] = scan_sum(%c) {axis=0}
        %y: f32[N,2] = reshape(%x) from "y" "elementwise"
        output %e
        output %y
        """);
  }

  @Test
  void aBrokenPassIsNamed() {
    Graph graph = GraphText.parse("graph \"g\" { input %x: f32[2] output %x }");
    Pass broken =
        new Pass() {
          @Override
          public Graph apply(Graph g) {
            return new Graph("g", List.of(), g.outputs(), g.nodes(), g.constants(), g.rowwise());
          }

          @Override
          public String name() {
            return "DropInputs";
          }
        };
    assertThatThrownBy(() -> Pipeline.of(broken).apply(graph))
        .hasMessageStartingWith("after pass DropInputs: graph 'g'");
  }
}
