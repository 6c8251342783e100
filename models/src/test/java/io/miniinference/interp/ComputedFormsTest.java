package io.miniinference.interp;

import static io.miniinference.ir.Exprs.arg;
import static io.miniinference.ir.Exprs.at;
import static io.miniinference.ir.Exprs.const_;
import static io.miniinference.ir.Exprs.div;
import static io.miniinference.ir.Exprs.index;
import static io.miniinference.ir.Exprs.mul;
import static io.miniinference.ir.Exprs.select;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.miniinference.interp.Cases.Case;
import io.miniinference.interp.expr.MixedProgram;
import io.miniinference.interp.expr.MixedRunner;
import io.miniinference.interp.memory.FailureSink;
import io.miniinference.interp.memory.Task;
import io.miniinference.interp.memory.TensorView;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Expr;
import io.miniinference.ir.Exprs;
import io.miniinference.ir.Node;
import io.miniinference.ir.Op;
import io.miniinference.ir.Tensor;
import io.miniinference.ir.TensorType;
import io.miniinference.ir.Value;
import io.miniinference.layout.Affine;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// Expressions of several types, at computed coordinates: the fast form against the plain one.
class ComputedFormsTest {
  private static final int ROUNDS = 400;

  private static List<ElementType> types(Case c) {
    return c.inputs().stream().map(Tensor::element).toList();
  }

  private static Expr expr(Case c) {
    return ((Op.Elementwise) c.node().op()).expr();
  }

  @Test
  void randomExpressionsGiveTheSameBitsInAnyShares() {
    Random random = new Random(1);
    ComputedCases cases = new ComputedCases(random);
    for (int round = 0; round < ROUNDS; round++) {
      Case c = cases.next();
      Tensor fast = DifferentialTest.shared(c, NodeKernel.of(c.node()), random, false);
      DifferentialTest.assertSame(fast, DifferentialTest.plain(c), "round " + round + ": " + c);
    }
  }

  @Test
  void randomExpressionsGiveTheSameBitsInAnyLayout() {
    Random random = new Random(2);
    ComputedCases cases = new ComputedCases(random);
    for (int round = 0; round < ROUNDS; round++) {
      Case c = cases.next();
      Tensor fast = DifferentialTest.shared(c, NodeKernel.of(c.node()), random, true);
      DifferentialTest.assertSame(fast, DifferentialTest.plain(c), "round " + round + ": " + c);
    }
  }

  /* Else the tests above would hold the plain form to itself. */
  @Test
  void theFastFormComputesAllElements() {
    ComputedCases cases = new ComputedCases(new Random(3));
    for (int round = 0; round < ROUNDS; round++) {
      Case c = cases.next();
      int rank = c.node().output().type().rank();
      MixedProgram program = MixedProgram.of(expr(c), types(c), rank).orElseThrow();
      assertThat(computed(c, program)).as("round " + round + ": " + c).isPositive();
    }
  }

  private static long computed(Case c, MixedProgram program) {
    List<TensorView> inputs = c.inputs().stream().map(TensorView::of).toList();
    TensorType type = c.node().output().type();
    TensorView output = TensorView.of(Interpreter.allocate(type.element(), type.shapeAt(1)));
    long count = output.elements();
    Task task =
        new Task(inputs, List.of(), List.of(output), 1, 0, count, FailureSink.throwing("node"));
    long done = MixedRunner.of(program, task).orElseThrow().run(0, count);
    return done == count ? count : -done - 1;
  }

  /* Tables of an axis are made for a range of it at a time. */
  @Test
  void longAxesAreComputedInPieces() {
    for (long[] shape : new long[][] {{200_001}, {3, 70_001}, {70_001, 3}, {2, 66_000, 2}}) {
      Tensor x = Tensors.random(new Random(4), ElementType.F32, shape);
      int rank = shape.length;
      Expr[] mirrored = new Expr[rank];
      for (int axis = 0; axis < rank; axis++) {
        mirrored[axis] = Exprs.sub(const_(shape[axis] - 1), index(axis));
      }
      Expr weight = Exprs.cast(ElementType.F32, index(rank - 1));
      Expr expr = mul(at(0, mirrored), weight);
      Node node = Tensors.node(new Op.Elementwise(expr, x.type()), x.type(), List.of(x));
      Case c = new Case(node, List.of(x));
      Tensor fast = DifferentialTest.shared(c, NodeKernel.of(node), new Random(5), false);
      DifferentialTest.assertSame(fast, DifferentialTest.plain(c), Arrays.toString(shape));
      assertThat(computed(c, MixedProgram.of(expr, types(c), rank).orElseThrow()))
          .isEqualTo(x.elements());
    }
  }

