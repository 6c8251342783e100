package io.miniinference.codegen.gpu;

import static io.miniinference.ir.ElementType.F16;
import static io.miniinference.ir.ElementType.F32;
import static io.miniinference.ir.ElementType.F64;
import static io.miniinference.ir.ElementType.I32;
import static io.miniinference.ir.ElementType.I64;
import static io.miniinference.ir.ElementType.U8;
import static io.miniinference.ir.Exprs.arg;
import static io.miniinference.ir.Exprs.const_;
import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.conformance.Closeness;
import io.miniinference.conformance.RandomTensors;
import io.miniinference.conformance.Rig;
import io.miniinference.device.choice.Devices;
import io.miniinference.interp.Interpreter;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Expr;
import io.miniinference.ir.Expr.Binary;
import io.miniinference.ir.Expr.BinaryOp;
import io.miniinference.ir.Graph;
import io.miniinference.ir.Op;
import io.miniinference.ir.Op.PoolKind;
import io.miniinference.ir.Op.ReduceKind;
import io.miniinference.ir.Tensor;
import io.miniinference.ir.TensorType;
import io.miniinference.ir.Value;
import io.miniinference.ir.Window;
import io.miniinference.ir.build.GraphBuilder;
import io.miniinference.ir.build.Lowering;
import io.miniinference.layout.Affine;
import io.miniinference.lower.FailureSlot;
import io.miniinference.testing.device.UnoptimisedKernels;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/// Graphs through the GPU writer's kernels, on whatever OpenCL device there is, against the
/// interpreter.
@Tag("opencl")
@ExtendWith(UnoptimisedKernels.class)
final class GpuTargetTest {
  private static final long SEED = 20261120;
  private static final Expr RELU = binary(BinaryOp.MAX, arg(0), const_(F32, 0.0));
  private static final Expr BIAS_RELU =
      binary(BinaryOp.MAX, binary(BinaryOp.ADD, arg(0), arg(1)), const_(F32, 0.0));
  private static final Expr BIAS_RESIDUAL =
      binary(BinaryOp.ADD, binary(BinaryOp.ADD, arg(0), arg(1)), arg(2));

  @TempDir static Path cache;
  private static Rig rig;

  private RandomTensors random;
  private GraphBuilder graph;
  private Lowering node;
  private int inputs;

  @BeforeAll
  static void open() {
    rig = Rig.of(new Devices(cache).open(Devices.Choice.OPENCL), new GpuTarget());
  }

  @AfterAll
  static void close() {
    rig.close();
  }

  @BeforeEach
  void startGraph() {
    random = new RandomTensors(SEED);
    graph = new GraphBuilder("test");
    node = graph.lowering("node", "Test");
  }

  private static Expr binary(BinaryOp op, Expr left, Expr right) {
    return new Binary(op, left, right);
  }

  private Value input(ElementType type, Affine... shape) {
    return graph.input("x" + inputs++, new TensorType(type, List.of(shape)));
  }

  private Value input(Affine... shape) {
    return input(F32, shape);
  }

  private Value weight(long... shape) {
    return node.constant(random.of(F32, shape));
  }

  private static Affine of(long constant) {
    return Affine.of(constant);
  }

  private static Window window(int kernel, int stride, int pad) {
    return window(2, kernel, stride, 1, pad);
  }

  private static Window window(int rank, int kernel, int stride, int dilation, int pad) {
    return new Window(
        Collections.nCopies(rank, kernel),
        Collections.nCopies(rank, stride),
        Collections.nCopies(rank, dilation),
        Collections.nCopies(rank, pad),
        Collections.nCopies(rank, pad));
  }

  private void checkAt(List<Integer> batches, Value... outputs) {
    Graph built = graph.build(List.of(outputs));
    List<List<Tensor>> sets = batches.stream().map(n -> random.inputs(built, n)).toList();
    List<List<Tensor>> actual = rig.run(built, sets);
    for (int s = 0; s < sets.size(); s++) {
      List<Tensor> expected = Interpreter.run(built, sets.get(s));
      for (int i = 0; i < expected.size(); i++) {
        assertThat(Closeness.difference(actual.get(s).get(i), expected.get(i)))
            .as("output %d at batch %d, seed %d", i, batches.get(s), SEED)
            .isEmpty();
      }
    }
  }

