package io.miniinference.testing;

import static io.miniinference.ir.Exprs.abs;
import static io.miniinference.ir.Exprs.add;
import static io.miniinference.ir.Exprs.arg;
import static io.miniinference.ir.Exprs.cast;
import static io.miniinference.ir.Exprs.const_;
import static io.miniinference.ir.Exprs.div;
import static io.miniinference.ir.Exprs.exp;
import static io.miniinference.ir.Exprs.index;
import static io.miniinference.ir.Exprs.max;
import static io.miniinference.ir.Exprs.min;
import static io.miniinference.ir.Exprs.mul;
import static io.miniinference.ir.Exprs.neg;
import static io.miniinference.ir.Exprs.rem;
import static io.miniinference.ir.Exprs.round;
import static io.miniinference.ir.Exprs.sub;
import static io.miniinference.ir.Exprs.tanh;

import io.miniinference.interp.Interpreter;
import io.miniinference.interp.memory.TensorView;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Expr;
import io.miniinference.ir.Op;
import io.miniinference.ir.Op.PoolKind;
import io.miniinference.ir.Op.ReduceKind;
import io.miniinference.ir.Op.ScanKind;
import io.miniinference.ir.Op.ScatterKind;
import io.miniinference.ir.Selection;
import io.miniinference.ir.Tensor;
import io.miniinference.ir.Value;
import io.miniinference.ir.Window;
import io.miniinference.layout.Affine;
import io.miniinference.testing.RandomModel.Domain;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/// Adds random operators to a scope, over values that it has.
final class RandomOperators {
  private static final Expr HALF = const_(ElementType.F32, 0.5);

  private final Scope scope;
  private final Domain domain;
  private final Random random;

  RandomOperators(Scope scope, Domain domain) {
    this.scope = scope;
    this.domain = domain;
    random = scope.random();
  }

  static Tensor whole(long value) {
    Tensor tensor = Interpreter.allocate(ElementType.I64);
    TensorView.of(tensor).wholeAt(0, value);
    return tensor;
  }

  static Tensor truth() {
    Tensor tensor = Interpreter.allocate(ElementType.BOOL);
    TensorView.of(tensor).wholeAt(0, 1);
    return tensor;
  }

  /// An expression over two values that grows no larger than them.
  static Expr blend(Random random) {
    return switch (random.nextInt(5)) {
      case 0 -> mul(HALF, add(arg(0), arg(1)));
      case 1 -> mul(HALF, sub(arg(0), arg(1)));
      case 2 -> max(arg(0), neg(arg(1)));
      case 3 -> min(arg(1), arg(0));
      default -> div(arg(0), add(abs(arg(1)), const_(ElementType.F32, 1.0)));
    };
  }

  /// Adds one.
  void next() {
    Value x = scope.any(v -> v.type().element() == ElementType.F32).orElseThrow();
    if (isImage(x) && random.nextBoolean()) {
      scope.add(image(x));
      return;
    }
    if (x.type().rank() == 0) {
      scope.add(unary(x));
      return;
    }
    int axis = random.nextInt(x.type().rank());
    switch (random.nextInt(16)) {
      case 0 -> scope.add(unary(x));
      case 1, 2 -> scope.add(binary(x));
      case 3, 4 -> scope.add(concat(x, axis));
      case 5, 6 -> scope.add(view(x, axis));
      case 7 -> split(x, axis);
      case 8 -> scope.add(reduced(x, axis));
      case 9 -> scope.add(line(x, axis));
      case 10 -> scope.add(product(x));
      case 11, 12 -> scope.add(updated(x, axis));
      case 13 -> scope.add(gathered(x, axis));
      case 14 -> scope.add(typed(x));
      default -> scope.add(unary(scope.like(x)));
    }
  }

