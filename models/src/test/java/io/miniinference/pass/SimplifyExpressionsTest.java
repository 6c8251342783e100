package io.miniinference.pass;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.Expr;
import io.miniinference.ir.ExprText;
import io.miniinference.ir.text.ExprParser;
import io.miniinference.ir.type.ExprType;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Operands: `a0` f32, `a1` i32, `a2` bool, `a3` f16, `a4` i32.
final class SimplifyExpressionsTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '`',
      value = {
        "a0 + -0.0; a0",
        "a0 + 0.0; a0 + 0.0",
        "a0 - 0.0; a0",
        "a0 - -0.0; a0 - -0.0",
        "1.0 * a0; a0",
        "a0 / 1.0; a0",
        "a0 * 0.0; a0 * 0.0",
        "a1 * 0:i32; 0:i32",
        "a1 / a4 * 0:i32; a1 / a4 * 0:i32",
        "a1 + 0:i32; a1",
        "a0 * (2.0 + 3.0); a0 * 5.0",
        "a0 * sqrt(4.0); a0 * 2.0",
        "f32(f32(a0)); a0",
        "f32(f64(a0)); a0",
        "i32(i64(a1)); a1",
        "i8(i64(a1)); i8(a1)",
        "i8(f64(a1)); i8(f64(a1))",
        "f32(f16(a0)); f32(f16(a0))",
        "f16(f32(a3)); a3",
        "f16(a3 * a3); f16(a3 * a3)",
        "i32(f32(a1)); i32(f32(a1))",
        "neg(neg(a0)); a0",
        "not(not(a2)); a2",
        "select(true, a0, a0 + 1.0); a0",
        "select(1 < 2, a0, a0 + 1.0); a0",
        "select(a2, a0, a0); a0",
        "select(a1 / a4 > 0:i32, a0, a0); select(a1 / a4 > 0:i32, a0, a0)",
        "a2 && false; false",
        "a2 || false; a2",
        "i64(a1) + size(4) * 2; i64(a1) + 8",
        "i64(a1) + size(4N) * 2; i64(a1) + size(4N) * 2",
        "1:i32 / 0:i32 + a1; 1:i32 / 0:i32 + a1",
      })
  void anExpressionGetsSmallerAndKeepsItsValue(String before, String after) {
    List<ElementType> types =
        List.of(
            ElementType.F32, ElementType.I32, ElementType.BOOL, ElementType.F16, ElementType.I32);
    Expr expr = ExprParser.parse(before);
    String element = ExprType.of(expr, types).toString();
    String body =
        """
        input %a: f32[2]
        input %b: i32[2]
        input %c: bool[2]
        input %d: f16[2]
        input %e: i32[2]
        %y: TYPE[2] = elementwise(%a, %b, %c, %d, %e) { EXPR }
        output %y
        """
            .replace("TYPE", element);
    String result =
        Passes.apply(
            graph -> new SimplifyExpressions(Passes::evaluate).apply(graph),
            body.replace("EXPR", before));
    assertThat(unpacked(result)).isEqualTo(after);
  }

  /* The printed expression with its operands numbered as before. */
  private static String unpacked(String body) {
    String node = body.lines().filter(l -> l.startsWith("%y")).findFirst().orElseThrow();
    String operands = node.substring(node.indexOf('(') + 1, node.indexOf(") {"));
    String expr = node.substring(node.indexOf("{ ") + 2, node.lastIndexOf(" }"));
    List<String> names = List.of(operands.split(", "));
    Expr parsed = ExprParser.parse(expr);
    return ExprText.print(
        io.miniinference.ir.ExprTree.renumber(parsed, k -> names.get(k).charAt(1) - 'a'));
  }

  @Test
  void anEpilogueThatDoesNothingGoes() {
    String body =
        """
        input %x: f32[2]
        const %c: f32[2] = [1.0, 2.0]
        %y: f32[2] = softmax(%x) {axis=0} epilogue(%c) { select(true, a0 * 1.0, a1) }
        output %y
        """;
    assertThat(Passes.apply(new SimplifyExpressions(Passes::evaluate), body))
        .contains("%y: f32[2] = softmax(%x) {axis=0}\n");
  }
}