  private void check(Value... outputs) {
    checkAt(List.of(1, 3), outputs);
  }

  @Test
  void elementwiseBroadcastsAndConverts() {
    Value x = input(Affine.N, of(3), of(5));
    Value row = input(of(5));
    Value sum = node.elementwise(binary(BinaryOp.ADD, arg(0), arg(1)), x, row);
    Value whole = node.elementwise(new Expr.Cast(I32, arg(0)), sum);
    Value half = node.elementwise(new Expr.Cast(F16, arg(0)), sum);
    checkAt(List.of(0, 1, 3, 100), sum, whole, half);
  }

  @Test
  void elementwiseFourAtATime() {
    Value x = input(Affine.N, of(3), of(8));
    Value column = input(of(3), of(1));
    Value shifted = node.slice(input(Affine.N, of(3), of(9)), 2, of(1), of(8));
    Expr sum = binary(BinaryOp.ADD, binary(BinaryOp.MUL, arg(0), arg(1)), arg(2));
    Expr place = new Expr.Cast(F32, new Expr.Index(2));
    checkAt(
        List.of(0, 1, 3, 50),
        node.elementwise(binary(BinaryOp.ADD, sum, place), x, column, shifted),
        node.elementwise(sum, x, weight(8), weight()));
  }

  @Test
  void transposedViewsAndConcatsAreCopiedInOrder() {
    Value x = input(Affine.N, of(4), of(6));
    Value swapped = node.transpose(x, List.of(0, 2, 1));
    Value joined = node.concat(1, List.of(swapped, node.slice(swapped, 1, of(1), of(3))));
    check(joined, node.reshape(swapped, List.of(Affine.N, of(24))));
  }

  /// As ShuffleNet has them: parts of images whose channels lie four by four, and others.
  @Test
  void shuffledChannelsAreReadWhereTheyLie() {
    List<Value> outputs = new ArrayList<>();
    for (long half : new long[] {6, 8}) {
      Value x = input(Affine.N, of(8), of(5), of(5));
      Value image = node.conv(window(1, 1, 0), 1, x, weight(2 * half, 8, 1, 1));
      Value groups = node.reshape(image, List.of(Affine.N, of(2), of(half), of(5), of(5)));
      Value turned = node.transpose(groups, List.of(0, 2, 1, 3, 4));
      Value shuffled = node.reshape(turned, List.of(Affine.N, of(2 * half), of(5), of(5)));
      Value last = node.slice(shuffled, 1, of(half), of(half));
      Value product = node.conv(window(1, 1, 0), 1, last, weight(12, half, 1, 1));
      outputs.add(node.concat(1, List.of(node.slice(shuffled, 1, of(0), of(half)), product)));
      outputs.add(node.conv(window(3, 1, 1), (int) half, last, weight(half, 1, 3, 3)));
    }
    check(outputs.toArray(Value[]::new));
  }

  @Test
  void attentionReadsPartsOfRows() {
    Value all = input(Affine.N, of(9), of(3 * 2 * 8));
    List<Value> heads = new ArrayList<>();
    for (int part = 0; part < 3; part++) {
      Value flat = node.slice(all, 2, of(part * 16L), of(16));
      Value each = node.reshape(flat, List.of(Affine.N, of(9), of(2), of(8)));
      heads.add(node.transpose(each, List.of(0, 2, 1, 3)));
    }
    Op attention = new Op.Attention(true, 0.25, Op.Attention.Blind.NAN);
    check(node.op(attention, heads.toArray(Value[]::new)));
  }

  @Test
  void shortAndLongRowsReduce() {
    Value x = input(Affine.N, of(7), of(200));
    List<Value> outputs = new ArrayList<>();
    for (ReduceKind kind : ReduceKind.values()) {
      Expr map =
          kind == ReduceKind.PRODUCT ? binary(BinaryOp.ADD, arg(0), const_(F32, 1.0)) : arg(0);
      if (kind != ReduceKind.PRODUCT) {
        outputs.add(node.reduce(kind, List.of(2), false, map, x));
      }
      outputs.add(node.reduce(kind, List.of(1), true, map, x));
    }
    outputs.add(node.reduce(ReduceKind.SUM, List.of(0, 2), false, x));
    outputs.add(node.reduce(ReduceKind.MAX, List.of(0), false, x));
    check(outputs.toArray(Value[]::new));
  }

