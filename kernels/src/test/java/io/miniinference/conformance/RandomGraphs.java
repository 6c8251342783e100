package io.miniinference.conformance;

import static io.miniinference.ir.Exprs.add;
import static io.miniinference.ir.Exprs.arg;
import static io.miniinference.ir.Exprs.const_;
import static io.miniinference.ir.Exprs.index;
import static io.miniinference.ir.Exprs.max;
import static io.miniinference.ir.Exprs.mul;
import static io.miniinference.ir.Exprs.rem;
import static io.miniinference.ir.Exprs.sub;
import static io.miniinference.ir.Exprs.tanh;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.Expr;
import io.miniinference.ir.Op;
import io.miniinference.ir.Op.PoolKind;
import io.miniinference.ir.Op.ReduceKind;
import io.miniinference.ir.Selection;
import io.miniinference.ir.Value;
import io.miniinference.layout.Affine;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;

/// Random small networks: a few values grow by random operators, views among them, and the last of
/// each network is compared. Several networks share a program.
final class RandomGraphs {
  private static final int NETWORKS = 12;
  private static final int STEPS = 5;
  private static final long SEED = 20_261_120;

  private final Sheet sheet;
  private final Random random;
  private final List<Value> values = new ArrayList<>();

  private RandomGraphs(Sheet sheet) {
    this.sheet = sheet;
    this.random = sheet.random();
  }

  /// @param count how many programs of twelve networks each
  static List<Sheet> sheets(int count) {
    return LongStream.range(0, count).mapToObj(i -> sheet(SEED + i)).toList();
  }

  private static Sheet sheet(long seed) {
    Sheet sheet = new Sheet("random networks of seed " + seed, seed).batches(2L, 3L, 1L);
    for (int k = 0; k < NETWORKS; k++) {
      new RandomGraphs(sheet).network(k);
    }
    return sheet;
  }

  private void network(int number) {
    values.add(sheet.input(shape()));
    for (int i = 0; i < STEPS; i++) {
      Value x = values.get(Math.max(0, values.size() - 1 - random.nextInt(3)));
      Value y = x.type().rank() == 4 && random.nextBoolean() ? plane(x) : any(x);
      if (y.type().elements().at(1) <= 20_000) {
        values.add(y);
      }
    }
    sheet.check("network " + number, values.getLast(), 2e-5);
    if (random.nextBoolean()) {
      sheet.check("middle of network " + number, values.get(values.size() / 2), 2e-5);
    }
  }

  private List<Affine> shape() {
    long[] channels = {1, 3, 8, 16, 17, 24, 32};
    return switch (random.nextInt(4)) {
      case 0 -> Sheet.batch(random.nextInt(1, 20));
      case 1 -> Sheet.batch(random.nextInt(1, 6), random.nextInt(1, 9));
      default ->
          Sheet.batch(
              channels[random.nextInt(channels.length)],
              random.nextInt(3, 9),
              random.nextInt(3, 9));
    };
  }

  private Value plane(Value x) {
    long channels = x.type().dim(1).asConstant();
    boolean fits = x.type().dim(2).asConstant() >= 3 && x.type().dim(3).asConstant() >= 3;
    boolean batched = x.type().dim(0).equals(Affine.N) && x.type().dim(1).isConstant();
    if (!fits || !batched || channels == 0) {
      return any(x);
    }
    int kernel = random.nextInt(1, 4);
    int pad = random.nextInt(kernel);
    var window = WindowCases.window(2, kernel, random.nextInt(1, 3), 1, pad, pad);
    long outputs = new long[] {4, 8, 16, 19, 32}[random.nextInt(5)];
    return switch (random.nextInt(3)) {
      case 0 -> {
        Value w =
            sheet
                .at("w")
                .op(
                    identity(outputs, channels, kernel),
                    List.of(weights(outputs, channels, kernel)));
        yield sheet.at("c").conv(window, 1, x, w);
      }
      case 1 -> {
        Expr relu = max(add(arg(0), arg(1)), const_(ElementType.F32, 0.0));
        Value bias = sheet.constant(outputs, 1, 1);
        yield sheet
            .at("c")
            .op(
                new Op.Conv(window, 1),
                List.of(x, weights(outputs, channels, kernel)),
                relu,
                List.of(bias));
      }
      default -> {
        PoolKind kind = PoolKind.values()[random.nextInt(3)];
        yield sheet.at("p").pool(kind, window, random.nextBoolean(), x);
      }
    };
  }

  /* A computed weight: it cannot be packed, so that the plain form is used. */
  private static Op identity(long outputs, long channels, int kernel) {
    return new Op.Elementwise(
        mul(arg(0), const_(ElementType.F32, 0.5)),
        io.miniinference.ir.TensorType.of(ElementType.F32, outputs, channels, kernel, kernel));
  }

