package io.miniinference.pass.views;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.ir.Graph;
import io.miniinference.ir.Op;
import io.miniinference.ir.text.GraphText;
import io.miniinference.ir.type.GraphCheck;
import io.miniinference.pass.FusionOptions;
import io.miniinference.pass.Passes;
import io.miniinference.pass.pipeline.Pipeline;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What is the same in each row of a batch is computed once, at load.
final class RowsAlikeTest {
  private static String passed(String body) {
    return Passes.apply(new RowsAlike(Passes::evaluate), body);
  }

  @Test
  void whatIsMadeOfAnExpandedConstantIsOneAgain() {
    assertThat(
            passed(
                """
                  const %p: i64[1,3] = [4, 5, 6]
                  const %one: i64[] = [1]
                  %all: i64[N,3] = expand(%p)
                  %next: i64[N,3] = elementwise(%all, %one) { a0 + a1 }
                  %both: i64[N,6] = concat(%all, %next) {axis=1}
                  %sums: i64[N,6] = scan_sum(%both) {axis=1}
                  %y: i64[N,2] = slice(%sums) {starts=[0,4]}
                  output %y
                """))
        .contains(
            "const %\"next row\": i64[1,3] = [5, 6, 7]",
            "const %\"sums row\": i64[1,6] = [4, 9, 15, 20, 26, 33]",
            "%sums: i64[N,6] = expand(%\"sums row\") from \"sums\" \"scan_sum\"");
  }

  /// As the types of tokens, where a request brings none.
  @Test
  void whatIsLookedUpAtPlacesThatAreAlikeIsAlike() {
    assertThat(
            passed(
                """
                  const %p: i64[1,3] = [1, 0, 1]
                  const %t: f32[2,2] = [1.0, 2.0, 3.0, 4.0]
                  %all: i64[N,3] = expand(%p)
                  %y: f32[N,3,2] = gather(%t, %all) {axis=0}
                  output %y
                """))
        .contains(
            "const %\"y row\": f32[1,3,2] = [3.0, 4.0, 1.0, 2.0, 3.0, 4.0]",
            "%y: f32[N,3,2] = expand(%\"y row\")");
  }

  /// It fails its requests.
  @Test
  void aPlaceOutOfBoundsStaysWhereItIs() {
    String body =
        """
          const %p: i64[1,3] = [1, 2, 1]
          const %t: f32[2,2] = [1.0, 2.0, 3.0, 4.0]
          %all: i64[N,3] = expand(%p)
          %y: f32[N,3,2] = gather(%t, %all) {axis=0}
          output %y
        """;
    assertThat(passed(body)).isEqualTo(Passes.apply(graph -> graph, body));
  }

  /// The number of the row, what looks along the batch, and what depends on its size.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "%y: i64[N,3] = elementwise(%all) { a0 + i0 }",
        "%y: i64[N,3] = elementwise(%all) { a0 * size(N) }",
        "%y: i64[N,3] = scan_sum(%all) {axis=0}",
        "%y: i64[N,3] = elementwise(%all, %x) { a0 + a1 }"
      })
  void others(String node) {
    String body =
        """
          input %x: i64[N,3]
          const %p: i64[1,3] = [4, 5, 6]
          %all: i64[N,3] = expand(%p)
          NODE
          output %y
        """
            .replace("NODE", node);
    assertThat(passed(body)).isEqualTo(Passes.apply(graph -> graph, body));
  }

  @Test
  void rowsThatAreLargeStayNodes() {
    String nodes =
        """
          input %x: f32[N,8]
          const %p: f32[1,1] = [2.0]
          %all: f32[N,20000] = expand(%p)
          %y: f32[N,20000] = elementwise(%all) { a0 * 3.0 }
          output %y
        """;
    assertThat(passed(nodes)).isEqualTo(Passes.apply(graph -> graph, nodes));
  }

  @Test
  void rowsAreKeptUpToASizeInAll() {
    StringBuilder nodes = new StringBuilder();
    nodes.append("  const %p: f32[1,1] = [2.0]\n  %x0: f32[N,16384] = expand(%p)\n");
    int count = 300;
    for (int i = 1; i <= count; i++) {
      nodes.append("  %%x%d: f32[N,16384] = elementwise(%%x%d) { a0 + 1.0 }\n".formatted(i, i - 1));
    }
    String text = "graph \"g\" {\n" + nodes + "  output %x" + count + "\n}\n";
    Graph after = new RowsAlike(Passes::evaluate).apply(GraphCheck.check(GraphText.parse(text)));
    assertThat(after.constants())
        .hasSize(256); // 255 of 64 KB, and one number; the view has the last row
  }

  @Test
  void rowsHaveNamesThatNoValueHas() {
    assertThat(
            passed(
                """
                  input %"y row": f32[2]
                  const %p: i64[1,3] = [4, 5, 6]
                  %all: i64[N,3] = expand(%p)
                  %y: i64[N,3] = elementwise(%all) { a0 + 1 }
                  output %y
                """))
        .contains("const %\"y row 2\": i64[1,3] = [5, 6, 7]");
  }

  /// Positions, and a mask by the numbers of row and key, as PyTorch's exporter writes them for a
  /// decoder: all that a request brings is its rows, so that those of several may share a batch.
  @Test
  void maskOfADecoderIsAConstantAndItsRowsAreApart() {
    Graph after =
        Pipeline.standard(Passes::evaluate, 1 << 20, FusionOptions.all()).apply(decoder());
    assertThat(after.nodes()).noneMatch(node -> node.op() instanceof Op.Gather);
    assertThat(after.nodes().stream().filter(node -> !(node.op() instanceof Op.View))).hasSize(1);
    assertThat(after.rowwise()).containsExactly(true);
  }

  private static Graph decoder() {
    String text =
        """
        graph "decoder" {
          input %x: f32[N,4]
          const %p: i64[1,4] = [0, 1, 2, 3]
          const %keys: i64[1,1,4,1] = [0, 1, 2, 3]
          %all: i64[N,4] = expand(%p)
          %zero: i64[N,4] = elementwise(%all) { a0 - a0 }
          %part: i64[N,4] = scan_sum(%zero) {axis=1}
          %rows: i64[N] = elementwise() { i0 }
          %column: i64[N,1,1,1] = reshape(%rows)
          %n: i64[N,1,4,1] = expand(%column)
          %k: i64[N,1,4,1] = expand(%keys)
          %at: i64[N,1,4,2] = concat(%n, %k) {axis=3}
          %mine: i64[N,1,4] = gather_nd(%part, %at)
          %mask: f32[N,1,4] = elementwise(%mine) { select(a0 == 0, 0.5, 1.0) }
          %flat: f32[N,4] = reshape(%mask)
          %y: f32[N,4] = elementwise(%x, %flat) { a0 * a1 }
          output %y
        }
        """;
    return GraphCheck.check(GraphText.parse(text));
  }

  /// Else a small shape could need weights that a larger one, which room was promised for, does
  /// not.
  @Test
  void modelOfManyShapesHasNoConstantOfOneAlone() {
    Graph before = decoder();
    FusionOptions fusion = FusionOptions.all();
    Graph one = Pipeline.standard(Passes::evaluate, 1 << 20, fusion).apply(before);
    Graph many = Pipeline.ofManyShapes(Passes::evaluate, 1 << 20, fusion).apply(before);
    assertThat(one.constants().keySet()).anyMatch(value -> value.name().endsWith(" row"));
    assertThat(many.constants().keySet()).noneMatch(value -> value.name().endsWith(" row"));
    assertThat(many.rowwise()).containsExactly(true);
  }
}
