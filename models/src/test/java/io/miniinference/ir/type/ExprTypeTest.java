package io.miniinference.ir.type;

import static io.miniinference.ir.ElementType.BOOL;
import static io.miniinference.ir.ElementType.F32;
import static io.miniinference.ir.ElementType.I32;
import static io.miniinference.ir.ElementType.I64;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.Expr;
import io.miniinference.ir.text.ExprParser;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ExprTypeTest {
  private static final List<ElementType> OPERANDS = List.of(F32, I32, BOOL, I64);

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '`',
      value = {
        "a0 + 1.0; f32",
        "a1 << 2:i32; i32",
        "a0 < 0.0; bool",
        "is_nan(a0); bool",
        "select(a2, a0, exp(a0)); f32",
        "f16(a1); f16",
        "a0[i0, a3 + 1]; f32",
        "size(4N) / 2; i64",
        "not(a2) && a2; bool",
        "max(a2, a2); bool",
        "bit_not(a1); i32",
      })
  void aPartDecidesItsWholesType(String text, String type) {
    assertThat(ExprType.of(ExprParser.parse(text), OPERANDS)).hasToString(type);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '`',
      value = {
        "a0 + a1; expression 'a0 + a1': mixes f32 and i32",
        "exp(a1) + a1; expression 'exp(a1)': needs a float, not i32",
        "a2 + a2; expression 'a2 + a2': needs numbers, not bool",
        "a0 && a0; expression 'a0 && a0': needs bool, not f32",
        "a0 & a0; expression 'a0 & a0': needs integers, not f32",
        "select(a0, a1, a1); condition must be bool, is f32",
        "a7; expression 'a7': there are 4 operands",
        "a0[i0, a1]; coordinate must be i64, is i32",
        "not(a1); needs bool, not i32",
        "neg(a2); needs a number, not bool",
      })
  void whatDoesNotFitIsNamed(String text, String message) {
    Expr expr = ExprParser.parse(text);
    assertThatThrownBy(() -> ExprType.of(expr, OPERANDS))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }
}
