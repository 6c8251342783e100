package io.miniinference.ir.type;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.miniinference.ir.Graph;
import io.miniinference.ir.text.GraphText;
import io.miniinference.pass.DeadCode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Recurrent layers as text: what they take and give, and what they refuse.
final class RecurrentTypeTest {
  private static final String LAYER =
      """
      graph "g" {
        input %x: f32[9,N,12]
        input %r: f32[12,4]
        input %b: f32[4]
        input %h: f32[1,N,4]
        input %l: i64[1,N,1]
        %y: f32[9,N,4], %z: f32[1,N,4] = recurrent_gru_linear(%x, %r, %b, %h, %l) {backwards=true, given=[bias,hidden,lengths], parts=[states,hidden]} functions { max(a0, 0.0) } { a0 / (1.0 + abs(a0)) }
        output %y
        output %z
      }
      """;

  private static String withoutOrigin(Graph graph) {
    return GraphText.print(graph).replaceAll(" from \".*", "");
  }

  @Test
  void printedLayersAreReadBack() {
    Graph graph = GraphText.parse(LAYER);
    assertThat(withoutOrigin(graph)).isEqualTo(LAYER);
    assertThat(GraphText.parse(GraphText.print(graph))).isEqualTo(graph);
  }

  @Test
  void resultsThatNobodyReadsAreLeftOut() {
    Graph graph = GraphText.parse(LAYER.replace("  output %y\n", ""));
    assertThat(GraphText.print(new DeadCode().apply(graph)))
        .contains("%z: f32[1,N,4] = recurrent_gru_linear")
        .contains("parts=[hidden]");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          %x: f32[9,N,12]     | %x: f32[9,N,13]    | inputs must have 12 columns
          %x: f32[9,N,12]     | %x: f32[N,9,12]    | steps have no fixed number
          %r: f32[12,4]       | %r: f32[12,5]      | operand 1 is f32[12,5]
          %b: f32[4]          | %b: f32[5]         | operand 2 is f32[5], needs f32[4]
          %h: f32[1,N,4]      | %h: f32[N,1,4]     | operand 3 is f32[N,1,4]
          %l: i64[1,N,1]      | %l: f32[1,N,1]     | has lengths f32[1,N,1]
          given=[bias,hidden  | given=[hidden,bias | in disorder
          recurrent_gru_linear | recurrent_gru     | takes no bias
          { max(a0, 0.0) }    | { max(a1, 0.0) }   | reads more than its argument
          { max(a0, 0.0) }    | { a0 } { a0 }      | has 3 functions, needs 2
          parts=[states,hidden] | parts=[states,cell] | has no cell state
          """)
  void whatDoesNotFitIsNamed(String part, String other, String message) {
    assertThatThrownBy(() -> GraphCheck.check(GraphText.parse(LAYER.replace(part, other))))
        .hasMessageContaining(message);
  }
}
