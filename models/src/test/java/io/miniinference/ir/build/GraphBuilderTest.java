package io.miniinference.ir.build;

import static io.miniinference.ir.ElementType.F32;
import static io.miniinference.ir.Exprs.arg;
import static io.miniinference.ir.Exprs.const_;
import static io.miniinference.ir.Exprs.max;
import static io.miniinference.ir.Exprs.mul;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.miniinference.ir.Exprs;
import io.miniinference.ir.Graph;
import io.miniinference.ir.Op;
import io.miniinference.ir.Tensor;
import io.miniinference.ir.TensorType;
import io.miniinference.ir.Value;
import io.miniinference.ir.text.GraphText;
import io.miniinference.ir.text.TensorText;
import io.miniinference.ir.type.ShapeException;
import io.miniinference.layout.Affine;
import java.util.List;
import org.junit.jupiter.api.Test;

final class GraphBuilderTest {
  private final GraphBuilder graph = new GraphBuilder("g");
  private final Value x = graph.input("x", new TensorType(F32, List.of(Affine.N, Affine.of(4))));

  @Test
  void theLastOfANodesLoweringTakesTheOnnxName() {
    Lowering node = graph.lowering("square_relu", "SquareRelu");
    Value squared = node.elementwise(mul(arg(0), arg(0)), x);
    Value y = node.result(node.elementwise(max(arg(0), const_(F32, 0)), squared), "y");
    assertThat(GraphText.print(graph.build(List.of(y))))
        .isEqualTo(
            """
            graph "g" {
              input %x: f32[N,4]
              %square_relu/0: f32[N,4] = elementwise(%x) { a0 * a0 } from "square_relu" "SquareRelu"
              %y: f32[N,4] = elementwise(%square_relu/0) { max(a0, 0.0) } from "square_relu" "SquareRelu"
              output %y rowwise
            }
            """);
  }

  @Test
  void renamingReachesWhatReadsTheValueAlready() {
    Lowering node = graph.lowering("n", "Two");
    Value first = node.softmax(1, false, x);
    Value second = node.softmax(1, true, first);
    Value a = node.result(first, "a");
    Value b = node.result(second, "b");
    assertThat(graph.build(List.of(a, b)).nodes().get(1).inputs()).containsExactly(a);
  }

  @Test
  void aNameForWhatHasOneAlreadyIsAView() {
    Lowering node = graph.lowering("id", "Identity");
    Value y = node.result(x, "y");
    Graph built = graph.build(List.of(y));
    assertThat(built.nodes()).singleElement().matches(n -> n.op() instanceof Op.View);
    assertThat(built.outputs()).containsExactly(new Value("y", x.type()));
  }

  @Test
  void aMovementThatMovesNothingAddsNoNode() {
    Lowering node = graph.lowering("n", "Reshape");
    assertThat(node.reshape(x, x.type().shape())).isEqualTo(x);
    assertThat(node.transpose(x, List.of(0, 1))).isEqualTo(x);
    assertThat(node.slice(x, 1, Affine.ZERO, Affine.of(4))).isEqualTo(x);
  }

  @Test
  void aNameIsTakenOnce() {
    TensorType type = x.type();
    assertThatThrownBy(() -> graph.input("x", type))
        .hasMessageContaining("two values are called 'x'");
  }

  @Test
  void innerNamesMakeWayForOnnxNames() {
    graph.input("n/0", x.type());
    assertThat(graph.lowering("n", "Softmax").softmax(1, false, x).name()).isEqualTo("n/1");
  }

  @Test
  void aLoweringsOwnConstantHasAnInnerName() {
    Tensor two = TensorText.zeros(TensorType.of(F32, 2));
    assertThat(graph.lowering("n", "Gelu").constant(two).name()).isEqualTo("n/0");
  }

  @Test
  void whatDoesNotBroadcastIsNamed() {
    Lowering node = graph.lowering("n", "Add");
    Value other = graph.input("z", TensorType.of(F32, 3));
    assertThatThrownBy(() -> node.elementwise(Exprs.add(arg(0), arg(1)), x, other))
        .isInstanceOf(ShapeException.class)
        .hasMessageContaining("elementwise(f32[N,4], f32[3])");
  }
}