  private Value weights(long outputs, long channels, int kernel) {
    return sheet.constant(Data.UNIT, ElementType.F32, outputs, channels, kernel, kernel);
  }

  private Value any(Value x) {
    int rank = x.type().rank();
    int axis = rank < 2 ? 0 : random.nextInt(1, rank);
    long size = rank < 2 ? 1 : x.type().dim(axis).asConstant();
    return switch (random.nextInt(11)) {
      case 0 -> sheet.at("u").elementwise(tanh(mul(arg(0), const_(ElementType.F32, 0.5))), x);
      case 1 -> sheet.at("s").elementwise(sub(arg(0), mul(arg(0), arg(1))), x, like(x));
      case 2 -> rank < 2 || size < 2 ? x : sheet.at("c").concat(axis, List.of(x, like(x)));
      case 3 -> rank < 3 ? x : sheet.at("t").transpose(x, permutation(rank));
      case 4 -> rank < 2 || size < 3 ? x : part(x, axis, size);
      case 5 -> rank < 3 ? x : sheet.at("r").reshape(x, merged(x));
      case 6 ->
          rank < 2 ? x : sheet.at("k").reduce(ReduceKind.SUM, List.of(axis), true, scaled(size), x);
      case 7 -> rank < 2 ? x : sheet.at("m").softmax(axis, false, x);
      case 8 -> rank < 2 ? x : product(x);
      case 9 -> rank < 2 ? x : updated(x, axis, size);
      default -> sheet.at("b").elementwise(add(arg(0), arg(1)), x, channel(x));
    };
  }

  private static Expr scaled(long size) {
    return mul(arg(0), const_(ElementType.F32, 1.0 / Math.max(1, size)));
  }

  /* Another value of the same shape, or the same one. */
  private Value like(Value x) {
    List<Value> all = values.stream().filter(v -> v.type().equals(x.type())).toList();
    return all.isEmpty() ? x : all.get(random.nextInt(all.size()));
  }

  private List<Integer> permutation(int rank) {
    List<Integer> inner = new ArrayList<>();
    for (int i = 1; i < rank; i++) {
      inner.add(i);
    }
    Collections.shuffle(inner, random);
    inner.addFirst(0);
    return inner;
  }

  private Value part(Value x, int axis, long size) {
    int rank = x.type().rank();
    List<Affine> starts = new ArrayList<>(Collections.nCopies(rank, Affine.ZERO));
    List<Long> steps = new ArrayList<>(Collections.nCopies(rank, 1L));
    List<Affine> extents = new ArrayList<>(x.type().shape());
    boolean back = random.nextBoolean();
    long start = random.nextInt((int) size - 1);
    long extent = back ? start + 1 : size - start;
    starts.set(axis, Affine.of(start));
    steps.set(axis, back ? -1L : 1L);
    extents.set(axis, Affine.of(extent));
    return sheet.at("p").slice(x, starts, steps, extents);
  }

  private List<Affine> merged(Value x) {
    List<Affine> shape = new ArrayList<>(x.type().shape());
    int axis = random.nextInt(1, shape.size() - 1);
    Affine last = shape.remove(axis + 1);
    shape.set(axis, shape.get(axis).times(last));
    return shape;
  }

  /* Each element of another value goes to some place on its line. */
  private Value updated(Value x, int axis, long size) {
    Expr place = rem(add(mul(index(axis), const_(3)), index(0)), const_(Math.max(1, size)));
    Value at = sheet.at("i").elementwise(place, x.type().shape(), List.of());
    Op.ScatterKind kind = random.nextBoolean() ? Op.ScatterKind.REPLACE : Op.ScatterKind.MAX;
    Op scatter = new Op.Scatter(new Selection.Elements(axis), kind);
    return sheet.at("e").op(scatter, x, at, like(x));
  }

  private Value product(Value x) {
    long depth = x.type().dim(x.type().rank() - 1).asConstant();
    long columns = new long[] {1, 5, 16, 20, 33}[random.nextInt(5)];
    Value w = sheet.constant(Data.UNIT, ElementType.F32, depth, columns);
    return sheet.at("m").matMul(x, w);
  }

  /* A constant along one axis of `x`. */
  private Value channel(Value x) {
    long[] shape = new long[x.type().rank()];
    Arrays.fill(shape, 1);
    int axis = shape.length < 2 ? 0 : random.nextInt(1, shape.length);
    shape[axis] = shape.length < 2 ? 1 : x.type().dim(axis).asConstant();
    return sheet.constant(shape);
  }
}
