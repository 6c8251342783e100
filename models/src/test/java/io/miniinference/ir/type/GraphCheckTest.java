package io.miniinference.ir.type;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.Expr;
import io.miniinference.ir.Exprs;
import io.miniinference.ir.Graph;
import io.miniinference.ir.Node;
import io.miniinference.ir.Op;
import io.miniinference.ir.Tensor;
import io.miniinference.ir.TensorType;
import io.miniinference.ir.Value;
import io.miniinference.ir.text.GraphText;
import io.miniinference.ir.text.TensorText;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class GraphCheckTest {
  private static final TensorType TYPE = TensorType.of(ElementType.F32, 2);
  private static final Value X = new Value("x", TYPE);
  private static final Value Y = new Value("y", TYPE);

  private static Node softmax(Value from, Value to) {
    return Node.of("n", "Softmax", new Op.Softmax(0, false), List.of(from), to);
  }

  private static void rejects(List<Node> nodes, Map<Value, Tensor> constants, String reason) {
    Graph graph = new Graph("g", List.of(X), List.of(Y), nodes, constants, List.of(false));
    assertThatThrownBy(() -> GraphCheck.check(graph))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("graph 'g'")
        .hasMessageContaining(reason);
  }

  @Test
  void aValueIsDefinedBeforeItIsUsed() {
    Value z = new Value("z", TYPE);
    rejects(List.of(softmax(z, Y), softmax(X, z)), Map.of(), "z: f32[2] is not defined before");
  }

  @Test
  void aNameIsDefinedOnce() {
    rejects(List.of(softmax(X, Y), softmax(X, Y)), Map.of(), "'y' is defined twice");
  }

  @Test
  void aNodeGivesWhatItsOperatorGives() {
    Value wrong = new Value("y", TensorType.of(ElementType.F32, 3));
    rejects(List.of(softmax(X, wrong)), Map.of(), "gives f32[2], not y: f32[3]");
  }

  @Test
  void anOutputIsDefined() {
    rejects(List.of(), Map.of(), "the graph's outputs: y: f32[2] is not defined before");
  }

  @Test
  void aConstantHasItsValuesType() {
    Tensor three = TensorText.zeros(TensorType.of(ElementType.F32, 3));
    rejects(List.of(), Map.of(Y, three), "constant y: f32[2] holds f32[3]");
  }

  /// An If over `%x: f32[2]` with operands of its own, whose bodies give their input `%x`.
  private static void rejectsBranch(String operands, String then, String otherwise, String reason) {
    String text =
        """
        graph "g" {
          input %%x: f32[2]
          input %%c: bool[]
          %%y: f32[2] = if(%s) graph "then" { input %%x: %s output %%x }
            graph "else" { input %%x: %s output %%x }
          output %%y
        }
        """
            .formatted(operands, then, otherwise);
    assertThatThrownBy(() -> GraphCheck.check(GraphText.parse(text)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining(reason);
  }

  @Test
  void aConditionIsOneTruthValue() {
    rejectsBranch("%x, %x", "f32[2]", "f32[2]", "operand 0 must be bool[]");
  }

  @Test
  void theInputsOfBodiesAreTheOperands() {
    rejectsBranch(
        "%c", "f32[2]", "f32[2]", "a body has [f32[2]], the operands after the condition");
    rejectsBranch("%c, %x", "f32[2]", "f32[3]", "a body has [f32[3]]");
  }

  @Test
  void aBodyKeepsTheRulesToo() {
    Graph body = new Graph("then", List.of(), List.of(Y), List.of(), Map.of(), List.of(false));
    Node node = Node.of("n", "If", new Op.Iteration(body, 0), List.of(), Y);
    rejects(List.of(node), Map.of(), "node 'n' (If): graph 'then': the graph's outputs: y: f32[2]");
  }

  @Test
  void aLoopCarriesOnWhatItWasGiven() {
    String text =
        """
        graph "g" {
          input %x: f32[2]
          const %trips: i64[] = [2]
          const %go: bool[] = [true]
          %y: f32[2] = loop(%trips, %go, %x) {carried=1} graph "body" {
            input %i: i64[]
            input %p: f32[2]
            const %go: bool[] = [true]
            %n: f32[1,2] = reshape(%p)
            output %go
            output %n
          }
          output %y
        }
        """;
    assertThatThrownBy(() -> GraphCheck.check(GraphText.parse(text)))
        .hasMessageContaining("a body has [f32[1,2]], the values carried on are [f32[2]]");
  }

  @Test
  void anEpilogueReadsWhatItsNodeHas() {
    Expr beyond = Exprs.add(Exprs.arg(0), Exprs.arg(1));
    Node node = new Node("n", "S", new Op.Softmax(0, false), beyond, 1, List.of(X), Y);
    rejects(List.of(node), Map.of(), "there are 1 operands");
  }
}
