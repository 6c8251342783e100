package io.miniinference.pass.views;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.pass.Passes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Transposes of stacked matrices.
final class MatrixTransposesTest {
  private static final String BODY =
      """
        input %x: f32[N,2,3,4]
        %stack: f32[STACK] = reshape(%x)
        %turned: f32[TURNED] = transpose(%stack) {permutation=[PERMUTATION]}
        %y: f32[RESULT] = reshape(%turned)
        output %y
      """;

  private static String body(String stack, String permutation, String turned, String result) {
    return BODY.replace("STACK", stack)
        .replace("PERMUTATION", permutation)
        .replace("TURNED", turned)
        .replace("RESULT", result);
  }

  private static String passed(String body) {
    return Passes.apply(new MatrixTransposes(), body);
  }

  @Test
  void eachMatrixOfAStackIsTransposedWhereItIs() {
    assertThat(passed(body("2N,3,4", "0,2,1", "2N,4,3", "N,2,4,3")))
        .endsWith(
            """
            %y: f32[N,2,4,3] = transpose(%x) {permutation=[0,1,3,2]} from "y" "reshape"
            output %y
            """);
  }

  /// The stack itself moves, is cut in another way, or its matrices were cut for it.
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "2N,3,4 | 1,0,2 | 3,2N,4 | 3,N,2,4",
        "2N,3,4 | 0,2,1 | 2N,4,3 | 2,N,4,3",
        "2N,12 | 0,1 | 2N,12 | N,2,4,3",
        "2N,4,3 | 0,2,1 | 2N,3,4 | N,2,3,4"
      })
  void others(String stack, String permutation, String turned, String result) {
    String body = body(stack, permutation, turned, result);
    assertThat(passed(body)).isEqualTo(Passes.apply(graph -> graph, body));
  }
}