  @Test
  void equalExtremesGiveTheirFirstOrLastIndex() {
    Value x = input(I32, Affine.N, of(300));
    Value same = node.elementwise(binary(BinaryOp.DIV, arg(0), const_(I32, 9L)), x);
    check(
        node.reduce(ReduceKind.ARG_MAX, List.of(1), false, same),
        node.reduce(ReduceKind.ARG_MAX_LAST, List.of(1), false, same),
        node.reduce(ReduceKind.ARG_MIN, List.of(1), true, same),
        node.reduce(ReduceKind.ARG_MIN_LAST, List.of(1), true, same));
  }

  @Test
  void notANumberIsTheExtremeWherever() {
    Value x = input(Affine.N, of(100));
    Value roots = node.elementwise(new Expr.Unary(Expr.UnaryOp.SQRT, arg(0)), x);
    check(
        node.reduce(ReduceKind.MAX, List.of(1), false, roots),
        node.reduce(ReduceKind.MIN, List.of(1), false, roots));
  }

  @Test
  void softmaxOverShortLongAndOuterRows() {
    Value x = input(Affine.N, of(6), of(77));
    check(
        node.softmax(2, false, x),
        node.softmax(2, true, x),
        node.softmax(1, false, x),
        node.softmax(0, true, x));
  }

  @Test
  void normalizationOverOneAndSeveralAxes() {
    Value x = input(Affine.N, of(3), of(5), of(9));
    Value scaled =
        node.op(
            new Op.Normalize(List.of(2, 3), 1e-5, true),
            List.of(x),
            BIAS_RESIDUAL,
            List.of(weight(3, 1, 1), weight(9)));
    check(
        scaled,
        node.normalize(List.of(3), 1e-5, false, x),
        node.normalize(List.of(1), 1e-5, true, x));
  }

  @Test
  void scansRunEitherWay() {
    Value x = input(Affine.N, of(4), of(5));
    check(
        node.scan(Op.ScanKind.SUM, 1, false, true, x),
        node.scan(Op.ScanKind.SUM, 2, true, false, x),
        node.scan(Op.ScanKind.PRODUCT, 2, false, false, x));
  }

  @Test
  void gatherTakesRowsAndColumns() {
    Value table = weight(10, 6);
    Value at = input(I64, Affine.N, of(4));
    Value wrapped = node.elementwise(binary(BinaryOp.MOD, arg(0), const_(10L)), at);
    Value x = input(Affine.N, of(3), of(12));
    check(node.gather(0, table, wrapped), node.gather(2, x, node.constant(random.of(U8, 5))));
  }

  @Test
  void theFirstBadIndexOfARowIsReported() {
    Value table = weight(10, 40);
    Value at = input(I64, Affine.N, of(3));
    Graph built = graph.build(List.of(node.gather(0, table, at)));
    Tensor indices = Interpreter.allocate(I64, 3, 3);
    long[] values = {1, -10, 9, 0, 11, 12, -11, 5, 99};
    for (int i = 0; i < values.length; i++) {
      indices.data().set(ValueLayout.JAVA_LONG_UNALIGNED, 8L * i, values[i]);
    }
    MemorySegment slots = rig.outcomes(built, List.of(List.of(indices))).getFirst().slots();
    assertThat(slot(slots, 0)).containsExactly(0L, 0L, 0L, 0L, 0L);
    assertThat(slot(slots, 1)).containsExactly(0L, 0L, 0L, 0L, 0L);
    assertThat(slot(slots, 2)).containsExactly(1L, 4L, 11L, -10L, 9L);
    assertThat(slot(slots, 3)).containsExactly(1L, 6L, -11L, -10L, 9L);
  }

  private static List<Long> slot(MemorySegment slots, long slot) {
    long at = slot * FailureSlot.BYTES;
    return List.of(
        (long) slots.get(ValueLayout.JAVA_INT_UNALIGNED, at + FailureSlot.STEP),
        slots.get(ValueLayout.JAVA_LONG_UNALIGNED, at + FailureSlot.POSITION),
        slots.get(ValueLayout.JAVA_LONG_UNALIGNED, at + FailureSlot.INDEX),
        slots.get(ValueLayout.JAVA_LONG_UNALIGNED, at + FailureSlot.LOW),
        slots.get(ValueLayout.JAVA_LONG_UNALIGNED, at + FailureSlot.HIGH));
  }

