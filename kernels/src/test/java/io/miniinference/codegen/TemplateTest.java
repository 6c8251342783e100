package io.miniinference.codegen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import org.junit.jupiter.api.Test;

final class TemplateTest {
  @Test
  void holesAreFilledWhereverTheyStand() {
    Template loop = Template.of("loop", "for (int k = 0; k < $depth; k += ${step}u) { $body }\n");

    String text =
        loop.with("depth", 16).with("step", 4L).with("body", "s += a[k]; // $depth").text();

    assertThat(text).isEqualTo("for (int k = 0; k < 16; k += 4u) { s += a[k]; // $depth }");
  }

  @Test
  void oneHoleMayStandInSeveralPlaces() {
    Template twice = Template.of("twice", "$x + $x");

    assertThat(twice.with("x", "a").text()).isEqualTo("a + a");
  }

  @Test
  void furtherLinesOfAFillAreIndentedAsTheirHoleIs() {
    Template block =
        Template.of(
            "block",
            """
            if (ok) {
              $body
            }
            """);

    assertThat(block.with("body", "for (;;) {\n  a();\n\n}").text())
        .isEqualTo("if (ok) {\n  for (;;) {\n    a();\n\n  }\n}");
  }

  @Test
  void aLineOfHolesThatNothingIsPutIntoGoes() {
    Template lines = Template.of("lines", "a;\n  $b $c\nd;");

    assertThat(lines.with("b", "").with("c", "").text()).isEqualTo("a;\nd;");
    assertThat(lines.with("b", "").with("c", "e;").text()).isEqualTo("a;\n   e;\nd;");
  }

  @Test
  void aHoleThatNothingFillsIsNamed() {
    Template two = Template.of("tile", "$rows x $columns");

    assertThatIllegalStateException()
        .isThrownBy(() -> two.with("rows", 1).text())
        .withMessage("template 'tile' has holes that nothing fills: [columns]");
  }

  @Test
  void aHoleThatIsFilledTwiceIsNamed() {
    Template one = Template.of("tile", "$rows");

    assertThatIllegalStateException()
        .isThrownBy(() -> one.with("rows", 1).with("rows", 1))
        .withMessage("hole 'rows' of template 'tile' is filled twice");
  }

  @Test
  void aHoleThatIsNotThereIsNamed() {
    Template one = Template.of("tile", "$rows");

    assertThatIllegalStateException()
        .isThrownBy(() -> one.with("row", 1))
        .withMessage("template 'tile' has no hole 'row', it has [rows]");
  }

  @Test
  void aFilledTemplateFillsAHoleOfAnother() {
    Template inner = Template.of("inner", "a += $b;\nc++;");
    Template outer = Template.of("outer", "{\n  $body\n}");

    assertThat(outer.with("body", inner.with("b", 2)).text()).isEqualTo("{\n  a += 2;\n  c++;\n}");
  }
}