  private Value unary(Value x) {
    Expr expr =
        switch (random.nextInt(6)) {
          case 0 -> tanh(mul(HALF, arg(0)));
          case 1 -> max(arg(0), const_(ElementType.F32, 0.0));
          case 2 -> exp(min(arg(0), const_(ElementType.F32, 1.0)));
          case 3 -> sub(const_(ElementType.F32, 1.0), arg(0));
          case 4 -> div(arg(0), add(const_(ElementType.F32, 1.0), abs(arg(0))));
          default -> position(x.type().rank());
        };
    return scope.at("unary").elementwise(expr, x);
  }

  private Expr position(int rank) {
    return rank == 0
        ? neg(arg(0))
        : add(arg(0), mul(HALF, cast(ElementType.F32, index(random.nextInt(rank)))));
  }

  private Value binary(Value x) {
    Value other = random.nextInt(3) > 0 ? scope.like(x) : line(x);
    return scope.at("binary").elementwise(blend(random), x, other);
  }

  /* A constant along one axis of `x`. */
  private Value line(Value x) {
    long[] shape = new long[x.type().rank()];
    java.util.Arrays.fill(shape, 1);
    int axis = random.nextInt(shape.length);
    shape[axis] = size(x, axis);
    return scope.constant(ElementType.F32, Content.NORMAL, shape);
  }

  /* 1 for an axis that depends on the batch. */
  private static long size(Value x, int axis) {
    Affine dim = x.type().dim(axis);
    return dim.isConstant() ? dim.constant() : 1;
  }

  /* Values that agree on all other axes, the same one often twice. */
  private Value concat(Value x, int axis) {
    List<Value> operands = new ArrayList<>(List.of(x));
    for (int i = random.nextInt(1, 4); i > 0; i--) {
      operands.add(scope.any(v -> fits(x, v, axis)).orElse(x));
    }
    Collections.shuffle(operands, random);
    return scope.at("concat").concat(axis, operands);
  }

  private static boolean fits(Value x, Value other, int axis) {
    if (other.type().element() != x.type().element() || other.type().rank() != x.type().rank()) {
      return false;
    }
    return other.type().dim(axis).isConstant() == x.type().dim(axis).isConstant()
        && IntStream.range(0, x.type().rank())
            .allMatch(i -> i == axis || other.type().dim(i).equals(x.type().dim(i)));
  }

  private Value view(Value x, int axis) {
    int rank = x.type().rank();
    return switch (random.nextInt(5)) {
      case 0 -> scope.at("transpose").transpose(x, permutation(rank));
      case 1 -> reversed(x, axis);
      case 2 -> slice(x, axis, random.nextInt((int) size(x, axis)));
      case 3 -> merged(x);
      default -> expanded(x);
    };
  }

  private List<Integer> permutation(int rank) {
    List<Integer> order = new ArrayList<>(IntStream.range(0, rank).boxed().toList());
    Collections.shuffle(order, random);
    return order;
  }

  /* Every one or two indices, from the last on. */
  private Value reversed(Value x, int axis) {
    long size = size(x, axis);
    long step = size > 3 ? random.nextInt(1, 3) : 1;
    List<Affine> starts = new ArrayList<>(Collections.nCopies(x.type().rank(), Affine.ZERO));
    List<Long> steps = new ArrayList<>(Collections.nCopies(x.type().rank(), 1L));
    List<Affine> extents = new ArrayList<>(x.type().shape());
    if (x.type().dim(axis).isConstant() && size > 0) {
      starts.set(axis, Affine.of(size - 1));
      steps.set(axis, -step);
      extents.set(axis, Affine.of((size + step - 1) / step));
    }
    return scope.at("reversed").slice(x, starts, steps, extents);
  }

  private Value slice(Value x, int axis, long start) {
    return x.type().dim(axis).isConstant()
        ? scope.at("slice").slice(x, axis, Affine.of(start), Affine.of(size(x, axis) - start))
        : x;
  }

  /* Two neighbouring axes as one. */
  private Value merged(Value x) {
    List<Affine> shape = new ArrayList<>(x.type().shape());
    if (shape.size() < 2) {
      return x;
    }
    int axis = random.nextInt(shape.size() - 1);
    Affine next = shape.remove(axis + 1);
    if (!shape.get(axis).isConstant() && !next.isConstant()) {
      return x;
    }
    shape.set(axis, shape.get(axis).times(next));
    return scope.at("reshape").reshape(x, shape);
  }

