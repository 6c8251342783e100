package io.miniinference.ir.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.miniinference.ir.Expr;
import io.miniinference.ir.ExprText;
import io.miniinference.ir.Graph;
import io.miniinference.ir.RandomExpr;
import io.miniinference.ir.Tensor;
import io.miniinference.ir.type.GraphCheck;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class GraphTextTest {
  private static final String NET =
      """
      graph "a \\"net\\"" {
        input %x: f32[N,1,28,28]
        input %l: f32[N,3]
        input %"odd name: 1": i64[]
        const %w: f32[1,1,2,2] = [1.0, -0.0, nan, 0x7fc00001]
        const %b: f16[1,1,1] = [0.5]
        const %f: bool[3] = [true, false, 0x2]
        const %u: u64[2] = [-1, 7]
        const %v: i64[1] = [-3]
        const %e: i8[0,4] = []
        %c: f32[N,1,14,14] = conv(%x, %w) {kernel=[2,2], strides=[2,2]} epilogue(%b) { max(a0 + f32(a1), 0.0) } from "conv_1" "Conv"
        %s: f32[N,1,14,7] = slice(%c) {starts=[0,0,0,13], steps=[1,1,1,-2]}
        %r: f32[7N,14] = reshape(%s)
        %t: f32[14,7N] = transpose(%r) {permutation=[1,0]}
        %m: f32[] = reduce_sum(%t) {axes=[0,1]} map { a0 * a0 }
        %k: f32[4N] = elementwise(%m) { select(i0 < size(2N), a0, 1.5) }
        %i: i64[N,1] = elementwise() { i0 }
        %g: f32[N,1,28,28] = gather_nd(%x, %i)
        %h: bool[N,1] = gather(%f, %i) {axis=0, fromEnd=false, ignored=-100}
        %z: f32[1] = gather(%k, %v) {axis=0, fromEnd=false, sizeOf=2, sizeAt=0}
        %j: f32[N,1] = gather_elements(%l, %i) {axis=1}
        %d: f32[N] = gather_nd(%l, %i) {batchDims=1}
        %o: f32[N,3] = scatter_elements(%l, %i, %j) {axis=1, kind=add}
        %p: f32[N,3] = scatter_nd(%o, %i, %l)
        output %k
        output %c rowwise
      }
      """;

  @Test
  void aGraphReadsBackAsItWasWritten() {
    assertThat(GraphText.print(GraphText.parse(NET))).isEqualTo(NET);
  }

  @Test
  void bodiesReadBackAsTheyWereWritten() {
    String loop =
        """
        graph "g" {
          input %x: f32[4]
          input %c: bool[]
          const %trips: i64[] = [2]
          %y: f32[4], %rows: f32[2,4] = loop(%trips, %c, %x) {carried=1, iterations=2} graph "body" {
            input %i: i64[]
            input %p: f32[4]
            const %go: bool[] = [true]
            %n: f32[4] = elementwise(%p) { a0 * 2.0 }
            output %go
            output %n
            output %p
          } from "loop_1" "Loop"
          %z: f32[4] = if(%c, %y) graph "then" {
            input %y: f32[4]
            %a: f32[4] = iteration(%y) {number=3} graph "body" {
              input %y: f32[4]
              output %y
            } from "loop_2" "Loop"
            output %a
          } graph "else" {
            input %y: f32[4]
            output %y
          } from "if_1" "If"
          output %z
          output %rows
        }
        """;
    assertThat(GraphText.print(GraphCheck.check(GraphText.parse(loop)))).isEqualTo(loop);
  }

  @Test
  void theReadGraphIsSound() {
    assertThat(GraphCheck.check(GraphText.parse(NET)).nodes()).hasSize(14);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a0 - (a1 - a2)",
        "a0 - a1 - a2",
        "(a0 + a1) * a2 / a3",
        "a0 - -1.0",
        "1.0E-5 * a0 + 1.0E10",
        "a0 < a1 << 2:i32",
        "a0 < a1 == a2 > a3",
        "(a0 == a1) < a2",
        "a0 & a1 | a2 ^ a3",
        "a0 && a1 || not(a2) ^^ a3",
        "rem(a0, mod(a1, pow(a2, atan2(a3, a4))))",
        "a0[i0, i1 * 2 + 1, size(7+4N)]",
        "select(is_nan(a0), nan, -inf)",
        "i64(f16(bool(u8(a0))))",
        "0.1:f64 + 0.25:f16",
        "0x3fb999999999999a:f32",
        "0x7ff8000000000001:f32",
        "size(-1N)",
        "-9223372036854775808",
        "true && false",
      })
  void anExpressionReadsBackAsItWasWritten(String text) {
    assertThat(ExprText.print(ExprParser.parse(text))).isEqualTo(text);
  }

  @Test
  void everyRandomExpressionReadsBackEqual() {
    for (long seed = 0; seed < 2000; seed++) {
      RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
      Expr expr = RandomExpr.untyped(random, 5);
      String text = ExprText.print(expr);
      assertThat(ExprParser.parse(text)).as("seed %d: %s", seed, text).isEqualTo(expr);
    }
  }

  @Test
  void aLargeConstantReadsBackAsZerosOfItsShape() {
    String text =
        """
        graph "g" {
          const %w: f32[10,10] = large 0123456789abcdef
          output %w
        }
        """;
    Graph graph = GraphText.parse(text);
    Tensor zeros = graph.constants().get(graph.outputs().getFirst());
    assertThat(zeros).hasToString("f32[10,10]");
    assertThat(GraphText.print(graph)).contains("const %w: f32[10,10] = large ");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '`',
      value = {
        "%y: f32[2] = nothing(%x); line 2, column 14: no operator 'nothing'",
        "%y: f32[2] = softmax(%z) {axis=0}; line 2, column 22: %z is not defined above",
        "%y: f32[2] = softmax(%x); line 2, column 26: 'axis' is missing",
        "%y: f32[2] = softmax(%x) {axis=0, log=true}; 'log' is no attribute of this operator",
        "%y: f32[2] = elementwise(%x) { a0 + }; line 2, column 37: expected an expression, found '}'",
        "%y: f32[2] = elementwise(%x) { foo(a0) }; 'foo' is no function of 1 operands",
        "%y: f32[2] = elementwise(%x) { 1.5:i32 }; line 2, column 32",
        "%x: f32[2] = softmax(%x) {axis=0}; line 2, column 1: %x is defined twice",
        "%y: f33[2] = softmax(%x) {axis=0}; line 2, column 5: 'f33' is no element type",
        "%y: f32[1+N] = softmax(%x) {axis=0}; 1+N is no tensor dimension",
        "const %c: f32[2] = [1.0]; f32[2] has 2 elements, not 1",
        "const %c: f32[N] = [1.0]; depends on the batch",
        "nonsense; line 2, column 1: expected input, const, output, a node or '}', found 'n'",
      })
  void anErrorSaysWhere(String line, String message) {
    assertThatThrownBy(() -> GraphText.parse("graph \"g\" { input %x: f32[2]\n" + line + " }"))
        .isInstanceOf(GraphTextException.class)
        .hasMessageContaining(message);
  }
}
