package io.miniinference.pass.views;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.interp.Interpreter;
import io.miniinference.ir.Graph;
import io.miniinference.ir.Tensor;
import io.miniinference.ir.text.GraphText;
import io.miniinference.ir.type.GraphCheck;
import io.miniinference.pass.Passes;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The end of an axis that is joined with its beginning is read where it was.
final class RollsAsMapsTest {
  private static final String ROLLED =
      """
        input %x: f32[N,5,4]
        %end: f32[N,3,4] = slice(%x) {starts=[0,2,0]}
        %beginning: f32[N,2,4] = slice(%x)
        %rows: f32[N,5,4] = concat(%end, %beginning) {axis=1}
        %last: f32[N,5,1] = slice(%rows) {starts=[0,0,3]}
        %first: f32[N,5,3] = slice(%rows)
        %y: f32[N,5,4] = concat(%last, %first) {axis=2}
        output %y
      """;

  private static String passed(String body) {
    return Passes.apply(new RollsAsMaps(), body);
  }

  @Test
  void rollsAlongTwoAxesAreOneMap() {
    assertThat(passed(ROLLED))
        .isEqualTo(
            """
            input %x: f32[N,5,4]
            %y: f32[N,5,4] = elementwise(%x) { a0[i0, select(i1 < 3, i1 + 2, i1 - 3), select(i2 < 1, i2 + 3, i2 - 1)] } from "y" "concat"
            output %y
            """);
  }

  @Test
  void elementsAreThoseOfTheJoin() {
    Graph before = GraphCheck.check(GraphText.parse("graph \"g\" {\n" + ROLLED + "}\n"));
    float[] numbers = new float[2 * 5 * 4];
    IntStream.range(0, numbers.length).forEach(i -> numbers[i] = i);
    List<Tensor> input = List.of(Tensor.of(numbers, 2, 5, 4));
    Graph after = new RollsAsMaps().apply(before);
    assertThat(
            Interpreter.run(after, input)
                .getFirst()
                .data()
                .mismatch(Interpreter.run(before, input).getFirst().data()))
        .isEqualTo(-1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        // the beginning comes first: it is the value itself
        "%y: f32[N,5,4] = concat(%beginning, %end) {axis=1}",
        // a gap
        "%short: f32[N,1,4] = slice(%x)\n%y: f32[N,4,4] = concat(%end, %short) {axis=1}",
        // of two values
        "%other: f32[N,2,4] = slice(%x2)\n%y: f32[N,5,4] = concat(%end, %other) {axis=1}",
        // backwards
        "%back: f32[N,2,4] = slice(%x) {starts=[0,1,0], steps=[1,-1,1]}\n%y: f32[N,5,4] = concat(%end, %back) {axis=1}",
        // three parts
        "%y: f32[N,7,4] = concat(%end, %beginning, %beginning) {axis=1}",
        // along the batch
        "%n: f32[N,5,4] = slice(%x)\n%y: f32[2N,5,4] = concat(%n, %n) {axis=0}"
      })
  void others(String nodes) {
    String body =
        """
          input %x: f32[N,5,4]
          input %x2: f32[N,5,4]
          %end: f32[N,3,4] = slice(%x) {starts=[0,2,0]}
          %beginning: f32[N,2,4] = slice(%x)
          NODES
          output %y
        """
            .replace("NODES", nodes);
    assertThat(passed(body)).isEqualTo(Passes.apply(graph -> graph, body));
  }
}
