package io.miniinference.pass;

import static io.miniinference.ir.Exprs.abs;
import static io.miniinference.ir.Exprs.add;
import static io.miniinference.ir.Exprs.arg;
import static io.miniinference.ir.Exprs.at;
import static io.miniinference.ir.Exprs.cast;
import static io.miniinference.ir.Exprs.const_;
import static io.miniinference.ir.Exprs.div;
import static io.miniinference.ir.Exprs.index;
import static io.miniinference.ir.Exprs.lt;
import static io.miniinference.ir.Exprs.max;
import static io.miniinference.ir.Exprs.min;
import static io.miniinference.ir.Exprs.mul;
import static io.miniinference.ir.Exprs.neg;
import static io.miniinference.ir.Exprs.select;
import static io.miniinference.ir.Exprs.sqrt;
import static io.miniinference.ir.Exprs.sub;
import static io.miniinference.ir.Exprs.tanh;

import io.miniinference.ir.ElementBits;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Expr;
import io.miniinference.ir.Graph;
import io.miniinference.ir.Op;
import io.miniinference.ir.Tensor;
import io.miniinference.ir.TensorType;
import io.miniinference.ir.Value;
import io.miniinference.ir.Window;
import io.miniinference.ir.build.GraphBuilder;
import io.miniinference.ir.build.Lowering;
import io.miniinference.ir.type.Shapes;
import io.miniinference.layout.Affine;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;

/// Random small graphs over `f32` and `i32`, with shapes that often fit each other.
final class RandomGraph {
  private static final int DEEPEST = 2;

  private final RandomGenerator random;
  private final int depth;
  private final GraphBuilder builder = new GraphBuilder("random");
  private final List<Value> values = new ArrayList<>();
  private int count;

  private RandomGraph(RandomGenerator random, int depth) {
    this.random = random;
    this.depth = depth;
  }

  private static RandomGraph seeded(long seed) {
    return new RandomGraph(RandomGeneratorFactory.of("L64X128MixRandom").create(seed), 0);
  }

  static Graph of(long seed) {
    return seeded(seed).build();
  }

  /// Inputs for the graph at batch size `n`.
  static List<Tensor> inputs(Graph graph, long seed, long n) {
    RandomGraph source = seeded(~seed);
    return graph.inputs().stream()
        .map(v -> source.tensor(v.type().element(), v.type().shapeAt(n)))
        .toList();
  }

  private Graph build() {
    values.add(builder.input("x", type(ElementType.F32, Affine.N, 3, 4)));
    values.add(builder.input("z", type(ElementType.F32, Affine.N, 1, 4)));
    values.add(builder.input("i", type(ElementType.I32, Affine.N, 3, 4)));
    values.add(builder.constant("s", tensor(ElementType.F32)));
    values.add(builder.constant("v", tensor(ElementType.F32, 4)));
    values.add(builder.constant("w", tensor(ElementType.F32, 3, 4)));
    values.add(builder.constant("k", tensor(ElementType.I32, 1, 1)));
    int nodes = random.nextInt(4, 25);
    for (int i = 0; i < nodes; i++) {
      node();
    }
    List<Value> outputs = new ArrayList<>(values.subList(values.size() - 1, values.size()));
    for (Value value : values.subList(7, values.size() - 1)) {
      if (random.nextInt(12) == 0) {
        outputs.add(value);
      }
    }
    return builder.build(outputs);
  }

  private static TensorType type(ElementType element, Affine first, long... others) {
    List<Affine> shape = new ArrayList<>(List.of(first));
    for (long other : others) {
      shape.add(Affine.of(other));
    }
    return new TensorType(element, shape);
  }

  private void node() {
    Lowering node = builder.lowering("n" + count++, "Random");
    Value x = pick();
    if (depth < DEEPEST && random.nextInt(8) == 0) {
      values.add(random.nextBoolean() ? branch(node, x) : loop(node, x));
      return;
    }
    boolean isFloat = x.type().element() == ElementType.F32;
    Value y =
        switch (random.nextInt(9)) {
          case 0, 1 -> isFloat ? node.elementwise(unary(), x) : node.elementwise(whole(), x);
          case 2, 3 -> binary(node, x);
          case 4 -> node.elementwise(cast(isFloat ? ElementType.I32 : ElementType.F32, arg(0)), x);
          default -> isFloat ? structural(node, x) : views(node, x);
        };
    values.add(y);
  }

  private Value branch(Lowering node, Value x) {
    Value y = pick();
    Op.If op = new Op.If(body(List.of(x, y), x.type(), 0), body(List.of(x, y), x.type(), 0));
    return node.control(op, List.of(condition(node, x), x, y)).getFirst();
  }

