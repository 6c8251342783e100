package io.miniinference.interp;

import static io.miniinference.interp.Tensors.eval;
import static io.miniinference.interp.Tensors.f32;
import static io.miniinference.interp.Tensors.i64;
import static io.miniinference.interp.Tensors.reals;
import static io.miniinference.interp.Tensors.shape;
import static io.miniinference.interp.Tensors.wholes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.miniinference.interp.memory.DataFailure;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Expr;
import io.miniinference.ir.Expr.Arg;
import io.miniinference.ir.Expr.Binary;
import io.miniinference.ir.Expr.BinaryOp;
import io.miniinference.ir.Expr.Cast;
import io.miniinference.ir.Expr.Const;
import io.miniinference.ir.Expr.Select;
import io.miniinference.ir.IndexBounds;
import io.miniinference.ir.Node;
import io.miniinference.ir.Op;
import io.miniinference.ir.Op.PoolKind;
import io.miniinference.ir.Op.ReduceKind;
import io.miniinference.ir.Op.ScanKind;
import io.miniinference.ir.Selection;
import io.miniinference.ir.Tensor;
import io.miniinference.ir.TensorType;
import io.miniinference.ir.Value;
import io.miniinference.ir.Window;
import io.miniinference.layout.Affine;
import io.miniinference.layout.Movement;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Each operator on numbers worked out by hand.
class OpsTest {
  private static final Expr X = new Arg(0);

  private static TensorType type(long... shape) {
    return TensorType.of(ElementType.F32, shape);
  }

  private static TensorType longs(long... shape) {
    return TensorType.of(ElementType.I64, shape);
  }

  private static Window window(int kernel, int stride, int pad) {
    return new Window(
        List.of(kernel, kernel),
        List.of(stride, stride),
        List.of(1, 1),
        List.of(pad, pad),
        List.of(pad, pad));
  }

  @Test
  void elementwiseBroadcastsLikeNumpy() {
    Tensor column = f32(shape(2, 1), 10, 20);
    Tensor row = f32(shape(3), 1, 2, 3);
    Tensor sum = eval(new Binary(BinaryOp.ADD, X, new Arg(1)), type(2, 3), column, row);
    assertThat(reals(sum)).containsExactly(11, 12, 13, 21, 22, 23);
  }

  @Test
  void computedCoordinatesReadElsewhere() {
    Expr back = new Binary(BinaryOp.SUB, Const.of(2), new Expr.Index(0));
    Tensor reversed = eval(new Expr.At(0, List.of(back)), type(3), f32(shape(3), 1, 2, 3));
    assertThat(reals(reversed)).containsExactly(3, 2, 1);
  }

  @Test
  void aCoordinateOutsideIsRefused() {
    Expr at = new Expr.At(0, List.of(Const.of(3)));
    assertThatThrownBy(() -> eval(at, type(1), f32(shape(3), 1, 2, 3)))
        .isInstanceOf(IndexOutOfBoundsException.class);
  }

  @Test
  void selectEvaluatesOnlyTheChosenSide() {
    Expr inside = new Binary(BinaryOp.LT, new Expr.Index(0), Const.of(2));
    Expr padded =
        new Select(
            inside, new Expr.At(0, List.of(new Expr.Index(0))), Const.of(ElementType.F32, 7));
    assertThat(reals(eval(padded, type(3), f32(shape(2), 1, 2)))).containsExactly(1, 2, 7);
  }

  @Test
  void reduceSumsOverAxes() {
    Tensor x = f32(shape(2, 3), 1, 2, 3, 4, 5, 6);
    assertThat(reals(eval(new Op.Reduce(ReduceKind.SUM, List.of(0), false, X), type(3), x)))
        .containsExactly(5, 7, 9);
    assertThat(reals(eval(new Op.Reduce(ReduceKind.SUM, List.of(1), true, X), type(2, 1), x)))
        .containsExactly(6, 15);
    Expr square = new Binary(BinaryOp.MUL, X, X);
    assertThat(reals(eval(new Op.Reduce(ReduceKind.SUM, List.of(0, 1), false, square), type(), x)))
        .containsExactly(91);
  }

