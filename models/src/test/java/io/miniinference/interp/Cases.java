package io.miniinference.interp;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.Expr;
import io.miniinference.ir.Expr.Arg;
import io.miniinference.ir.Expr.Binary;
import io.miniinference.ir.Expr.BinaryOp;
import io.miniinference.ir.Expr.Const;
import io.miniinference.ir.Expr.Select;
import io.miniinference.ir.Expr.Unary;
import io.miniinference.ir.Expr.UnaryOp;
import io.miniinference.ir.Node;
import io.miniinference.ir.Op;
import io.miniinference.ir.Op.PoolKind;
import io.miniinference.ir.Op.ReduceKind;
import io.miniinference.ir.Selection;
import io.miniinference.ir.Tensor;
import io.miniinference.ir.TensorType;
import io.miniinference.ir.Value;
import io.miniinference.ir.Window;
import io.miniinference.ir.type.OpType;
import io.miniinference.layout.Affine;
import io.miniinference.layout.Movement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/// Random nodes with inputs that fit them.
final class Cases {
  private final Random random;

  Cases(Random random) {
    this.random = random;
  }

  /// A node and what it reads.
  record Case(Node node, List<Tensor> inputs) {
    @Override
    public String toString() {
      return node.op() + " of " + node.inputs() + ", then " + node.epilogue();
    }
  }

  private Case of(Op op, Tensor... operands) {
    return of(op, null, operands.length, operands);
  }

  private Case of(Op op, @Nullable Expr epilogue, int operands, Tensor... inputs) {
    List<Value> values = new ArrayList<>();
    for (Tensor input : inputs) {
      values.add(new Value("x" + values.size(), input.type()));
    }
    Value placeholder = new Value("y", inputs[0].type());
    Node untyped = new Node("node", "Test", op, epilogue, operands, values, placeholder);
    Value output = new Value("y", OpType.of(untyped));
    return new Case(
        new Node("node", "Test", op, epilogue, operands, values, output), List.of(inputs));
  }

  /// As [#of(Op, Tensor...)], sometimes with a bias, an activation or a residual as epilogue.
  private Case withEpilogue(Op op, Tensor... operands) {
    Case bare = of(op, operands);
    TensorType type = bare.node.output().type();
    if (type.element() != ElementType.F32 || random.nextInt(3) == 0) {
      return bare;
    }
    long[] shape = type.shapeAt(1);
    long[] bias = new long[shape.length];
    Arrays.fill(bias, 1);
    bias[1] = shape[1];
    Tensor[] all = Arrays.copyOf(operands, operands.length + 2);
    all[operands.length] = Tensors.random(random, ElementType.F32, bias);
    all[operands.length + 1] = Tensors.random(random, ElementType.F32, shape);
    return of(op, activation(random.nextInt(3)), operands.length, all);
  }

  private static Expr activation(int kind) {
    Expr zero = Const.of(ElementType.F32, 0.0);
    Expr sum =
        new Binary(BinaryOp.ADD, new Binary(BinaryOp.MUL, new Arg(0), new Arg(1)), new Arg(2));
    return switch (kind) {
      case 0 -> new Binary(BinaryOp.MAX, sum, zero);
      case 1 -> new Unary(UnaryOp.TANH, sum);
      default ->
          new Select(
              new Binary(BinaryOp.LT, sum, zero),
              new Binary(BinaryOp.MUL, sum, Const.of(ElementType.F32, 0.25)),
              sum);
    };
  }

  private Tensor f32(long... shape) {
    return Tensors.random(random, ElementType.F32, shape);
  }

  private static final ElementType[] WHOLE = {
    ElementType.I64,
    ElementType.U64,
    ElementType.I32,
    ElementType.U32,
    ElementType.I16,
    ElementType.U8,
    ElementType.I8
  };

  private static final BinaryOp[] WHOLE_FUNCTIONS = {
    BinaryOp.ADD,
    BinaryOp.SUB,
    BinaryOp.MUL,
    BinaryOp.MIN,
    BinaryOp.MAX,
    BinaryOp.BIT_AND,
    BinaryOp.BIT_XOR,
    BinaryOp.SHIFT_LEFT,
    BinaryOp.SHIFT_RIGHT
  };

