package io.miniinference.interp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.miniinference.interp.memory.DataFailure;
import io.miniinference.interp.memory.FailureSink;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Expr;
import io.miniinference.ir.Expr.Arg;
import io.miniinference.ir.Expr.Binary;
import io.miniinference.ir.Expr.BinaryOp;
import io.miniinference.ir.Graph;
import io.miniinference.ir.Node;
import io.miniinference.ir.Op;
import io.miniinference.ir.Tensor;
import io.miniinference.ir.TensorType;
import io.miniinference.ir.Value;
import io.miniinference.layout.Affine;
import io.miniinference.layout.Movement;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class InterpreterTest {
  private static final TensorType ROWS =
      new TensorType(ElementType.F32, List.of(Affine.N, Affine.of(2)));
  private static final Value X = new Value("x", ROWS);
  private static final Value W = new Value("w", TensorType.of(ElementType.F32, 2, 2));
  private static final Value PRODUCT = new Value("p", ROWS);
  private static final Value DOUBLED = new Value("d", ROWS);

  /// `d = 2·(x·w)`; the outputs are `d`, `x` and `w`.
  private static Graph graph() {
    Op twice = new Op.Elementwise(new Binary(BinaryOp.ADD, new Arg(0), new Arg(0)), ROWS);
    return new Graph(
        "g",
        List.of(X),
        List.of(DOUBLED, X, W),
        List.of(
            Node.of("m", "MatMul", new Op.MatMul(false, false), List.of(X, W), PRODUCT),
            Node.of("t", "Add", twice, List.of(PRODUCT), DOUBLED)),
        Map.of(W, Tensors.f32(Tensors.shape(2, 2), 1, 2, 3, 4)),
        List.of(true, true, false));
  }

  @Test
  void aGraphRunsAtTheBatchSizeOfItsInputs() {
    Tensor x = Tensors.f32(Tensors.shape(3, 2), 1, 0, 0, 1, 1, 1);
    List<Tensor> outputs = Interpreter.run(graph(), List.of(x));
    assertThat(outputs.getFirst().shape()).containsExactly(3, 2);
    assertThat(Tensors.reals(outputs.getFirst())).containsExactly(2, 4, 6, 8, 8, 12);
    assertThat(outputs.get(1)).isSameAs(x);
  }

  @Test
  void anEmptyBatchGivesEmptyOutputs() {
    List<Tensor> outputs = Interpreter.run(graph(), List.of(Tensors.f32(Tensors.shape(0, 2))));
    assertThat(outputs.getFirst().shape()).containsExactly(0, 2);
  }

  @Test
  void fastKernelsGiveTheSameResult() {
    Tensor x = Tensors.f32(Tensors.shape(3, 2), 1, 0, 0, 1, 1, 1);
    var fast = new Interpreter.Mode(NodeKernel::of, FailureSink::throwing);
    assertThat(Tensors.reals(Interpreter.run(graph(), List.of(x), fast).getFirst()))
        .containsExactly(2, 4, 6, 8, 8, 12);
  }

  @Test
  void inputsThatDoNotFitAreNamed() {
    assertThatThrownBy(
            () -> Interpreter.run(graph(), List.of(Tensors.f32(Tensors.shape(1, 3), 1, 2, 3))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("input 'x: f32[N,2]' at batch size 1");
    assertThatThrownBy(() -> Interpreter.run(graph(), List.of()))
        .hasMessageContaining("takes 1 inputs, got 0");
  }

  @Test
  void aConstantIsNotFoldedPastTheLimit() {
    Op expand = new Op.View(new Movement.Expand(List.of(Affine.of(1L << 40))));
    TensorType type = TensorType.of(ElementType.F32, 1L << 40);
    Tensor one = Tensors.f32(Tensors.shape(1), 1);
    Node node = Tensors.node(expand, type, List.of(one));
    assertThatThrownBy(() -> Interpreter.evaluate(node, List.of(one), 1 << 20))
        .isInstanceOf(DataFailure.class)
        .hasMessageContaining("takes 4398046511104 bytes, the limit is 1048576");
  }

  @Test
  void smallWorkIsNotWorthAThread() {
    Expr x = new Arg(0);
    TensorType type = TensorType.of(ElementType.F32, 100);
    Tensor in = Tensors.f32(Tensors.shape(100));
    NodeKernel small = NodeKernel.of(Tensors.node(new Op.Elementwise(x, type), type, List.of(in)));
    assertThat((long) small.grain()).isGreaterThan(small.items().at(1));
    Tensor a = Tensors.f32(Tensors.shape(4, 2048));
    Tensor b = Tensors.f32(Tensors.shape(2048, 512));
    TensorType product = TensorType.of(ElementType.F32, 4, 512);
    Op matMul = new Op.MatMul(false, false);
    assertThat(NodeKernel.of(Tensors.node(matMul, product, List.of(a, b))).grain()).isEqualTo(1);
  }
}