  @Test
  void reduceOverNothingGivesTheNeutralElement() {
    Tensor x = f32(shape(0, 2));
    assertThat(reals(eval(new Op.Reduce(ReduceKind.SUM, List.of(0), false, X), type(2), x)))
        .containsExactly(0, 0);
    assertThat(reals(eval(new Op.Reduce(ReduceKind.PRODUCT, List.of(0), false, X), type(2), x)))
        .containsExactly(1, 1);
    assertThat(reals(eval(new Op.Reduce(ReduceKind.MAX, List.of(0), false, X), type(2), x)))
        .containsExactly(Double.NEGATIVE_INFINITY, Double.NEGATIVE_INFINITY);
  }

  @Test
  void argMaxGivesTheFirstOrTheLastOfEquals() {
    Tensor x = f32(shape(4), 1, 3, 3, 2);
    assertThat(wholes(eval(new Op.Reduce(ReduceKind.ARG_MAX, List.of(0), false, X), longs(), x)))
        .containsExactly(1);
    assertThat(
            wholes(eval(new Op.Reduce(ReduceKind.ARG_MAX_LAST, List.of(0), false, X), longs(), x)))
        .containsExactly(2);
    assertThat(wholes(eval(new Op.Reduce(ReduceKind.ARG_MIN, List.of(0), false, X), longs(), x)))
        .containsExactly(0);
  }

  @Test
  void maxKeepsNaN() {
    Tensor x = f32(shape(3), 1, Double.NaN, 2);
    assertThat(reals(eval(new Op.Reduce(ReduceKind.MAX, List.of(0), false, X), type(), x)))
        .containsExactly(Double.NaN);
  }

  @Test
  void unsignedMaximumComparesUnsigned() {
    Tensor x = wholes(ElementType.U64, shape(2), -1, 1);
    TensorType scalar = TensorType.of(ElementType.U64);
    assertThat(wholes(eval(new Op.Reduce(ReduceKind.MAX, List.of(0), false, X), scalar, x)))
        .containsExactly(-1);
  }

  @Test
  void viewsRenameIndices() {
    Tensor x = f32(shape(2, 3), 1, 2, 3, 4, 5, 6);
    Op transpose = new Op.View(new Movement.Transpose(List.of(1, 0)));
    assertThat(reals(eval(transpose, type(3, 2), x))).containsExactly(1, 4, 2, 5, 3, 6);
    Op reshape = new Op.View(new Movement.Reshape(List.of(Affine.of(6))));
    assertThat(reals(eval(reshape, type(6), x))).containsExactly(1, 2, 3, 4, 5, 6);
    Op slice =
        new Op.View(
            new Movement.Slice(
                List.of(Affine.of(1), Affine.of(2)),
                List.of(1L, -2L),
                List.of(Affine.of(1), Affine.of(2))));
    assertThat(reals(eval(slice, type(1, 2), x))).containsExactly(6, 4);
    Op expand = new Op.View(new Movement.Expand(List.of(Affine.of(2), Affine.of(2))));
    assertThat(reals(eval(expand, type(2, 2), f32(shape(2, 1), 8, 9)))).containsExactly(8, 8, 9, 9);
  }

  @Test
  void concatPutsOperandsOneAfterTheOther() {
    Tensor a = f32(shape(2, 1), 1, 2);
    Tensor b = f32(shape(2, 2), 3, 4, 5, 6);
    Tensor empty = f32(shape(2, 0));
    assertThat(reals(eval(new Op.Concat(1), type(2, 3), a, empty, b)))
        .containsExactly(1, 3, 4, 2, 5, 6);
  }

  @Test
  void gatherTakesNegativeIndices() {
    Tensor data = f32(shape(3, 2), 1, 2, 3, 4, 5, 6);
    Tensor at = i64(shape(2), -1, 0);
    assertThat(reals(eval(new Op.Gather(new Selection.Slices(0)), type(2, 2), data, at)))
        .containsExactly(5, 6, 1, 2);
    assertThat(reals(eval(new Op.Gather(new Selection.Slices(1)), type(3, 2), data, at)))
        .containsExactly(2, 1, 4, 3, 6, 5);
  }