  private static Node node(Expr expr) {
    List<Affine> rows = List.of(Affine.N, Affine.of(300));
    Value a = new Value("a", new TensorType(ElementType.I64, rows));
    Value b = new Value("b", new TensorType(ElementType.I64, List.of(Affine.of(300))));
    TensorType type = new TensorType(ElementType.I64, rows);
    Op op = new Op.Elementwise(expr, type);
    return Node.of("q", "Test", op, List.of(a, b), new Value("y", type));
  }

  /* Of 8 by 2, but at index 297 of each row by 0, with both forms. */
  private static void holdQuotients(Expr expr, List<String> reports, long usual, long there) {
    long[] divisors = new long[300];
    Arrays.fill(divisors, 2);
    divisors[297] = 0;
    Tensor a = Interpreter.filled(ElementType.I64, () -> 0, () -> 8, 4, 300);
    Tensor b = Tensors.i64(Tensors.shape(300), divisors);
    long[] expected = new long[1200];
    Arrays.setAll(expected, i -> i % 300 == 297 ? there : i % 300 > 297 ? 4 : usual);
    for (NodeKernel kernel : List.of(NodeKernel.of(node(expr)), NodeKernel.plain(node(expr)))) {
      RecordedFailures failures = new RecordedFailures();
      Tensor y = Tensors.random(new Random(6), ElementType.I64, 4, 300);
      kernel.run(List.of(TensorView.of(a), TensorView.of(b)), TensorView.of(y), 4, failures);
      assertThat(failures.reports).isEqualTo(reports);
      assertThat(Tensors.wholes(y)).containsExactly(expected);
    }
  }

  @Test
  void aQuotientByZeroIsReportedByRowWhereItIsComeTo() {
    List<String> each =
        List.of(
            "row 0 position 297: division by zero",
            "row 1 position 597: division by zero",
            "row 2 position 897: division by zero",
            "row 3 position 1197: division by zero");
    Expr quotient = div(arg(0), at(1, index(1)));
    Expr before = Exprs.lt(index(1), const_(297));
    Expr upTo = Exprs.le(index(1), const_(297));
    Expr kept = select(before, quotient, const_(4));
    holdQuotients(quotient, each, 4, 0);
    holdQuotients(kept, List.of(), 4, 4);
    holdQuotients(select(upTo, quotient, const_(4)), each, 4, 0);
    Expr otherwise = select(before, const_(8), quotient);
    holdQuotients(otherwise, each, 8, 0);
    Expr both = select(upTo, Exprs.sub(Exprs.add(kept, quotient), const_(0)), const_(4));
    holdQuotients(both, each, 8, 4);
  }

  @Test
  void aCoordinateOutOfBoundsIsAnErrorWhereItIsRead() {
    Tensor x = Tensors.random(new Random(7), ElementType.F32, 600);
    Expr behind = Exprs.add(index(0), const_(1));
    Expr none = const_(ElementType.F32, 0.0);
    Expr kept = select(Exprs.lt(behind, const_(600)), at(0, behind), none);
    assertThat(Tensors.reals(evaluate(kept, x))).endsWith(0.0).hasSize(600);
    assertThatThrownBy(() -> evaluate(at(0, behind), x))
        .isInstanceOf(IndexOutOfBoundsException.class);
    Expr wrong = select(Exprs.lt(behind, const_(601)), at(0, behind), none);
    assertThatThrownBy(() -> evaluate(wrong, x)).isInstanceOf(IndexOutOfBoundsException.class);
  }

  private static Tensor evaluate(Expr expr, Tensor x) {
    Node node = Tensors.node(new Op.Elementwise(expr, x.type()), x.type(), List.of(x));
    return Interpreter.evaluate(NodeKernel.of(node), List.of(x), 1, DifferentialTest.NO_FAILURES);
  }
}
