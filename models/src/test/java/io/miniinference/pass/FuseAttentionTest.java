package io.miniinference.pass;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/// Two products and the softmax between them become attention.
final class FuseAttentionTest {
  private static final String OPERANDS =
      """
      input %q: f32[N,2,9,4]
      input %k: f32[N,2,4,7]
      input %v: f32[N,2,7,8]
      input %m: f32[N,1,1,7]
      """;

  private static String fused(String body) {
    return Passes.apply(new FuseAttention((_, _) -> true), OPERANDS + body);
  }

  private static void becomes(String body, String after) {
    assertThat(fused(body)).isEqualTo(OPERANDS + after);
  }

  private static void stays(String body) {
    assertThat(fused(body)).isEqualTo(Passes.apply(graph -> graph, OPERANDS + body));
  }

  private static String after(String epilogue) {
    return """
    %s: f32[N,2,9,7] = matmul(%q, %k) EPILOGUE
    %p: f32[N,2,9,7] = softmax(%s) {axis=3}
    %y: f32[N,2,9,8] = matmul(%p, %v)
    output %y
    """
        .replace("EPILOGUE", epilogue);
  }

  @Test
  void aScaleAndAMaskAreTakenAlong() {
    becomes(
        after("epilogue(%m) { a0 * 0.5 + a1 }"),
        """
        %y: f32[N,2,9,8] = attention(%q, %k, %v, %m) {scale=0.5} from "y" "matmul"
        output %y
        """);
    becomes(
        after("epilogue(%m) { a1 + a0 / 4.0 }"),
        """
        %y: f32[N,2,9,8] = attention(%q, %k, %v, %m) {scale=0.25} from "y" "matmul"
        output %y
        """);
  }

  @Test
  void aProductMayStandAlone() {
    becomes(
        after(""),
        """
        %y: f32[N,2,9,8] = attention(%q, %k, %v) {scale=1.0} from "y" "matmul"
        output %y
        """);
  }

  /// As PyTorch's exporter writes it, whose masks hide whole rows of padding.
  @Test
  void aMaskOfItsOwnAndRowsThatSeeNoKeyAreTakenAlong() {
    becomes(
        """
        %s: f32[N,2,9,7] = matmul(%q, %k) epilogue { a0 * 0.5 }
        %a: f32[N,2,9,7] = elementwise(%m, %s) { a1 * 0.5 + a0 }
        %p: f32[N,2,9,7] = softmax(%a) {axis=3} epilogue { select(is_nan(a0), 0.0, a0) }
        %y: f32[N,2,9,8] = matmul(%p, %v)
        output %y
        """,
        """
        %y: f32[N,2,9,8] = attention(%q, %k, %v, %m) {scale=0.25, blind=zero_for_nan} from "y" "matmul"
        output %y
        """);
  }

  private static final String HIDDEN =
      after("epilogue(%m) { a0 * 0.5 + a1 }")
          .replace("{axis=3}", "{axis=3} epilogue(%l) { select(a1 == -inf, 0.0, a0) }");

  /// As ONNX's Attention is defined.
  @Test
  void rowsThatTheMaskHidesAreZero() {
    String largest = "%l: f32[N,1,1,1] = reduce_max(%m) {axes=[3], keep=true}\n";
    becomes(
        largest + HIDDEN,
        """
        %y: f32[N,2,9,8] = attention(%q, %k, %v, %m) {scale=0.5, blind=zero} from "y" "matmul"
        output %y
        """);
    stays(
        largest
                .replace("%m", "%o")
                .replace("%l:", "%o: f32[N,1,1,7] = elementwise(%m) { a0 + 1.0 }\n%l:")
            + HIDDEN);
  }

  @Test
  void aMaskThatHidesNoRowLeavesNone() {
    String visible = "const %l: f32[9,1] = [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0]\n";
    becomes(
        visible + HIDDEN,
        """
        %y: f32[N,2,9,8] = attention(%q, %k, %v, %m) {scale=0.5} from "y" "matmul"
        output %y
        """);
    stays(visible.replace("1.0]", "-inf]") + HIDDEN);
  }

  @Test
  void rowsOfKeysStayRows() {
    assertThat(
            fused(
                after("")
                    .replace("matmul(%q, %k) ", "matmul(%q, %t) {transposeB=true}")
                    .replace(
                        "%s:", "%t: f32[N,2,7,4] = transpose(%k) {permutation=[0,1,3,2]}\n%s:")))
        .contains("attention(%q, %t, %v) {rowsOfKeys=true, scale=1.0}");
  }

  @Test
  void whatElseIsDoneToScoresKeepsThemApart() {
    stays(after("epilogue { tanh(a0) }"));
    stays(after("epilogue(%m) { a0 * a1 }"));
    stays(after("epilogue(%m) { a0 * 0.5 - a1 }"));
    stays(
        after("epilogue(%m) { a0 + a1 }")
            .replace("softmax(%s)", "softmax(%a)")
            .replace("%p:", "%a: f32[N,2,9,7] = elementwise(%s, %m) { a0 + a1 }\n%p:"));
  }

  /// A kernel's text has the scale as a float.
  @Test
  void aScaleBeyondFloatsKeepsThemApart() {
    stays(after("epilogue { a0 / 0.0 }"));
    stays(after("epilogue { a0 / 1.0E-39 }"));
    stays(
        after("epilogue { a0 * 1.0E30 }")
            .replace("softmax(%s)", "softmax(%a)")
            .replace("%p:", "%a: f32[N,2,9,7] = elementwise(%s) { a0 * 1.0E30 }\n%p:"));
  }

  @Test
  void whatElseReadsWeightsKeepsThemApart() {
    stays(after("") + "output %p\n");
    stays(
        after("")
            .replace(
                "output %y",
                "%z: f32[N,2,9,7] = elementwise(%s) { a0 + 1.0 }\noutput %y\noutput %z"));
    stays(after("").replace("axis=3", "axis=2"));
  }

  @Test
  void aTargetThatHasNoKernelGetsNone() {
    String body = OPERANDS + after("");
    assertThat(Passes.apply(new FuseAttention((_, _) -> false), body))
        .isEqualTo(Passes.apply(graph -> graph, body));
  }
}