  /* A bit of what is at hand, or of what is known at load. */
  private Value condition(Lowering node, Value x) {
    Value some = random.nextBoolean() ? x : node.constant(tensor(x.type().element(), 3));
    Value sum = node.reduce(Op.ReduceKind.SUM, Lowering.allAxes(some.type().rank()), false, some);
    return node.elementwise(lt(arg(0), const_(x.type().element(), 0L)), sum);
  }

  private Value loop(Lowering node, Value x) {
    Value y = pick();
    List<Value> operands =
        List.of(
            node.constant(whole(random.nextInt(4))),
            random.nextInt(3) == 0 ? condition(node, x) : node.constant(truth()),
            x,
            y,
            y);
    Op.Loop op = new Op.Loop(body(List.of(x, y, y), x.type(), 2), 2, Affine.ZERO);
    return node.control(op, operands).get(random.nextInt(2));
  }

  /* A body over the types of `around`: of a branch, or of a loop that carries the first of them. */
  private Graph body(List<Value> around, TensorType result, int carried) {
    RandomGraph body = new RandomGraph(random, depth + 1);
    Value iteration = carried > 0 ? body.builder.input("i", TensorType.of(ElementType.I64)) : null;
    for (Value value : around) {
      body.values.add(body.builder.input("p" + body.values.size(), value.type()));
    }
    if (iteration != null) {
      body.values.add(body.number(iteration));
    }
    int nodes = random.nextInt(1, 6);
    for (int i = 0; i < nodes; i++) {
      body.node();
    }
    if (carried == 0) {
      return body.builder.build(List.of(body.last(result)));
    }
    List<Value> outputs = new ArrayList<>(List.of(body.goesOn()));
    around.subList(0, carried).forEach(v -> outputs.add(body.last(v.type())));
    return body.builder.build(outputs);
  }

  private Value number(Value iteration) {
    return builder
        .lowering("number", "Random")
        .elementwise(cast(ElementType.F32, arg(0)), iteration);
  }

  private Value goesOn() {
    Lowering node = builder.lowering("condition", "Random");
    return random.nextInt(3) == 0 ? condition(node, values.getLast()) : node.constant(truth());
  }

  private Value last(TensorType type) {
    return values.reversed().stream().filter(v -> v.type().equals(type)).findFirst().orElseThrow();
  }

  private static Tensor whole(long value) {
    Tensor tensor = zeros(ElementType.I64);
    ElementBits.write(tensor.data(), ElementType.I64, 0, value);
    return tensor;
  }

  private static Tensor truth() {
    Tensor tensor = zeros(ElementType.BOOL);
    ElementBits.write(tensor.data(), ElementType.BOOL, 0, 1);
    return tensor;
  }

  /* Late values more often than early ones, so that chains grow. */
  private Value pick() {
    int size = values.size();
    int back = random.nextInt(3) == 0 ? random.nextInt(size) : random.nextInt(Math.min(2, size));
    return values.get(values.size() - 1 - back);
  }

  private Expr unary() {
    Expr x = arg(0);
    Expr half = const_(ElementType.F32, 0.5);
    return switch (random.nextInt(7)) {
      case 0 -> tanh(x);
      case 1 -> neg(x);
      case 2 -> sqrt(abs(x));
      case 3 -> max(x, const_(ElementType.F32, 0));
      case 4 -> mul(x, half);
      case 5 -> add(x, const_(ElementType.F32, random.nextBoolean() ? 0.0 : -0.0));
      default -> mul(x, x);
    };
  }

  private Expr whole() {
    return random.nextBoolean() ? neg(arg(0)) : add(arg(0), const_(ElementType.I32, 3));
  }

  private Value binary(Lowering node, Value x) {
    List<Value> fitting =
        values.stream()
            .filter(v -> v.type().element() == x.type().element())
            .filter(v -> isBroadcast(v.type().shape(), x.type().shape()))
            .toList();
    Value y = fitting.get(random.nextInt(fitting.size()));
    boolean isFloat = x.type().element() == ElementType.F32;
    Expr expr =
        switch (random.nextInt(6)) {
          case 0 -> add(arg(0), arg(1));
          case 1 -> sub(arg(0), arg(1));
          case 2 -> mul(arg(0), arg(1));
          case 3 -> select(lt(arg(0), arg(1)), arg(1), arg(0));
          case 4 -> isFloat || random.nextInt(3) == 0 ? div(arg(0), arg(1)) : max(arg(0), arg(1));
          default -> min(arg(0), arg(1));
        };
    return node.elementwise(expr, x, y);
  }

