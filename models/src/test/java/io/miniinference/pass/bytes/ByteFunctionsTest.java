package io.miniinference.pass.bytes;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.interp.Interpreter;
import io.miniinference.ir.Expr;
import io.miniinference.ir.ExprTree;
import io.miniinference.ir.Graph;
import io.miniinference.ir.Node;
import io.miniinference.ir.Op;
import io.miniinference.ir.Tensor;
import io.miniinference.ir.Value;
import io.miniinference.ir.text.GraphText;
import io.miniinference.ir.type.GraphCheck;
import io.miniinference.pass.FusionTarget;
import io.miniinference.pass.Passes;
import java.lang.foreign.ValueLayout;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Functions of a byte become tables, with the same results for each of the 256.
final class ByteFunctionsTest {
  private static final FusionTarget LOOKING_UP =
      new FusionTarget() {
        @Override
        public boolean fuses(Node merged, Graph graph) {
          return true;
        }

        @Override
        public boolean looksUp(Expr function) {
          return ExprTree.size(function) > 4;
        }
      };

  /* x · σ(x), of a byte and to a byte. */
  private static final String SWISH =
      """
      graph "g" {
        input %q: TYPE[256]
        const %scale: f32[1] = [0.05]
        const %zero: TYPE[] = [3]
        %x: f32[256] = elementwise(%q, %scale, %zero) { (f32(a0) - f32(a2)) * a1 }
        %sigmoid: f32[256] = elementwise(%x) { reciprocal(1.0 + exp(neg(a0))) }
        %product: f32[256] = elementwise(%x, %sigmoid) { a0 * a1 }
        %y: TYPE[256] = elementwise(%product, %scale) { TYPE(min(max(round(a0 / a1), -100.0), 100.0)) }
        output %y
      }
      """;

  private static final String OF_TWO =
      """
      graph "g" {
        input %q: u8[256]
        input %other: f32[256]
        %x: f32[256] = elementwise(%q) { exp(f32(a0) * 0.01) + 1.0 }
        %y: f32[256] = elementwise(%x, %other) { exp(a0) * a1 + 2.0 }
        output %y
      }
      """;

  private static Graph passed(String text) {
    Graph graph = GraphCheck.check(GraphText.parse(text));
    return GraphCheck.check(new ByteFunctions(LOOKING_UP, Passes::evaluate).apply(graph));
  }

  private static Tensor bytes(Value input) {
    Tensor all = Interpreter.allocate(input.type().element(), 256);
    for (int i = 0; i < 256; i++) {
      all.data().set(ValueLayout.JAVA_BYTE, i, (byte) (i * 7));
    }
    return all;
  }

  private static boolean looksUp(Node node) {
    return node.op() instanceof Op.Elementwise map && !ExprTree.computedArgs(map.expr()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"u8", "i8"})
  void aChainFromByteToByteIsOneTable(String type) {
    String text = SWISH.replace("TYPE", type);
    Graph graph = GraphText.parse(text);
    Graph passed = passed(text);
    assertThat(passed.nodes()).singleElement().matches(ByteFunctionsTest::looksUp);
    List<Tensor> inputs = List.of(bytes(graph.inputs().getFirst()));
    Tensor expected = Interpreter.run(graph, inputs).getFirst();
    Tensor got = Interpreter.run(passed, inputs).getFirst();
    assertThat(got.data().mismatch(expected.data())).isEqualTo(-1);
  }

  @Test
  void whatReadsAnotherArrayIsComputedOfTheTablesResult() {
    Graph passed = passed(OF_TWO);
    assertThat(passed.nodes()).hasSize(2);
    assertThat(passed.nodes().getFirst()).matches(ByteFunctionsTest::looksUp);
    assertThat(passed.nodes().getLast()).matches(node -> !looksUp(node));
  }

  @Test
  void aFileDoesNotDecideHowDeepACallGoes() {
    StringBuilder chain = new StringBuilder("graph \"g\" {\n  input %q: u8[256]\n");
    chain.append("  %x0: f32[256] = elementwise(%q) { exp(f32(a0) * 0.01) + 1.0 }\n");
    int length = 20_000;
    for (int i = 1; i <= length; i++) {
      chain.append(
          "  %%x%d: f32[256] = elementwise(%%x%d) { exp(a0 * 0.01) * 0.5 + 0.1 }%n"
              .formatted(i, i - 1));
    }
    chain.append("  output %x").append(length).append("\n}\n");
    assertThat(passed(chain.toString()).nodes().getLast()).matches(node -> !looksUp(node));
  }

  @Test
  void aFunctionThatIsCheapStays() {
    String cheap =
        """
        graph "g" {
          input %q: u8[256]
          %y: f32[256] = elementwise(%q) { f32(a0) * 2.0 }
          output %y
        }
        """;
    assertThat(passed(cheap).nodes()).noneMatch(ByteFunctionsTest::looksUp);
  }
}