  private Value dense(Value x, int inputs, int outputs, boolean transposed) {
    Value w = transposed ? weight(outputs, inputs) : weight(inputs, outputs);
    return node.op(
        new Op.MatMul(false, transposed), List.of(x, w), BIAS_RELU, List.of(weight(outputs)));
  }

  @Test
  void productsWithWeightsOfAnyWidth() {
    Value x = input(Affine.N, of(37));
    Value h = dense(x, 37, 100, false);
    Value y = dense(h, 100, 10, true);
    checkAt(List.of(0, 1, 5, 70), h, y);
  }

  @Test
  void largeProductsUseLargeTiles() {
    Value x = input(Affine.N, of(150), of(32));
    Value y =
        node.op(
            new Op.MatMul(false, false),
            List.of(x, weight(32, 72)),
            BIAS_RESIDUAL,
            List.of(weight(72), input(Affine.N, of(150), of(72))));
    check(y, dense(x, 32, 3, false));
  }

  @Test
  void productsOfEachMatrixOfABatch() {
    Value q = input(Affine.N, of(2), of(9), of(8));
    Value k = input(Affine.N, of(2), of(13), of(8));
    Value v = input(of(2), of(13), of(5));
    Value scores = node.matMul(q, k, false, true);
    check(node.matMul(scores, v), node.matMul(q, q, true, false), node.matMul(k, k, true, false));
  }

  @Test
  void productsOfStridedViews() {
    Value x = input(Affine.N, of(6), of(2), of(8));
    Value heads = node.transpose(x, List.of(0, 2, 1, 3));
    Value turned = node.transpose(heads, List.of(0, 1, 3, 2));
    check(node.matMul(heads, turned), node.matMul(turned, heads));
  }

  @Test
  void productsWhoseRowsGrowWithTheBatchPerMatrix() {
    Value x = input(of(3), Affine.N, of(8));
    check(node.matMul(x, weight(3, 8, 12)));
  }

  @Test
  void productsOfOtherTypes() {
    Value x = input(F64, Affine.N, of(7));
    Value whole = input(I32, Affine.N, of(7));
    check(
        node.matMul(x, node.constant(random.of(F64, 7, 5))),
        node.matMul(whole, node.constant(random.of(I32, 5, 7)), false, true));
  }

  private Value conv(Value x, int outputs, Window window, int groups) {
    long channels = x.type().dim(1).asConstant();
    long[] shape = new long[window.rank() + 2];
    shape[0] = outputs;
    shape[1] = channels / groups;
    for (int d = 0; d < window.rank(); d++) {
      shape[d + 2] = window.kernel().get(d);
    }
    long[] bias = new long[window.rank() + 1];
    java.util.Arrays.fill(bias, 1);
    bias[0] = outputs;
    return node.op(
        new Op.Conv(window, groups), List.of(x, weight(shape)), BIAS_RELU, List.of(weight(bias)));
  }

  @Test
  void aChainOfConvolutionsAndPools() {
    Value x = input(Affine.N, of(1), of(13), of(13));
    Value a = conv(x, 12, window(3, 1, 1), 1);
    Value b = conv(a, 24, window(3, 2, 1), 1);
    Value c = node.pool(PoolKind.MAX, window(2, 2, 0), false, b);
    Value d = conv(c, 8, window(1, 1, 0), 1);
    Value y = dense(node.reshape(d, List.of(Affine.N, of(72))), 72, 10, false);
    checkAt(List.of(0, 1, 5), y);
  }

  @Test
  void convolutionsOfEachWidthOfTile() {
    Value x = input(Affine.N, of(6), of(9), of(7));
    List<Value> outputs = new ArrayList<>();
    for (int channels : new int[] {2, 5, 96}) {
      outputs.add(conv(x, channels, window(3, 1, 1), 1));
    }
    check(outputs.toArray(Value[]::new));
  }