  private static boolean isBroadcast(List<Affine> left, List<Affine> right) {
    return Shapes.broadcast(left, right)
        .filter(shape -> shape.stream().filter(d -> !d.isConstant()).count() <= 1)
        .isPresent();
  }

  private Value structural(Lowering node, Value x) {
    int last = x.type().rank() - 1;
    if (last < 1 || !x.type().dim(last).isConstant()) {
      return node.elementwise(unary(), x);
    }
    return switch (random.nextInt(8)) {
      case 0 -> node.reduce(reduction(), List.of(last), random.nextInt(4) > 0, x);
      case 1 -> node.softmax(last, random.nextBoolean(), x);
      case 2 -> node.normalize(List.of(last), 1e-5, random.nextBoolean(), x);
      case 3 -> node.scan(Op.ScanKind.SUM, last, random.nextBoolean(), random.nextBoolean(), x);
      case 4 -> matMul(node, x, x.type().dim(last).asConstant());
      case 5 -> gather(node, x, last);
      case 6 -> x.type().rank() == 3 ? pool(node, x) : views(node, x);
      default -> views(node, x);
    };
  }

  private Op.ReduceKind reduction() {
    Op.ReduceKind[] kinds = {Op.ReduceKind.SUM, Op.ReduceKind.MAX, Op.ReduceKind.MIN};
    return kinds[random.nextInt(kinds.length)];
  }

  private Value matMul(Lowering node, Value x, long extent) {
    Value w = node.constant(tensor(ElementType.F32, extent, 4));
    return node.matMul(x, w);
  }

  /* Indices that are out of range now and then. */
  private Value gather(Lowering node, Value x, int axis) {
    long extent = x.type().dim(axis).asConstant();
    Tensor indices = zeros(ElementType.I64, 4);
    for (int k = 0; k < 4; k++) {
      long bound = random.nextInt(40) == 0 ? extent + 1 : extent;
      ElementBits.write(indices.data(), ElementType.I64, k, random.nextLong(-extent, bound));
    }
    return node.gather(axis, x, node.constant(indices));
  }

  private Value pool(Lowering node, Value x) {
    if (x.type().dim(2).asConstant() == 0) {
      return x;
    }
    List<Integer> one = List.of(1);
    List<Integer> pad = List.of(random.nextInt(2));
    Window window = new Window(List.of(2), one, one, pad, one);
    return x.type().dim(1).isConstant()
        ? node.pool(random.nextBoolean() ? Op.PoolKind.MAX : Op.PoolKind.AVERAGE, window, false, x)
        : x;
  }

  private Value views(Lowering node, Value x) {
    int rank = x.type().rank();
    List<Affine> shape = x.type().shape();
    if (rank == 0 || shape.stream().anyMatch(Affine::isZero)) {
      return node.elementwise(add(arg(0), arg(0)), x);
    }
    return switch (random.nextInt(4)) {
      case 0 -> node.slice(x, 0, Affine.ZERO, shape.getFirst());
      case 1 -> flipped(node, x, shape);
      case 2 -> node.concat(rank - 1, List.of(x, x));
      default -> numbered(node, x);
    };
  }

  private static Value flipped(Lowering node, Value x, List<Affine> shape) {
    List<Expr> coordinates = new ArrayList<>();
    for (int axis = 0; axis < shape.size(); axis++) {
      coordinates.add(index(axis));
    }
    int last = shape.size() - 1;
    Expr extent = new Expr.Extent(shape.get(last));
    coordinates.set(last, sub(sub(extent, const_(1)), index(last)));
    return node.elementwise(at(0, coordinates), shape, List.of(x));
  }

  private static Value numbered(Lowering node, Value x) {
    int last = x.type().rank() - 1;
    return node.elementwise(add(arg(0), cast(x.type().element(), index(last))), x);
  }

  private Tensor tensor(ElementType element, long... shape) {
    Tensor result = zeros(element, shape);
    for (long k = 0; k < result.elements(); k++) {
      double value = element.isFloat() ? random.nextGaussian() : random.nextInt(-3, 12);
      ElementBits.write(result.data(), element, k, Expr.Const.of(element, value).bits());
    }
    return result;
  }

  private static Tensor zeros(ElementType element, long... shape) {
    long bytes = Tensor.elements(shape) * element.bytes();
    return new Tensor(element, shape, MemorySegment.ofArray(new byte[(int) bytes]));
  }
}