  @Test
  void gatherTakesElementsAlongAnAxis() {
    Tensor data = f32(shape(2, 3), 1, 2, 3, 4, 5, 6);
    Op alongRows = new Op.Gather(new Selection.Elements(1));
    assertThat(reals(eval(alongRows, type(2, 2), data, i64(shape(2, 2), -1, 0, 1, 1))))
        .containsExactly(3, 1, 5, 5);
    Op alongColumns = new Op.Gather(new Selection.Elements(0));
    assertThat(reals(eval(alongColumns, type(1, 2), data, i64(shape(1, 2), 1, -2))))
        .containsExactly(4, 2);
  }

  @Test
  void gatherTakesWhatTuplesName() {
    Tensor data = f32(shape(2, 2, 2), 0, 1, 2, 3, 4, 5, 6, 7);
    Op slices = new Op.Gather(new Selection.Tuples(0));
    assertThat(reals(eval(slices, type(2, 2), data, i64(shape(2, 2), 0, -1, 1, 0))))
        .containsExactly(2, 3, 4, 5);
    Op perRow = new Op.Gather(new Selection.Tuples(1));
    assertThat(reals(eval(perRow, type(2, 2), data, i64(shape(2, 1), 1, 0))))
        .containsExactly(2, 3, 4, 5);
    assertThat(reals(eval(slices, type(), data, i64(shape(3), 1, 0, 1)))).containsExactly(5);
  }

  @Test
  void theLastUpdateOfAPlaceStays() {
    Tensor data = f32(shape(2, 3), 1, 2, 3, 4, 5, 6);
    Tensor at = i64(shape(2, 4), 0, -1, 0, 2, 1, 1, 1, 1);
    Tensor updates = f32(shape(2, 4), 10, 20, 30, 40, 50, 60, 70, 80);
    Op replace = new Op.Scatter(new Selection.Elements(1), Op.ScatterKind.REPLACE);
    assertThat(reals(eval(replace, type(2, 3), data, at, updates)))
        .containsExactly(30, 2, 40, 4, 80, 6);
  }

  @Test
  void updatesOfAPlaceAreCombinedInOrder() {
    Tensor data = f32(shape(3), 1e8f, 2, 3);
    Tensor at = i64(shape(4, 1), 0, 0, -3, 1);
    Tensor updates = f32(shape(4), 3, -1e8f, 3, 5);
    float sum = 1e8f + 3f - 1e8f + 3f;
    assertThat(scattered(Op.ScatterKind.ADD, data, at, updates)).containsExactly(sum, 7, 3);
    assertThat(scattered(Op.ScatterKind.MUL, data, at, updates))
        .containsExactly(1e8f * 3 * -1e8f * 3, 10, 3);
    assertThat(scattered(Op.ScatterKind.MIN, data, at, updates)).containsExactly(-1e8f, 2, 3);
    assertThat(scattered(Op.ScatterKind.MAX, data, at, updates)).containsExactly(1e8f, 5, 3);
  }

  private static double[] scattered(Op.ScatterKind kind, Tensor data, Tensor at, Tensor updates) {
    return reals(eval(new Op.Scatter(new Selection.Tuples(0), kind), type(3), data, at, updates));
  }

  @Test
  void tuplesScatterWhatTheyName() {
    Tensor data = f32(shape(2, 2, 2), 0, 1, 2, 3, 4, 5, 6, 7);
    Op op = new Op.Scatter(new Selection.Tuples(0), Op.ScatterKind.REPLACE);
    assertThat(
            reals(eval(op, type(2, 2, 2), data, i64(shape(1, 2), 1, -2), f32(shape(1, 2), 8, 9))))
        .containsExactly(0, 1, 2, 3, 8, 9, 6, 7);
    assertThatThrownBy(
            () -> eval(op, type(2, 2, 2), data, i64(shape(1, 2), 0, 2), f32(shape(1, 2), 8, 9)))
        .hasMessage("node 'node': index 2 is outside [-2, 1] on axis 1, position 1");
  }

  @Test
  void gatherReadsZeroForAnIgnoredIndex() {
    Tensor data = f32(shape(3), 1, 2, 3);
    Op op = new Op.Gather(new Selection.Slices(0), new IndexBounds(false, -1L));
    assertThat(reals(eval(op, type(3), data, i64(shape(3), 2, -1, 0)))).containsExactly(3, 0, 1);
    assertThatThrownBy(() -> eval(op, type(2), data, i64(shape(2), -1, -2)))
        .hasMessage("node 'node': index -2 is outside [0, 2] on axis 0, position 1");
  }

