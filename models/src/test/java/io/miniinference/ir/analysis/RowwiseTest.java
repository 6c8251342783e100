package io.miniinference.ir.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.ir.Graph;
import io.miniinference.ir.text.GraphText;
import io.miniinference.ir.type.GraphCheck;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// `%x` is `f32[N,4]`, `%w` a constant `f32[4,4]`, `%s` an input without a batch.
final class RowwiseTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "%y: f32[N,4] = elementwise(%x, %w) { a0 + a1[0, i1] }",
        "%y: f32[N,4] = elementwise(%x) { a0[i0, 3 - i1] }",
        "%y: f32[N,4] = matmul(%x, %w) epilogue(%x) { a0 + a1 }",
        "%y: f32[N] = reduce_sum(%x) {axes=[1]}",
        "%y: f32[N,4] = softmax(%x) {axis=1}",
        "%a: f32[2N,2] = reshape(%x) %b: f32[2N,2] = softmax(%a) {axis=1} %y: f32[N,4] = reshape(%b)",
        "%y: f32[N,2] = slice(%x) {starts=[0,1]}",
        "%y: f32[N,8] = concat(%x, %x) {axis=1}",
        "%i: i64[N,4] = elementwise(%x) { i64(a0) } %y: f32[N,4,4] = gather(%w, %i) {axis=0}",
        "%i: i64[N,2] = elementwise(%x) { i64(a0[i0, i1]) } %y: f32[N,2] = gather_elements(%x, %i) {axis=1}",
        "%i: i64[N,4] = elementwise(%x) { i64(a0) } %y: f32[N,4] = gather_elements(%w, %i) {axis=0}",
        "%i: i64[N,2,1] = elementwise(%x) { i64(a0[i0, i1]) } %y: f32[N,2] = gather_nd(%x, %i) {batchDims=1}",
        "%i: i64[N,2] = elementwise(%x) { i64(a0[i0, i1]) } %y: f32[N] = gather_nd(%w, %i)",
        "%i: i64[N,2] = elementwise(%x) { i64(a0[i0, i1]) } %u: f32[N,2] = slice(%x) %y: f32[N,4] = scatter_elements(%x, %i, %u) {axis=1}",
        "%y: f32[N,4] = scan_sum(%x) {axis=1}",
        "%a: f32[N,1,4] = reshape(%x) %y: f32[N,1,4] = matmul(%a, %x2)",
        // with the batch along another axis on the way
        "%a: f32[4,N] = transpose(%x) {permutation=[1,0]} %y: f32[N,4] = transpose(%a) {permutation=[1,0]}",
        "%a: f32[4,N] = transpose(%x) {permutation=[1,0]} %y: f32[N] = reduce_max(%a) {axes=[0]}",
        "%a: f32[4,N] = transpose(%x) {permutation=[1,0]} %y: f32[N] = elementwise(%a) { a0[3, i0] }",
        "%a: f32[4,N] = transpose(%x) {permutation=[1,0]} %b: f32[4,N] = softmax(%a) {axis=0} %y: f32[N,4] = elementwise(%b) { a0[i1, i0] }",
        "%a: f32[4,N] = transpose(%x) {permutation=[1,0]} %b: f32[2,2,N] = reshape(%a) %y: f32[N,2,2] = transpose(%b) {permutation=[2,0,1]}",
        "%a: f32[4,N] = transpose(%x) {permutation=[1,0]} %b: f32[1,N] = slice(%a) {starts=[2,0]} %y: f32[N,1] = reshape(%b)",
        "%a: f32[4,N] = transpose(%x) {permutation=[1,0]} %b: f32[N] = gather(%a, %last) {axis=0} %y: f32[N] = reshape(%b)",
        "%a: f32[4,N] = transpose(%x) {permutation=[1,0]} %b: f32[4,N,1] = reshape(%a) %c: f32[4,N,4] = matmul(%b, %w1) %y: f32[N,4] = reduce_sum(%c) {axes=[0]}",
        "%a: f32[1,N,4] = reshape(%x) %b: f32[1,N,8] = concat(%a, %a) {axis=2} %y: f32[N,8] = reshape(%b)",
        "%a: f32[1,N,4] = reshape(%x) %y: f32[N,4] = elementwise(%a, %x) { a0[0, i0, i1] + a1 }",
      })
  void theseWorkRowByRow(String nodes) {
    assertThat(rowwise(nodes)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "%y: f32[N,4] = elementwise(%x) { a0 * f32(size(N)) }",
        "%y: f32[N,4] = elementwise(%x) { a0 + f32(i0) }",
        "%y: f32[N,4] = elementwise(%x) { a0[size(N) - 1 - i0, i1] }",
        "%y: f32[N,4] = elementwise(%x, %s) { a0 + a1 }",
        "%y: f32[4] = reduce_sum(%x) {axes=[0]}",
        "%m: f32[1,4] = reduce_sum(%x) {axes=[0], keep=true} %y: f32[N,4] = elementwise(%x, %m) { a0 - a1 }",
        "%y: f32[N,4] = softmax(%x) {axis=0}",
        "%y: f32[4,N] = transpose(%x) {permutation=[1,0]}",
        "%a: f32[4,N] = transpose(%x) {permutation=[1,0]} %y: f32[N,4] = reshape(%a)",
        "%i: i64[N,4] = elementwise(%x) { i64(a0) } %y: f32[N,4] = gather_elements(%x, %i) {axis=0}",
        "%i: i64[N,1] = elementwise(%x) { i64(a0[i0, 0]) } %y: f32[N,4] = gather_nd(%x, %i)",
        "%i: i64[N] = elementwise(%x) { i64(a0[i0, 0]) } %y: f32[N,4] = gather(%x, %i) {axis=0}",
        "%i: i64[N,4] = elementwise(%x) { i64(a0) } %y: f32[N,4] = scatter_elements(%x, %i, %x) {axis=0}",
        "%i: i64[N,2] = elementwise(%x) { i64(a0[i0, i1]) } %u: f32[N] = reduce_sum(%x) {axes=[1]} %y: f32[N,4] = scatter_nd(%x, %i, %u)",
        "%y: f32[N,4] = slice(%x) {starts=[-1+N,0], steps=[-1,1]}",
        "%y: f32[2N,4] = concat(%x, %x) {axis=0}",
        "%y: f32[N,4] = scan_sum(%x) {axis=0}",
        "%y: f32[2N,2] = reshape(%x)",
        "%y: f32[4,4] = elementwise(%w) { a0 }",
        "%a: f32[4,N] = transpose(%x) {permutation=[1,0]} %y: f32[N] = elementwise(%a) { a0[3, size(N) - 1 - i0] }",
        "%a: f32[4,N] = transpose(%x) {permutation=[1,0]} %y: f32[4] = reduce_sum(%a) {axes=[1]}",
        "%a: f32[4,N] = transpose(%x) {permutation=[1,0]} %b: f32[4,N] = softmax(%a) {axis=1} %y: f32[N,4] = transpose(%b) {permutation=[1,0]}",
        "%a: f32[4,N] = transpose(%x) {permutation=[1,0]} %b: f32[2,2,N] = reshape(%a) %c: f32[2,2N] = reshape(%b) %d: f32[2N,2] = transpose(%c) {permutation=[1,0]} %y: f32[N,4] = reshape(%d)",
        "%a: f32[4,N] = transpose(%x) {permutation=[1,0]} %b: f32[4,N] = scan_sum(%a) {axis=1} %y: f32[N,4] = transpose(%b) {permutation=[1,0]}",
        "%a: f32[4,N] = transpose(%x) {permutation=[1,0]} %b: f32[8,N] = concat(%a, %a) {axis=0} %c: f32[4,2N] = reshape(%b) %d: f32[2N,4] = transpose(%c) {permutation=[1,0]} %y: f32[N,8] = reshape(%d)",
      })
  void theseMixRows(String nodes) {
    assertThat(rowwise(nodes)).isFalse();
  }

  private static boolean rowwise(String nodes) {
    String x2 =
        nodes.contains("%x2") ? "%x2: f32[N,4,4] = elementwise(%x) { a0[i0, i1] + f32(i2) }\n" : "";
    Graph graph =
        GraphText.parse(
            """
            graph "g" {
              input %x: f32[N,4]
              input %s: f32[]
              const %trips: i64[] = [3]
              const %go: bool[] = [true]
              const %last: i64[] = [3]
              const %w1: f32[1,4] = [0,0,0,0]
              const %w: f32[4,4] = [0,0,0,0, 0,0,0,0, 0,0,0,0, 0,0,0,0]
            """
                + x2
                + nodes
                + " output %y }");
    return Rowwise.of(GraphCheck.check(graph)).getFirst();
  }

  private static final String LOOP =
      """
      %y: f32[N,4] = loop(TRIPS, %go, %x, %s) {carried=1} graph "body" {
        input %i: i64[]
        input %p: f32[N,4]
        input %s: f32[]
        const %go: bool[] = [true]
        NODE
        output %go
        output %n
      }
      """;

  @ParameterizedTest
  @CsvSource({
    "%trips, elementwise(%p) { a0 * 2.0 }, true",
    "%trips, 'elementwise(%p, %i) { a0 + f32(a1) }', true",
    "%trips, 'elementwise(%p, %s) { a0 + a1 }', false",
    "%trips, softmax(%p) {axis=0}, false",
    "%count, elementwise(%p) { a0 * 2.0 }, false",
  })
  void aLoopWorksRowByRowIfEachIterationDoes(String trips, String node, boolean expected) {
    String loop = LOOP.replace("TRIPS", trips).replace("NODE", "%n: f32[N,4] = " + node);
    assertThat(rowwise("%count: i64[] = elementwise(%s) { i64(a0) }\n" + loop)).isEqualTo(expected);
  }

  @Test
  void theRowsOfAllIterationsKeepTheirBatch() {
    String loop =
        """
        %l: f32[N,4], %r: f32[3,N,4] = loop(%trips, %go, %x) {carried=1, iterations=3} graph "body" {
          input %i: i64[]
          input %p: f32[N,4]
          const %go: bool[] = [true]
          %n: f32[N,4] = elementwise(%p, %i) { a0 + f32(a1) }
          output %go
          output %n
          output %n
        }
        %y: f32[N,4] = gather(%r, %two) {axis=0}
        """;
    assertThat(rowwise("%two: i64[] = elementwise() { 2 }\n" + loop)).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "'%a: f32[4,N] = transpose(%x) {permutation=[1,0]}', '%i: i64[4,N] = elementwise(%a) { i64(a0) }', '%g: f32[4,N] = gather(%line, %i) {axis=0}', '%y: f32[N] = reduce_sum(%g) {axes=[0]}', false",
    "'', '%i: i64[N,4] = elementwise(%x) { i64(a0) }', '%g: f32[N,4] = gather(%line, %i) {axis=0}', '%y: f32[N] = reduce_sum(%g) {axes=[1]}', true",
  })
  void aFailureTellsItsRowByTheFirstAxis(String a, String i, String g, String y, boolean expected) {
    String line = "%line: f32[4] = elementwise(%w) { a0[0, i0] }";
    assertThat(rowwise(String.join("\n", line, a, i, g, y, ""))).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({"%go, true", "%c, false"})
  void aBranchWorksRowByRowIfAllRowsTakeTheSame(String condition, boolean expected) {
    String branch =
        """
        %c: bool[] = elementwise(%s) { a0 > 0.0 }
        %y: f32[N,4] = if(CONDITION, %x) graph "then" { input %x: f32[N,4] output %x } graph "else" {
          input %x: f32[N,4]
          %n: f32[N,4] = softmax(%x) {axis=1}
          output %n
        }
        """;
    assertThat(rowwise(branch.replace("CONDITION", condition))).isEqualTo(expected);
  }
}