  Case conv() {
    boolean flat = random.nextInt(4) == 0;
    int groups = random.nextInt(1, 4);
    long in = random.nextInt(1, 4);
    long out = random.nextInt(1, 5);
    Window window = window(flat ? 1 : 2);
    long[] x = {random.nextInt(1, 3), in * groups, size(window, 0), flat ? 0 : size(window, 1)};
    long[] w = {out * groups, in, window.kernel().getFirst(), flat ? 0 : window.kernel().getLast()};
    int rank = flat ? 3 : 4;
    return withEpilogue(
        new Op.Conv(window, groups), f32(Arrays.copyOf(x, rank)), f32(Arrays.copyOf(w, rank)));
  }

  /// More channels, outputs and pixels than a register tile has.
  Case largeConv() {
    Window window = window(2);
    long in = random.nextInt(1, 20);
    long out = random.nextInt(1, 80);
    long[] x = {random.nextInt(1, 3), in, size(window, 0), size(window, 1)};
    long[] w = {out, in, window.kernel().getFirst(), window.kernel().getLast()};
    return withEpilogue(new Op.Conv(window, 1), f32(x), f32(w));
  }

  /// A window and an image as networks have them, with more channels than a vector has lanes.
  Case channelsConv() {
    int kernel = random.nextInt(2) * 2 + 1;
    int stride = random.nextInt(1, 3);
    int pad = kernel / 2;
    long height = random.nextInt(3, 30);
    long width = random.nextInt(3, 30);
    boolean flat = random.nextInt(4) == 0;
    Window window =
        flat
            ? window(List.of(kernel), List.of(stride), List.of(pad))
            : window(List.of(kernel, kernel), List.of(stride, stride), List.of(pad, pad));
    long in = random.nextInt(3) == 0 ? random.nextInt(90, 200) : random.nextInt(1, 20);
    long out = random.nextInt(16, 80);
    Tensor x = flat ? f32(2, in, width) : f32(random.nextInt(1, 3), in, height, width);
    Tensor w = flat ? f32(out, in, kernel) : f32(out, in, kernel, kernel);
    return withEpilogue(new Op.Conv(window, 1), x, w);
  }

  private static Window window(List<Integer> kernel, List<Integer> strides, List<Integer> pads) {
    List<Integer> dilations = kernel.stream().map(_ -> 1).toList();
    return new Window(kernel, strides, dilations, pads, pads);
  }

  /// As [#channelsConv], transposed.
  Case channelsConvTranspose() {
    Window w = window(2);
    boolean padded = random.nextBoolean() && w.span(0) > 2 && w.span(1) > 2;
    Window unpadded =
        new Window(w.kernel(), w.strides(), w.dilations(), List.of(0, 0), List.of(0, 0));
    List<Integer> more = List.of(random.nextInt(w.strides().get(0)), 0);
    long in = random.nextInt(1, 20);
    return withEpilogue(
        new Op.ConvTranspose(padded ? w : unpadded, 1, more),
        f32(random.nextInt(1, 3), in, random.nextInt(2, 20), random.nextInt(2, 20)),
        f32(in, random.nextInt(16, 80), w.kernel().get(0), w.kernel().get(1)));
  }

  Case convTranspose() {
    int groups = random.nextInt(1, 3);
    long in = random.nextInt(1, 4);
    long out = random.nextInt(1, 4);
    Window w = window(2);
    Window unpadded =
        new Window(w.kernel(), w.strides(), w.dilations(), List.of(0, 0), List.of(0, 0));
    boolean padded = random.nextBoolean() && w.span(0) > 2 && w.span(1) > 2;
    List<Integer> more = List.of(random.nextInt(w.strides().get(0)), 0);
    return withEpilogue(
        new Op.ConvTranspose(padded ? w : unpadded, groups, more),
        f32(
            2,
            in * groups,
            random.nextInt(2, 6),
            random.nextInt(6) == 0 ? 700 : random.nextInt(2, 6)),
        f32(in * groups, out, w.kernel().get(0), w.kernel().get(1)));
  }

  Case pool() {
    boolean flat = random.nextInt(4) == 0;
    Window window = window(flat ? 1 : 2);
    PoolKind kind = PoolKind.values()[random.nextInt(PoolKind.values().length)];
    long[] x = {2, random.nextInt(1, 4), size(window, 0), flat ? 0 : size(window, 1)};
    return withEpilogue(
        new Op.WindowReduce(kind, window, random.nextBoolean()),
        f32(Arrays.copyOf(x, flat ? 3 : 4)));
  }

  /// Of planes from which several patches are made.
  Case largePool() {
    Window window = window(2);
    PoolKind kind = PoolKind.values()[random.nextInt(PoolKind.values().length)];
    long height = window.span(0) + random.nextInt(60);
    long width = window.span(1) + random.nextInt(60);
    Op pool = new Op.WindowReduce(kind, window, random.nextBoolean());
    return withEpilogue(pool, f32(1, random.nextInt(1, 4), height, width));
  }