  @Test
  void evaluatingABadIndexNamesNodeIndexAndBounds() {
    Tensor data = f32(shape(3), 1, 2, 3);
    assertThatThrownBy(
            () -> eval(new Op.Gather(new Selection.Slices(0)), type(2), data, i64(shape(2), 0, 3)))
        .isInstanceOf(DataFailure.class)
        .hasMessage("node 'node': index 3 is outside [-3, 2] on axis 0, position 1");
  }

  @Test
  void matMulMultipliesWithEitherOperandTransposed() {
    Tensor a = f32(shape(2, 3), 1, 2, 3, 4, 5, 6);
    Tensor b = f32(shape(3, 2), 1, 0, 0, 1, 1, 1);
    double[] product = {4, 5, 10, 11};
    assertThat(reals(eval(new Op.MatMul(false, false), type(2, 2), a, b))).containsExactly(product);
    Tensor aT = f32(shape(3, 2), 1, 4, 2, 5, 3, 6);
    Tensor bT = f32(shape(2, 3), 1, 0, 1, 0, 1, 1);
    assertThat(reals(eval(new Op.MatMul(true, true), type(2, 2), aT, bT))).containsExactly(product);
  }

  @Test
  void matMulBroadcastsLeadingAxes() {
    Tensor a = f32(shape(2, 1, 2), 1, 2, 3, 4);
    Tensor b = f32(shape(2, 1), 1, 10);
    assertThat(reals(eval(new Op.MatMul(false, false), type(2, 1, 1), a, b)))
        .containsExactly(21, 43);
  }

  @Test
  void integerProductsWrap() {
    Tensor a = wholes(ElementType.I8, shape(1, 2), 100, 100);
    Tensor b = wholes(ElementType.I8, shape(2, 1), 2, 1);
    TensorType i8 = TensorType.of(ElementType.I8, 1, 1);
    assertThat(wholes(eval(new Op.MatMul(false, false), i8, a, b))).containsExactly(44);
  }

  @Test
  void convolutionSumsOverWindowAndChannels() {
    Tensor x = f32(shape(1, 1, 3, 3), 1, 2, 3, 4, 5, 6, 7, 8, 9);
    Tensor w = f32(shape(1, 1, 2, 2), 1, 0, 0, 10);
    assertThat(reals(eval(new Op.Conv(window(2, 1, 0), 1), type(1, 1, 2, 2), x, w)))
        .containsExactly(51, 62, 84, 95);
    assertThat(reals(eval(new Op.Conv(window(2, 2, 1), 1), type(1, 1, 2, 2), x, w)))
        .containsExactly(10, 30, 70, 95);
  }

  @Test
  void groupsSeparateChannels() {
    Tensor x = f32(shape(1, 2, 1, 1), 3, 5);
    Tensor w = f32(shape(2, 1, 1, 1), 2, 4);
    assertThat(reals(eval(new Op.Conv(window(1, 1, 0), 2), type(1, 2, 1, 1), x, w)))
        .containsExactly(6, 20);
  }

  @Test
  void transposedConvolutionScattersTheWindow() {
    Tensor x = f32(shape(1, 1, 2, 2), 1, 2, 3, 4);
    Tensor w = f32(shape(1, 1, 2, 2), 1, 10, 100, 1000);
    Op op = new Op.ConvTranspose(window(2, 1, 0), 1, List.of(0, 0));
    assertThat(reals(eval(op, type(1, 1, 3, 3), x, w)))
        .containsExactly(1, 12, 20, 103, 1234, 2040, 300, 3400, 4000);
  }

  @ParameterizedTest
  @ValueSource(ints = {3, 64, 65, 66, 200})
  void aWindowMuchWiderThanItsOperandSeesItAndPadding(int kernel) {
    int before = kernel / 2;
    List<Integer> ones = List.of(1, 1);
    Window wide =
        new Window(
            List.of(2, kernel), ones, ones, List.of(1, before), List.of(0, kernel - 1 - before));
    Tensor x = f32(shape(1, 1, 2, 4), 1, 2, 3, 4, 5, 6, 7, 8);
    for (PoolKind kind : PoolKind.values()) {
      Op op = new Op.WindowReduce(kind, wide, false);
      Value in = new Value("x", x.type());
      Node node = Node.of("pool", "Pool", op, List.of(in), new Value("y", type(1, 1, 2, 4)));
      assertThat(reals(Interpreter.results(node, List.of(x), 1 << 20).getFirst()))
          .as("%s %d", kind, kernel)
          .containsExactly(reals(Interpreter.evaluate(node, List.of(x))));
    }
  }