  private Value expanded(Value x) {
    if (x.type().rank() > 3) {
      return x;
    }
    List<Affine> shape = new ArrayList<>(x.type().shape());
    shape.add(random.nextInt(shape.size() + 1), Affine.ONE);
    Value wide = scope.at("insert").reshape(x, shape);
    shape.replaceAll(dim -> dim.equals(Affine.ONE) ? Affine.of(2) : dim);
    return scope.at("expand").expand(wide, shape);
  }

  /* Both halves are read, the first one computed with. */
  private void split(Value x, int axis) {
    long size = size(x, axis);
    if (size < 2) {
      scope.add(unary(x));
      return;
    }
    Affine middle = Affine.of(size / 2);
    Affine rest = Affine.of(size - size / 2);
    Value first = scope.at("split").slice(x, axis, Affine.ZERO, middle);
    Value second = scope.at("split").slice(x, axis, middle, rest);
    Value changed = unary(first);
    scope.add(second);
    scope.add(changed);
    scope.add(scope.at("joined").concat(axis, List.of(changed, second)));
  }

  private Value reduced(Value x, int axis) {
    ReduceKind kind =
        List.of(ReduceKind.SUM, ReduceKind.MAX, ReduceKind.MIN).get(random.nextInt(3));
    double scale = 1.0 / Math.max(1, size(x, axis));
    Expr map = mul(arg(0), const_(ElementType.F32, scale));
    boolean isBatch = !x.type().dim(axis).isConstant();
    if (isBatch && x.type().rank() < 2) {
      return x;
    }
    int over = isBatch ? (axis + 1) % x.type().rank() : axis;
    return scope.at("reduce").reduce(kind, List.of(over), random.nextBoolean(), map, x);
  }

  private Value line(Value x, int axis) {
    if (!x.type().dim(axis).isConstant()) {
      return x;
    }
    return switch (random.nextInt(4)) {
      case 0 -> scope.at("softmax").softmax(axis, false, x);
      case 1 -> scope.at("softmax").softmax(axis, true, x);
      case 2 -> scope.at("normalize").normalize(List.of(axis), 1e-2, random.nextBoolean(), x);
      default -> {
        Value sums =
            scope
                .at("scan")
                .scan(ScanKind.SUM, axis, random.nextBoolean(), random.nextBoolean(), x);
        yield scope.at("scaled").elementwise(mul(const_(ElementType.F32, 0.2), arg(0)), sums);
      }
    };
  }

  private Value product(Value x) {
    int last = x.type().rank() - 1;
    if (last < 1 || !x.type().dim(last).isConstant()) {
      return x;
    }
    long columns = new long[] {1, 5, 16, 20}[random.nextInt(4)];
    long depth = size(x, last);
    boolean turned = random.nextBoolean();
    Value w =
        turned
            ? scope.constant(ElementType.F32, Content.NORMAL, columns, depth)
            : scope.constant(ElementType.F32, Content.NORMAL, depth, columns);
    return scope.at("matmul").matMul(x, w, false, turned);
  }

  /* Some of the places on an axis get other elements: at indices that are known, or computed. */
  private Value updated(Value x, int axis) {
    long size = size(x, axis);
    if (size < 2 || !x.type().dim(axis).isConstant()) {
      return x;
    }
    ScatterKind kind = List.of(ScatterKind.REPLACE, ScatterKind.MAX).get(random.nextInt(2));
    if (random.nextBoolean()) {
      Expr place = rem(add(mul(index(axis), const_(3)), index(0)), const_(size));
      Value at = scope.at("places").elementwise(place, x.type().shape(), List.of());
      return scope
          .at("scatter")
          .op(new Op.Scatter(new Selection.Elements(axis), kind), x, at, scope.like(x));
    }
    Value at = indices();
    Value picked = scope.at("picked").gather(axis, scope.like(x), at);
    return scope
        .at("scatter")
        .op(new Op.Scatter(new Selection.Slices(axis), kind), x, at, unary(picked));
  }

