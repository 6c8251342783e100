package io.miniinference.pass;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/// Numbers that operands are multiplied by go behind the product.
final class FactorsBehindProductsTest {
  private static String passed(String body) {
    return Passes.apply(new FactorsBehindProducts(), body);
  }

  @Test
  void bothFactorsAreOneBehindTheProduct() {
    assertThat(
            passed(
                """
                  input %a: f32[2,3,4]
                  input %b: f32[2,4,5]
                  const %s: f32[1] = [0.5]
                  %q: f32[2,3,4] = elementwise(%a, %s) { a0 * a1 }
                  %k: f32[2,4,5] = elementwise(%b) { 0.25 * a0 }
                  %y: f32[2,3,5] = matmul(%q, %k)
                  output %y
                """))
        .isEqualTo(
            """
            input %a: f32[2,3,4]
            input %b: f32[2,4,5]
            %"y without factor": f32[2,3,5] = matmul(%a, %b) from "y" "matmul"
            %y: f32[2,3,5] = elementwise(%"y without factor") { a0 * 0.125 } from "y" "matmul"
            output %y
            """);
  }

  private static void staysAsItIs(String body) {
    assertThat(passed(body)).isEqualTo(Passes.apply(graph -> graph, body));
  }

  @Test
  void whatIsReadElsewhereStays() {
    staysAsItIs(
        """
          input %a: f32[3,4]
          input %b: f32[4,5]
          %q: f32[3,4] = elementwise(%a) { a0 * 0.5 }
          %y: f32[3,5] = matmul(%q, %b)
          output %y
          output %q
        """);
  }

  @Test
  void factorsThatAreNoNumberStay() {
    staysAsItIs(
        """
          input %a: f32[3,4]
          input %b: f32[4,5]
          input %s: f32[1]
          const %row: f32[4] = [1.0, 2.0, 3.0, 4.0]
          %q: f32[3,4] = elementwise(%a, %s) { a0 * a1 }
          %k: f32[4,5] = elementwise(%b) { a0 + 0.5 }
          %r: f32[3,4] = elementwise(%q, %row) { a0 * a1 }
          %y: f32[3,5] = matmul(%r, %k)
          output %y
        """);
  }

  @Test
  void halvesAndExactSumsStay() {
    staysAsItIs(
        """
          input %a: f16[3,4]
          input %b: f16[4,5]
          const %s: f16[] = [64.0]
          %q: f16[3,4] = elementwise(%a, %s) { a0 * a1 }
          %y: f16[3,5] = matmul(%q, %b)
          output %y
        """);
    staysAsItIs(
        """
          input %a: f32[3,4]
          input %b: f32[4,5]
          %q: f32[3,4] = elementwise(%a) { a0 * 2.0 }
          %y: f32[3,5] = matmul(%q, %b) {exact=true}
          output %y
        """);
  }

  @Test
  void aFactorThatNoFloatHoldsStays() {
    staysAsItIs(
        """
          input %a: f32[3,4]
          input %b: f32[4,5]
          const %s: f32[] = [1.0E-30]
          %q: f32[3,4] = elementwise(%a, %s) { a0 * a1 }
          %k: f32[4,5] = elementwise(%b, %s) { a0 * a1 }
          %y: f32[3,5] = matmul(%q, %k)
          output %y
        """);
  }
}