  @Test
  void poolingLeavesPaddingOut() {
    Tensor x = f32(shape(1, 1, 2, 2), -1, -2, -3, -4);
    TensorType out = type(1, 1, 2, 2);
    assertThat(reals(eval(new Op.WindowReduce(PoolKind.MAX, window(2, 2, 1), false), out, x)))
        .containsExactly(-1, -2, -3, -4);
    assertThat(reals(eval(new Op.WindowReduce(PoolKind.AVERAGE, window(2, 2, 1), false), out, x)))
        .containsExactly(-1, -2, -3, -4);
    assertThat(
            reals(
                eval(
                    new Op.WindowReduce(PoolKind.AVERAGE_WITH_PADDING, window(2, 2, 1), false),
                    out,
                    x)))
        .containsExactly(-0.25, -0.5, -0.75, -1);
  }

  @Test
  void ceilModeWindowsCountOnlyWhatPaddingReaches() {
    Tensor x = f32(shape(1, 1, 3, 3), 1, 1, 1, 1, 1, 1, 1, 1, 1);
    Op op = new Op.WindowReduce(PoolKind.AVERAGE_WITH_PADDING, window(2, 2, 0), true);
    assertThat(reals(eval(op, type(1, 1, 2, 2), x))).containsExactly(1, 1, 1, 1);
  }

  @Test
  void softmaxIsStable() {
    Tensor x = f32(shape(1, 2), 1000, 1000);
    assertThat(reals(eval(new Op.Softmax(1, false), type(1, 2), x))).containsExactly(0.5, 0.5);
    assertThat(reals(eval(new Op.Softmax(1, true), type(1, 2), x))[0])
        .isCloseTo(-Math.log(2), within(1e-7));
  }

  @Test
  void normalizeCentersAndScales() {
    Tensor x = f32(shape(1, 2), 1, 3);
    assertThat(reals(eval(new Op.Normalize(List.of(1), 0, true), type(1, 2), x)))
        .containsExactly(-1, 1);
    double rms = Math.sqrt(5);
    assertThat(reals(eval(new Op.Normalize(List.of(1), 0, false), type(1, 2), x)))
        .containsExactly((float) (1 / rms), (float) (3 / rms));
  }

  @Test
  void scanRunsEitherWay() {
    Tensor x = f32(shape(3), 1, 2, 3);
    assertThat(reals(eval(new Op.Scan(ScanKind.SUM, 0, false, false), type(3), x)))
        .containsExactly(1, 3, 6);
    assertThat(reals(eval(new Op.Scan(ScanKind.SUM, 0, true, true), type(3), x)))
        .containsExactly(5, 3, 0);
    assertThat(
            wholes(
                eval(
                    new Op.Scan(ScanKind.PRODUCT, 0, false, false),
                    longs(3),
                    i64(shape(3), 2, 3, 4))))
        .containsExactly(2, 6, 24);
  }

  @Test
  void anEpilogueSeesTheResultAndItsOwnInputs() {
    List<Tensor> inputs =
        List.of(f32(shape(2, 1), 1, 2), f32(shape(1, 2), 3, 4), f32(shape(2), 100, 200));
    Expr epilogue = new Cast(ElementType.I64, new Binary(BinaryOp.ADD, X, new Arg(1)));
    var node = Tensors.node(new Op.MatMul(false, false), epilogue, 2, longs(2, 2), inputs);
    assertThat(wholes(Interpreter.evaluate(node, inputs))).containsExactly(103, 204, 106, 208);
  }

  @Test
  void halfTypesSumInFullPrecision() {
    double[] ones = new double[4096];
    java.util.Arrays.fill(ones, 1);
    Tensor x = Tensors.reals(ElementType.F16, shape(4096), ones);
    Op sum = new Op.Reduce(ReduceKind.SUM, List.of(0), false, X);
    assertThat(reals(eval(sum, TensorType.of(ElementType.F16), x))).containsExactly(4096);
  }
}
