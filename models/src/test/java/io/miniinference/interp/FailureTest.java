package io.miniinference.interp;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.interp.memory.TensorView;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Expr.Arg;
import io.miniinference.ir.Expr.Binary;
import io.miniinference.ir.Expr.BinaryOp;
import io.miniinference.ir.Node;
import io.miniinference.ir.Op;
import io.miniinference.ir.Selection;
import io.miniinference.ir.Tensor;
import io.miniinference.ir.TensorType;
import io.miniinference.ir.Value;
import io.miniinference.layout.Affine;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class FailureTest {
  private static final Tensor DATA = Tensors.f32(Tensors.shape(3, 2), 1, 2, 3, 4, 5, 6);
  private static final Tensor AT = Tensors.i64(Tensors.shape(2, 2), 0, 3, -4, Long.MIN_VALUE);

  private static Node gather(Affine rows) {
    Value data = new Value("data", DATA.type());
    Value at = new Value("at", new TensorType(ElementType.I64, List.of(rows, Affine.of(2))));
    TensorType type = new TensorType(ElementType.F32, List.of(rows, Affine.of(2), Affine.of(2)));
    return Node.of(
        "g",
        "Gather",
        new Op.Gather(new Selection.Slices(0)),
        List.of(data, at),
        new Value("y", type));
  }

  private static List<String> run(NodeKernel kernel, Tensor output, long first, long count) {
    RecordedFailures failures = new RecordedFailures();
    kernel.run(
        List.of(TensorView.of(DATA), TensorView.of(AT)),
        List.of(TensorView.of(output)),
        2,
        first,
        count,
        failures);
    return failures.reports;
  }

  @Test
  void badIndicesAreReportedByRowFromTheLowestPositionOn() {
    for (NodeKernel kernel :
        List.of(NodeKernel.of(gather(Affine.N)), NodeKernel.plain(gather(Affine.N)))) {
      Tensor output = Tensors.random(new java.util.Random(1), ElementType.F32, 2, 2, 2);
      assertThat(run(kernel, output, 0, 8))
          .containsExactly(
              "row 0 position 1: 3 not in [-3, 2] on axis 0",
              "row 1 position 2: -4 not in [-3, 2] on axis 0",
              "row 1 position 3: -9223372036854775808 not in [-3, 2] on axis 0");
      assertThat(Tensors.reals(output)).containsExactly(1, 2, 0, 0, 0, 0, 0, 0);
    }
  }

  @Test
  void everyShareThatMeetsABadIndexReportsTheSame() {
    NodeKernel kernel = NodeKernel.of(gather(Affine.N));
    Tensor output = Interpreter.allocate(ElementType.F32, 2, 2, 2);
    List<String> whole = run(kernel, output, 0, 8);
    assertThat(run(kernel, output, 7, 1)).isEqualTo(whole);
    assertThat(run(kernel, output, 0, 2)).isEmpty();
  }

  @Test
  void aBadComponentOfATupleIsReportedOnItsOwnAxis() {
    Tensor tuples = Tensors.i64(Tensors.shape(2, 2, 2), 2, -2, 3, 2, 0, 1, -3, -3);
    Value data = new Value("data", DATA.type());
    List<Affine> shape = List.of(Affine.N, Affine.of(2));
    Value at =
        new Value(
            "at", new TensorType(ElementType.I64, List.of(Affine.N, Affine.of(2), Affine.of(2))));
    Value result = new Value("y", new TensorType(ElementType.F32, shape));
    Op gather = new Op.Gather(new Selection.Tuples(0));
    Node node = Node.of("g", "GatherND", gather, List.of(data, at), result);
    for (NodeKernel kernel : List.of(NodeKernel.of(node), NodeKernel.plain(node))) {
      RecordedFailures failures = new RecordedFailures();
      Tensor output = Tensors.random(new java.util.Random(1), ElementType.F32, 2, 2);
      kernel.run(
          List.of(TensorView.of(DATA), TensorView.of(tuples)), TensorView.of(output), 2, failures);
      assertThat(failures.reports)
          .containsExactly(
              "row 0 position 2: 3 not in [-3, 2] on axis 0",
              "row 0 position 3: 2 not in [-2, 1] on axis 1",
              "row 1 position 7: -3 not in [-2, 1] on axis 1");
      assertThat(Tensors.reals(output)).containsExactly(5, 0, 2, 0);
    }
  }

  @Test
  void anIndexTensorWithoutBatchHasNoRow() {
    Tensor output = Interpreter.allocate(ElementType.F32, 2, 2, 2);
    assertThat(run(NodeKernel.of(gather(Affine.of(2))), output, 0, 8).getFirst())
        .isEqualTo("row -1 position 1: 3 not in [-3, 2] on axis 0");
  }

  @Test
  void integerDivisionByZeroIsReportedWhereItHappens() {
    Tensor a = Tensors.i64(Tensors.shape(2, 2), 5, 6, 7, 8);
    Tensor b = Tensors.i64(Tensors.shape(2, 1), 1, 0);
    TensorType type = new TensorType(ElementType.I64, List.of(Affine.N, Affine.of(2)));
    Value x = new Value("x", type);
    Value y = new Value("y", new TensorType(ElementType.I64, List.of(Affine.N, Affine.of(1))));
    Op div = new Op.Elementwise(new Binary(BinaryOp.DIV, new Arg(0), new Arg(1)), type);
    Node node = Node.of("d", "Div", div, List.of(x, y), new Value("z", type));
    for (NodeKernel kernel : List.of(NodeKernel.of(node), NodeKernel.plain(node))) {
      RecordedFailures failures = new RecordedFailures();
      Tensor result = Interpreter.evaluate(kernel, List.of(a, b), 2, failures);
      assertThat(Tensors.wholes(result)).containsExactly(5, 6, 0, 0);
      assertThat(failures.reports)
          .containsExactly(
              "row 1 position 2: division by zero", "row 1 position 3: division by zero");
    }
  }

  /// What was computed before a zero is met is not computed once more from itself.
  @Test
  void aQuotientInThePlaceOfItsOperandIsTakenOnce() {
    int width = 700;
    TensorType type = new TensorType(ElementType.I64, List.of(Affine.N, Affine.of(width)));
    Value x = new Value("x", type);
    Value y = new Value("y", type);
    Op div = new Op.Elementwise(new Binary(BinaryOp.DIV, new Arg(0), new Arg(1)), type);
    Node node = Node.of("d", "Div", div, List.of(x, y), new Value("z", type));
    long[] divisors = new long[2 * width];
    Arrays.fill(divisors, 2);
    divisors[2 * width - 1] = 0;
    long[] eights = new long[2 * width];
    Arrays.fill(eights, 8);
    long[] expected = new long[2 * width];
    Arrays.fill(expected, 4);
    expected[2 * width - 1] = 0;
    for (NodeKernel kernel : List.of(NodeKernel.of(node), NodeKernel.plain(node))) {
      Tensor a = Tensors.i64(Tensors.shape(2, width), eights);
      TensorView inPlace = TensorView.of(a);
      RecordedFailures failures = new RecordedFailures();
      kernel.run(
          List.of(inPlace, TensorView.of(Tensors.i64(Tensors.shape(2, width), divisors))),
          List.of(inPlace),
          2,
          0,
          2L * width,
          failures);
      assertThat(Tensors.wholes(a)).containsExactly(expected);
      assertThat(failures.reports).containsExactly("row 1 position 1399: division by zero");
    }
  }
}
