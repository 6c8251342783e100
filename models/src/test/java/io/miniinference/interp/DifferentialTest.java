package io.miniinference.interp;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.interp.Cases.Case;
import io.miniinference.interp.memory.FailureSink;
import io.miniinference.interp.memory.TensorView;
import io.miniinference.ir.Node;
import io.miniinference.ir.Op;
import io.miniinference.ir.Tensor;
import io.miniinference.ir.TensorType;
import io.miniinference.ir.Value;
import io.miniinference.ir.type.OpType;
import io.miniinference.layout.Affine;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/// Fast forms against plain ones, and odd layouts against row-major ones, on random data: the same
/// bits.
class DifferentialTest {
  static final FailureSink NO_FAILURES = FailureSink.throwing("node");

  static Tensor plain(Case c) {
    return Interpreter.evaluate(c.node(), c.inputs());
  }

  /// Runs the kernel in shares of random size, in random layouts if `shuffled`.
  static Tensor shared(Case c, NodeKernel kernel, Random random, boolean shuffled) {
    List<TensorView> inputs = new ArrayList<>();
    for (Tensor t : c.inputs()) {
      inputs.add(shuffled ? Layouts.place(t, Layouts.random(random, t.shape())) : TensorView.of(t));
    }
    Tensor result =
        Interpreter.allocate(
            c.node().output().type().element(), c.node().output().type().shapeAt(1));
    TensorView output =
        shuffled
            ? Layouts.place(result, Layouts.random(random, result.shape()))
            : TensorView.of(result);
    long items = kernel.items().at(1);
    for (long first = 0; first < items; ) {
      long count = Math.min(items - first, random.nextLong(1, items + 1));
      kernel.run(inputs, List.of(output), 1, first, count, NO_FAILURES);
      first += count;
    }
    return Layouts.dense(output);
  }

  /* Any NaN is a NaN. */
  static void assertSame(Tensor actual, Tensor expected, String what) {
    assertThat(actual.shape()).as(what).containsExactly(expected.shape());
    double[] a = Tensors.reals(actual);
    double[] e = Tensors.reals(expected);
    for (int i = 0; i < e.length; i++) {
      assertThat(Double.doubleToLongBits(a[i]))
          .as("%s at %d: %s, not %s", what, i, a[i], e[i])
          .isEqualTo(Double.doubleToLongBits(e[i]));
    }
  }

  private static void fastAgrees(long seed, int rounds, Function<Cases, Case> next) {
    Random random = new Random(seed);
    Cases cases = new Cases(random);
    for (int round = 0; round < rounds; round++) {
      Case c = next.apply(cases);
      Tensor fast = shared(c, NodeKernel.of(c.node()), random, false);
      assertSame(fast, plain(c), "seed " + seed + " round " + round + ": " + c);
    }
  }

  private static void sameBits(
      long seed,
      int rounds,
      Function<Cases, Case> next,
      Function<Node, NodeKernel> kernel,
      boolean shuffled) {
    Random random = new Random(seed);
    Cases cases = new Cases(random);
    for (int round = 0; round < rounds; round++) {
      Case c = next.apply(cases);
      Tensor actual = shared(c, kernel.apply(c.node()), random, shuffled);
      assertThat(actual.data().mismatch(plain(c).data()))
          .as("seed " + seed + " round " + round + ": " + c)
          .isEqualTo(-1);
    }
  }

  @Test
  void fastConvolutionsAgreeWithPlainOnes() {
    fastAgrees(1, 80, Cases::conv);
  }

  @Test
  void fastTransposedConvolutionsAgreeWithPlainOnes() {
    fastAgrees(2, 60, Cases::convTranspose);
  }

  @Test
  void fastPoolingAgreesWithPlain() {
    fastAgrees(3, 80, Cases::pool);
  }

  @Test
  void fastMatrixProductsAgreeWithPlainOnes() {
    fastAgrees(4, 60, Cases::matMul);
  }

  @Test
  void fastElementwiseAgreesWithPlain() {
    fastAgrees(5, 100, Cases::elementwise);
  }

  @Test
  void fastWholeNumbersAgreeWithPlainOnes() {
    sameBits(12, 400, Cases::wholes, NodeKernel::of, false);
  }

  @Test
  void fastMovesAgreeWithPlainOnes() {
    fastAgrees(6, 300, Cases::move);
  }

  @Test
  void fastReductionsAndLinesAgreeWithPlainOnes() {
    fastAgrees(7, 100, Cases::reduce);
    fastAgrees(8, 100, Cases::line);
  }

  @Test
  void plainFormsGiveTheSameBitsInEveryLayout() {
    sameBits(9, 200, Cases::any, NodeKernel::plain, true);
  }

  @Test
  void fastFormsAgreeInEveryLayout() {
    Random random = new Random(10);
    Cases cases = new Cases(random);
    for (int round = 0; round < 200; round++) {
      Case c = cases.any();
      Tensor actual = shared(c, NodeKernel.of(c.node()), random, true);
      assertSame(actual, plain(c), "seed 10 round " + round + ": " + c);
    }
  }

  @Test
  void anEmptyBatchIsNoWork() {
    Random random = new Random(11);
    Cases cases = new Cases(random);
    for (Case c : List.of(cases.conv(), cases.pool(), cases.convTranspose())) {
      Node node = batched(c);
      List<Tensor> inputs = new ArrayList<>(c.inputs());
      long[] shape = inputs.getFirst().shape().clone();
      shape[0] = 0;
      inputs.set(0, Interpreter.allocate(inputs.getFirst().element(), shape));
      TensorType type = node.output().type();
      Tensor output = Interpreter.allocate(type.element(), type.shapeAt(0));
      NodeKernel kernel = NodeKernel.of(node);
      assertThat(kernel.items().at(0)).isZero();
      kernel.run(
          inputs.subList(0, node.inputs().size()).stream().map(TensorView::of).toList(),
          TensorView.of(output),
          0,
          NO_FAILURES);
      assertThat(output.elements()).isZero();
    }
  }

  /// The operator alone, with axis 0 of its first operand the batch.
  private static Node batched(Case c) {
    Op op = c.node().op();
    List<Value> operands = new ArrayList<>(c.node().operandValues());
    TensorType x = operands.getFirst().type();
    List<Affine> shape = new ArrayList<>(x.shape());
    shape.set(0, Affine.N);
    operands.set(0, new Value("x0", x.withShape(shape)));
    TensorType type = OpType.of(op, operands.stream().map(Value::type).toList());
    return Node.of("node", "Test", op, operands, new Value("y", type));
  }
}