  @Test
  void convolutionsOfManyPixelsDilatedAndWide() {
    Value x = input(Affine.N, of(16), of(17), of(15));
    check(conv(x, 64, window(2, 3, 1, 2, 2), 1), conv(x, 20, window(5, 1, 2), 1));
  }

  @Test
  void residualsAreAddedInPlace() {
    Value x = input(Affine.N, of(8), of(5), of(5));
    Value a = conv(x, 8, window(3, 1, 1), 1);
    Value b = conv(a, 8, window(3, 1, 1), 1);
    Value y =
        node.op(
            new Op.Conv(window(3, 1, 1), 1),
            List.of(b, weight(8, 8, 3, 3)),
            BIAS_RESIDUAL,
            List.of(weight(8, 1, 1), a));
    check(node.elementwise(RELU, y));
  }

  @Test
  void groupedAndDepthwiseConvolutions() {
    Value x = input(Affine.N, of(12), of(8), of(8));
    check(
        conv(conv(x, 12, window(3, 1, 1), 12), 8, window(1, 1, 0), 1),
        conv(x, 6, window(3, 2, 1), 3));
  }

  @Test
  void convolutionsReadWithTheirChannelsOnTheLastAxis() {
    Value a = conv(input(Affine.N, of(8), of(6), of(5)), 8, window(7, 1, 3), 8);
    Value rows = node.transpose(a, List.of(0, 2, 3, 1));
    Value normalized = node.normalize(List.of(3), 1e-5, false, rows);
    Value image = node.transpose(normalized, List.of(0, 3, 1, 2));
    Value line = conv(input(Affine.N, of(8), of(9)), 8, window(1, 3, 1, 1, 1), 1);
    check(
        conv(image, 8, window(7, 1, 3), 8),
        dense(normalized, 8, 12, false),
        dense(node.transpose(line, List.of(0, 2, 1)), 8, 12, false));
  }

  @Test
  void convolutionsOfOneAndThreeSpatialAxes() {
    Value line = input(Affine.N, of(5), of(31));
    Value cube = input(Affine.N, of(2), of(4), of(5), of(6));
    check(
        conv(line, 9, window(1, 3, 2, 1, 1), 1),
        conv(conv(line, 8, window(1, 3, 1, 1, 1), 1), 4, window(1, 1, 1, 1, 0), 1),
        conv(cube, 4, window(3, 2, 1, 1, 1), 1));
  }

  @Test
  void transposedConvolutions() {
    Value x = input(Affine.N, of(6), of(5), of(5));
    Op two = new Op.ConvTranspose(window(3, 2, 1), 1, List.of(1, 1));
    Op grouped = new Op.ConvTranspose(window(2, 1, 0), 2, List.of(0, 0));
    Value up = node.op(two, List.of(x, weight(6, 8, 3, 3)), RELU, List.of());
    check(conv(up, 4, window(3, 1, 1), 1), node.op(grouped, x, weight(6, 2, 2, 2)));
  }

  @Test
  void poolsOfEachKind() {
    Value x = conv(input(Affine.N, of(3), of(9), of(9)), 8, window(1, 1, 0), 1);
    List<Value> outputs = new ArrayList<>();
    for (PoolKind kind : PoolKind.values()) {
      outputs.add(node.pool(kind, window(3, 2, 1), true, x));
    }
    outputs.add(node.reduce(ReduceKind.SUM, List.of(2, 3), true, x));
    check(outputs.toArray(Value[]::new));
  }

  @Test
  void channelsLastValuesAreConcatenatedWithoutConversion() {
    Value x = input(Affine.N, of(3), of(6), of(6));
    Value a = conv(x, 8, window(1, 1, 0), 1);
    Value b = conv(x, 4, window(3, 1, 1), 1);
    Value joined = node.concat(1, List.of(a, b));
    Value y = conv(joined, 8, window(3, 1, 1), 1);
    Graph built = graph.build(List.of(y));
    Tensor image = random.of(F32, 2, 3, 6, 6);
    Rig.Outcome got = rig.outcomes(built, List.of(List.of(image))).getFirst();
    Tensor expected = Interpreter.run(built, List.of(image)).getFirst();
    assertThat(Closeness.difference(got.outputs().getFirst(), expected)).isEmpty();
    assertThat(got.launches()).as("three convolutions, each into its place").isEqualTo(3);
  }
}
