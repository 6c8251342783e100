package io.miniinference.pass;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.ir.Graph;
import io.miniinference.ir.analysis.Fallible;
import io.miniinference.ir.text.GraphText;
import io.miniinference.ir.type.GraphCheck;
import org.junit.jupiter.api.Test;

/// Indices that the engine made need no look, others do.
class TrustIndicesTest {
  private static Graph passed(String gather) {
    String text =
        """
        graph "g" {
          input %x: f32[N, 9]
          input %y: f32[N, 9, 4]
          input %z: f32[N, 8]
          %values: f32[N, 3], %places: i64[N, 3] = top_k(%x) {axis=1, k=3}
          %best: i64[N, 1] = reduce_arg_max(%x) {axes=[1], keep=true}
          %short: i32[N, 1] = elementwise(%best) { i32(a0) }
          GATHER
          output %out
        }
        """
            .replace("GATHER", gather);
    return new TrustIndices().apply(GraphCheck.check(GraphText.parse(text)));
  }

  private static boolean mayFail(String gather) {
    Graph graph = passed(gather);
    assertThat(GraphText.print(GraphText.parse(GraphText.print(graph))))
        .isEqualTo(GraphText.print(graph));
    return graph.nodes().stream().anyMatch(Fallible.in(graph)::mayFail);
  }

  @Test
  void placesFitTheRowsThatTheyWereFoundIn() {
    assertThat(mayFail("%out: f32[N, 3] = gather_elements(%x, %places) {axis=1}")).isFalse();
    assertThat(mayFail("%out: f32[N, 1] = gather_elements(%x, %short) {axis=1}")).isFalse();
  }

  @Test
  void placesFitNoShorterRows() {
    assertThat(mayFail("%out: f32[N, 3] = gather_elements(%z, %places) {axis=1}")).isTrue();
  }

  @Test
  void placesInARowAreNoRowsOfTheBatch() {
    assertThat(mayFail("%out: f32[N, 3, 9] = gather(%x, %places) {axis=0}")).isTrue();
  }
}