  private Window window(int rank) {
    List<List<Integer>> lists = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      lists.add(new ArrayList<>());
    }
    for (int axis = 0; axis < rank; axis++) {
      int kernel = random.nextInt(1, 5);
      lists.get(0).add(kernel);
      lists.get(1).add(random.nextInt(1, 4));
      lists.get(2).add(random.nextInt(1, 3));
      lists.get(3).add(random.nextInt(kernel));
      lists.get(4).add(random.nextInt(kernel));
    }
    return new Window(lists.get(0), lists.get(1), lists.get(2), lists.get(3), lists.get(4));
  }

  private long size(Window window, int axis) {
    int wide = axis == window.rank() - 1 && random.nextInt(12) == 0 ? 600 : 0;
    return window.span(axis) + random.nextInt(24) + wide;
  }

  Case matMul() {
    boolean transposeA = random.nextBoolean();
    boolean transposeB = random.nextBoolean();
    long depth = random.nextInt(4) == 0 ? random.nextInt(255, 270) : random.nextInt(0, 20);
    long height = random.nextInt(4) == 0 ? random.nextInt(63, 70) : random.nextInt(1, 9);
    long width = random.nextInt(4) == 0 ? random.nextInt(510, 520) : random.nextInt(1, 9);
    long[] a = transposeA ? Tensors.shape(depth, height) : Tensors.shape(height, depth);
    long[] b = transposeB ? Tensors.shape(width, depth) : Tensors.shape(depth, width);
    return withEpilogue(
        new Op.MatMul(transposeA, transposeB),
        f32(random.nextBoolean() ? a : lead(2, a)),
        f32(random.nextBoolean() ? b : lead(random.nextBoolean() ? 1 : 2, b)));
  }

  private static long[] lead(long first, long[] rest) {
    long[] shape = new long[rest.length + 1];
    shape[0] = first;
    System.arraycopy(rest, 0, shape, 1, rest.length);
    return shape;
  }

  Case elementwise() {
    long[] shape = {random.nextInt(1, 4), random.nextInt(1, 5), random.nextInt(1, 7), 5};
    Tensor bias = f32(1, shape[1], 1, 1);
    Expr expr = activation(random.nextInt(3));
    TensorType type = TensorType.of(ElementType.F32, shape);
    return of(new Op.Elementwise(expr, type), f32(shape), bias, f32(shape));
  }

  /// Integers, in a type that may be a narrow one, and floats made of them.
  Case wholes() {
    ElementType type = WHOLE[random.nextInt(WHOLE.length)];
    long[] shape = random.nextBoolean() ? Tensors.shape(700) : Tensors.shape(3, 5, 7);
    long[] last = {shape[shape.length - 1]};
    Expr expr = whole(type, 3, shape.length == 1);
    ElementType result = type;
    if (random.nextInt(3) == 0) {
      result = random.nextBoolean() ? ElementType.F32 : WHOLE[random.nextInt(WHOLE.length)];
      expr = new Expr.Cast(result, expr);
    }
    return of(
        new Op.Elementwise(expr, TensorType.of(result, shape)),
        Tensors.random(random, type, shape),
        Tensors.random(random, type, last));
  }

  /* No divisor is zero, and nothing is raised to a power. */
  private Expr whole(ElementType type, int depth, boolean withIndex) {
    if (depth == 0) {
      return switch (random.nextInt(withIndex ? 4 : 3)) {
        case 0, 1 -> new Arg(random.nextInt(2));
        case 2 -> Const.of(type, (long) random.nextInt(100));
        default -> new Expr.Cast(type, new Expr.Index(0));
      };
    }
    Expr a = whole(type, depth - 1, withIndex);
    Expr b = whole(type, depth - 1, withIndex);
    BinaryOp op = WHOLE_FUNCTIONS[random.nextInt(WHOLE_FUNCTIONS.length)];
    return switch (random.nextInt(6)) {
      case 0 -> new Select(new Binary(BinaryOp.LT, a, b), a, b);
      case 1 -> new Unary(random.nextBoolean() ? UnaryOp.NEG : UnaryOp.BIT_NOT, a);
      case 2 -> new Binary(quotient(), a, new Binary(BinaryOp.BIT_OR, b, Const.of(type, 1L)));
      default -> new Binary(op, a, b);
    };
  }

  private BinaryOp quotient() {
    return List.of(BinaryOp.DIV, BinaryOp.REM, BinaryOp.MOD).get(random.nextInt(3));
  }

  Case reduce() {
    ReduceKind kind = ReduceKind.values()[random.nextInt(4)];
    List<Integer> axes = random.nextBoolean() ? List.of(1) : List.of(0, 2);
    Expr map = random.nextBoolean() ? new Arg(0) : new Binary(BinaryOp.MUL, new Arg(0), new Arg(0));
    return of(new Op.Reduce(kind, axes, random.nextBoolean(), map), f32(3, 4, 5));
  }

  Case line() {
    Tensor x = f32(3, 4, 5);
    int axis = random.nextInt(3);
    return switch (random.nextInt(3)) {
      case 0 -> withEpilogue(new Op.Softmax(axis, random.nextBoolean()), x);
      case 1 -> withEpilogue(new Op.Normalize(List.of(axis), 1e-5, random.nextBoolean()), x);
      default ->
          of(new Op.Scan(Op.ScanKind.SUM, axis, random.nextBoolean(), random.nextBoolean()), x);
    };
  }

  Case move() {
    Tensor x = Tensors.random(random, anyType(), 3, 4, 5);
    return switch (random.nextInt(9)) {
      case 0 -> of(new Op.View(new Movement.Transpose(List.of(2, 0, 1))), x);
      case 1 -> of(new Op.View(new Movement.Reshape(affine(6, 10))), x);
      case 2 ->
          of(
              new Op.View(
                  new Movement.Slice(affine(2, 1, 0), List.of(-1L, 2L, 1L), affine(3, 2, 5))),
              x);
      case 3 -> of(new Op.View(new Movement.Expand(affine(2, 3, 4, 5))), x);
      case 4 -> {
        int axis = random.nextInt(3);
        long[] other = {3, 4, 5};
        other[axis] = 2;
        yield of(new Op.Concat(axis), x, Tensors.random(random, x.element(), other), x);
      }
      case 5 -> {
        Tensor at = Tensors.i64(Tensors.shape(2, 2, 2), 2, -3, 0, -1, 1, 1, -2, 2);
        yield of(new Op.Gather(new Selection.Elements(random.nextInt(3))), x, at);
      }
      case 6 -> {
        int length = random.nextInt(1, 4);
        Tensor at = Tensors.i64(Tensors.shape(6 / length, length), 2, -3, 0, -1, 1, -2);
        yield of(new Op.Gather(new Selection.Tuples(0)), x, at);
      }
      case 7 -> scatter(x);
      default -> {
        Tensor at = Tensors.i64(Tensors.shape(2, 2), 2, -3, 0, -1);
        yield of(new Op.Gather(new Selection.Slices(random.nextInt(3))), x, at);
      }
    };
  }

  /* With several updates for some places. */
  private Case scatter(Tensor x) {
    Op.ScatterKind[] kinds = Op.ScatterKind.values();
    Op.ScatterKind kind =
        x.element() == ElementType.BOOL
            ? Op.ScatterKind.REPLACE
            : kinds[random.nextInt(kinds.length)];
    if (random.nextBoolean()) {
      Tensor at = Tensors.i64(Tensors.shape(2, 3, 2), 2, -3, 0, -1, 1, 1, -2, 2, 0, 0, 1, -1);
      Tensor updates = Tensors.random(random, x.element(), 2, 3, 2);
      return of(new Op.Scatter(new Selection.Elements(random.nextInt(3)), kind), x, at, updates);
    }
    int length = random.nextInt(1, 4);
    Tensor at =
        Tensors.i64(Tensors.shape(12 / length, length), 2, -3, 0, -1, 1, -2, 2, 2, 0, 1, -1, 0);
    long[] shape = Arrays.copyOfRange(x.shape(), length - 1, 3);
    shape[0] = 12 / length;
    Tensor updates = Tensors.random(random, x.element(), shape);
    return of(new Op.Scatter(new Selection.Tuples(0), kind), x, at, updates);
  }

  private ElementType anyType() {
    return ElementType.values()[random.nextInt(ElementType.values().length)];
  }

  private static List<Affine> affine(long... values) {
    return Arrays.stream(values).mapToObj(Affine::of).toList();
  }

  Case any() {
    return switch (random.nextInt(9)) {
      case 8 -> wholes();
      case 0 -> conv();
      case 1 -> convTranspose();
      case 2 -> pool();
      case 3 -> matMul();
      case 4 -> elementwise();
      case 5 -> reduce();
      case 6 -> line();
      default -> move();
    };
  }
}