  /* Places 0 and 1, known when the model is loaded or with a request. */
  private Value indices() {
    boolean isKnown = random.nextBoolean();
    return isKnown
        ? scope.constant(ElementType.I64, Content.PLACE, random.nextInt(1, 3))
        : scope
            .any(v -> v.type().element() == ElementType.I64 && v.type().rank() == 1)
            .orElseGet(() -> scope.constant(ElementType.I64, Content.PLACE, 2));
  }

  private Value gathered(Value x, int axis) {
    return x.type().dim(axis).isConstant() && size(x, axis) >= 2
        ? scope.at("gather").gather(axis, x, indices())
        : x;
  }

  /* Through another type and back. */
  private Value typed(Value x) {
    if (domain == Domain.CONTINUOUS) {
      return unary(x);
    }
    List<ElementType> types =
        List.of(ElementType.F16, ElementType.F64, ElementType.I32, ElementType.I8);
    ElementType type = types.get(random.nextInt(types.size()));
    Expr small = max(min(arg(0), const_(ElementType.F32, 100.0)), const_(ElementType.F32, -100.0));
    Value other =
        scope.at("cast").elementwise(cast(type, type.isFloat() ? small : round(small)), x);
    Value turned =
        other.type().rank() > 1
            ? scope.at("turned").transpose(other, permutation(other.type().rank()))
            : other;
    Value both = scope.at("both").concat(0, List.of(turned, turned));
    return scope.at("back").elementwise(cast(ElementType.F32, arg(0)), both);
  }

  private static boolean isImage(Value x) {
    return x.type().rank() == 4
        && x.type().dim(0).equals(Affine.N)
        && IntStream.range(1, 4).allMatch(i -> x.type().dim(i).isConstant() && size(x, i) > 0)
        && size(x, 2) >= 2
        && size(x, 3) >= 2;
  }

  private Value image(Value x) {
    int kernel = random.nextInt(1, 3);
    int pad = random.nextInt(kernel);
    Window window = window(kernel, random.nextInt(1, 3), pad);
    long inputs = size(x, 1);
    long outputs = new long[] {1, 4, 8, 16, 17}[random.nextInt(5)];
    return switch (random.nextInt(5)) {
      case 0 -> scope.at("conv").conv(window, (int) inputs, x, weights(inputs, 1, kernel));
      case 1, 2 -> {
        Expr relu = max(add(arg(0), arg(1)), const_(ElementType.F32, 0.0));
        Value bias = scope.constant(ElementType.F32, Content.NORMAL, outputs, 1, 1);
        yield scope
            .at("conv")
            .op(
                new Op.Conv(window, 1),
                List.of(x, weights(outputs, inputs, kernel)),
                relu,
                List.of(bias));
      }
      case 3 ->
          scope
              .at("spread")
              .convTranspose(window, 1, List.of(0, 0), x, weights(inputs, outputs, kernel));
      default -> {
        PoolKind kind = PoolKind.values()[random.nextInt(3)];
        yield scope.at("pool").pool(kind, window, random.nextBoolean(), x);
      }
    };
  }

  private static Window window(int kernel, int stride, int pad) {
    List<Integer> pads = List.of(pad, pad);
    return new Window(List.of(kernel, kernel), List.of(stride, stride), List.of(1, 1), pads, pads);
  }

  /* Scaled so that results are about as large as what is seen. */
  private Value weights(long first, long second, int kernel) {
    Tensor tensor = Content.NORMAL.fill(random, ElementType.F32, first, second, kernel, kernel);
    TensorView view = TensorView.of(tensor);
    double scale = 1 / Math.sqrt((double) second * kernel * kernel);
    for (long i = 0; i < tensor.elements(); i++) {
      view.realAt(i, view.realAt(i) * scale);
    }
    return scope.constant(tensor);
  }
}
