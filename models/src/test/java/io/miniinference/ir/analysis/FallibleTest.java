package io.miniinference.ir.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.ir.Expr;
import io.miniinference.ir.ExprText;
import io.miniinference.ir.Graph;
import io.miniinference.ir.Node;
import io.miniinference.ir.Op;
import io.miniinference.ir.text.GraphText;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// `%a` and `%b` are `i64[N,2]`, `%w` a constant without zeros, `%z` one with a zero; `%i` are
/// indices of an axis of two, of which `%o` has one outside.
final class FallibleTest {
  private static Graph graph(String node) {
    return GraphText.parse(
        """
        graph "g" {
          input %a: i64[N,2]
          input %b: i64[N,2]
          input %x: f32[N,2]
          const %w: i64[2] = [3, -1]
          const %z: i64[2] = [3, 0]
          const %i: i64[2,2] = [1, 0, -2, -1]
          const %o: i64[2,2] = [1, 0, -3, -1]
        """
            + node
            + " output %y }");
  }

  private static boolean mayFail(String node) {
    Graph graph = graph(node);
    return Fallible.in(graph).mayFail(graph.nodes().getLast());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "i64[N,2] = elementwise(%a, %b) { a0 / a1 }; true",
        "i64[N,2] = elementwise(%a, %b) { rem(a0, a1) }; true",
        "i64[N,2] = elementwise(%a, %b) { mod(a0, a1) }; true",
        "i64[N,2] = elementwise(%a, %z) { a0 / a1 }; true",
        "i64[N,2] = elementwise(%a) { a0 / (a0 - 1) }; true",
        "i64[N,2] = elementwise(%a, %w) { a0 / a1 }; false",
        "i64[N,2] = elementwise(%a) { a0 / 7 }; false",
        "i64[N,2] = elementwise(%a) { a0 / 0 }; true",
        "i64[N,2] = elementwise(%a) { a0 / size(3N) }; false",
        "f32[N,2] = elementwise(%x) { a0 / a0 }; false",
        "i64[N,2] = gather(%w, %a) {axis=0} epilogue { a0 }; true",
        "i64[2,2] = gather(%z, %i) {axis=0}; false",
        "i64[2,2] = gather(%w, %o) {axis=0}; true",
        "i64[N,2,2] = gather(%a, %i) {axis=1}; false",
        "i64[2,2,2] = gather(%a, %i) {axis=0}; true",
        "i64[N] = reduce_sum(%a) {axes=[1]} map { 1 / a0 }; true",
        "i64[N] = reduce_sum(%a) {axes=[1]} epilogue { 1 / a0 }; true",
        "i64[N] = reduce_sum(%a) {axes=[1]} epilogue { a0 / 2 }; false",
      })
  void indicesThatMayBeBadAndIntegersDividedByWhatMayBeZeroFail(String node, boolean may) {
    assertThat(mayFail("%y: " + node)).isEqualTo(may);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "a0 / a1; a1 == 0",
        "a0 / (a1 - 1) / a1; a1 - 1 == 0 || a1 == 0",
        "select(a0 == 0, a1 / a0, a1); select(a0 == 0, a0 == 0, false)",
        "select(a0 / a1 == 0, 1 / a0, 2 / a1); "
            + "a1 == 0 || select(a0 / a1 == 0, a0 == 0, a1 == 0)",
      })
  void theConditionOfAFailureLooksAtWhatIsEvaluated(String expression, String condition) {
    Graph graph = graph("%y: i64[N,2] = elementwise(%a, %b) { " + expression + " }");
    Node node = graph.nodes().getLast();
    Expr expr = ((Op.Elementwise) node.op()).expr();
    assertThat(Fallible.in(graph).divisionByZero(expr, node.inputs()).map(ExprText::print))
        .contains(condition);
  }

  @Test
  void floatsAreDividedByAnything() {
    Graph graph = graph("%y: f32[N,2] = elementwise(%x) { a0 / 0.0 }");
    Node node = graph.nodes().getLast();
    Expr expr = ((Op.Elementwise) node.op()).expr();
    assertThat(Fallible.in(graph).divisionByZero(expr, node.inputs())).isEmpty();
  }
}
