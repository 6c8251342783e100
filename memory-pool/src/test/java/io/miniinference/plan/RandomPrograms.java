package io.miniinference.plan;

import io.miniinference.layout.Affine;
import io.miniinference.layout.IndexFunction;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/// Random programs with views, concatenations built in place, blocked and permuted layouts, mixed
/// sizes and element types, scratch, weights, branches and loops.
final class RandomPrograms {
  private static final List<List<Affine>> SHAPES =
      List.of(
          ProgramBuilder.shape(Affine.N, 20, 6),
          ProgramBuilder.shape(Affine.N, 6, 20),
          ProgramBuilder.shape(Affine.N, 120),
          ProgramBuilder.shape(Affine.N, 3),
          ProgramBuilder.shape(Affine.batch(2), 60),
          ProgramBuilder.shape(4, Affine.N, 40),
          ProgramBuilder.shape(100),
          ProgramBuilder.shape(8, 16),
          ProgramBuilder.shape(1));

  private final Random random;
  private final ProgramBuilder builder = new ProgramBuilder();
  private final int steps;
  private String prefix = "";
  private int names;

  private RandomPrograms(long seed, int steps) {
    random = new Random(seed);
    this.steps = steps;
  }

  static Program of(long seed, int steps) {
    return new RandomPrograms(seed, steps).program();
  }

  private Program program() {
    List<Array> values = new ArrayList<>();
    for (int i = 0; i <= random.nextInt(3); i++) {
      values.add(builder.input(fresh(shape())));
    }
    values.add(builder.weights(name(), Affine.N, 20, 6));
    values.add(builder.weights(name(), 100));
    add(values, steps, 2);
    List<Array> results = new ArrayList<>(List.of(values.getLast()));
    for (int i = 0; i < random.nextInt(3); i++) {
      results.add(values.get(random.nextInt(values.size())));
    }
    return builder.build(results.toArray(Array[]::new));
  }

  private void add(List<Array> values, int count, int depth) {
    for (int i = 0; i < count; i++) {
      switch (random.nextInt(12)) {
        case 0, 1, 2, 3 -> values.add(elementwise(values));
        case 4, 5 -> values.addAll(compute(values));
        case 6, 7, 8 -> view(recent(values)).ifPresent(values::add);
        case 9 -> concat(values).ifPresent(values::add);
        case 10 -> values.add(convert(values));
        default -> {
          if (depth > 0) {
            values.add(random.nextBoolean() ? branch(values, depth) : loop(values, depth));
          }
        }
      }
    }
  }

  private String name() {
    return prefix + "v" + names++;
  }

  private List<Affine> shape() {
    return SHAPES.get(random.nextInt(SHAPES.size()));
  }

  private Array recent(List<Array> values) {
    int back = Math.min(values.size(), 1 + random.nextInt(4));
    return random.nextInt(4) == 0
        ? values.get(random.nextInt(values.size()))
        : values.get(values.size() - back);
  }

  private Array fresh(List<Affine> shape) {
    int elementBytes = random.nextInt(4) == 0 ? 8 : 4;
    return builder.fresh(name(), layout(shape), elementBytes);
  }

  private IndexFunction layout(List<Affine> shape) {
    if (shape.size() == 3 && shape.get(1).isConstant() && random.nextInt(3) == 0) {
      return IndexFunction.blocked(shape, 1, 8);
    }
    return shape.size() == 3 && random.nextInt(4) == 0
        ? IndexFunction.ordered(shape, List.of(0, 2, 1))
        : IndexFunction.rowMajor(shape);
  }

  private Array elementwise(List<Array> values) {
    Array first = recent(values);
    List<Array> reads = new ArrayList<>(List.of(first));
    for (int i = 0; i < 2; i++) {
      Array other = recent(values);
      if (other.index().shape().equals(first.index().shape())) {
        reads.add(other);
      }
    }
    List<Step.InPlace> pairs = new ArrayList<>();
    for (int i = 0; i < reads.size(); i++) {
      pairs.add(new Step.InPlace(0, i));
    }
    reads.add(recent(values));
    Array result = like(first);
    builder.step("Add", Step.Kind.COMPUTE, reads, List.of(result), List.of(), pairs);
    return result;
  }

  private Array like(Array first) {
    IndexFunction index = first.index();
    boolean whole =
        index.offset().isZero()
            && index.denseElements().times(first.elementBytes()).equals(first.block().sizeBytes())
            && index.spanElements(3) == index.denseElements().at(3);
    return whole && random.nextInt(6) > 0
        ? builder.fresh(name(), index, random.nextInt(8) == 0 ? 2 : first.elementBytes())
        : fresh(index.shape());
  }

  private List<Array> compute(List<Array> values) {
    List<Array> reads = new ArrayList<>(List.of(recent(values), recent(values)));
    List<Array> writes = new ArrayList<>(List.of(fresh(shape())));
    if (random.nextInt(4) == 0) {
      writes.add(fresh(shape()));
    }
    List<Block> scratch = new ArrayList<>();
    if (random.nextInt(3) == 0) {
      Affine bytes = new Affine(random.nextInt(600), random.nextInt(600));
      scratch.add(builder.block(name(), bytes, Block.Space.ARENA));
    }
    builder.step("MatMul", Step.Kind.COMPUTE, reads, writes, scratch, List.of());
    return writes;
  }

  private Array convert(List<Array> values) {
    Array from = recent(values);
    Array result = fresh(from.index().shape());
    Step.Kind kind = random.nextBoolean() ? Step.Kind.CONVERT : Step.Kind.COPY;
    builder.step("Convert", kind, List.of(from), List.of(result), List.of(), List.of());
    return result;
  }

  private Optional<Array> view(Array of) {
    return viewed(of.index())
        .map(index ->
            random.nextInt(4) == 0 ? of.view(name(), index) : builder.view(name(), of, index));
  }

  private Optional<IndexFunction> viewed(IndexFunction index) {
    int rank = index.rank();
    int axis = random.nextInt(rank);
    Affine extent = index.shape().get(axis);
    return switch (random.nextInt(4)) {
      case 0 -> Optional.of(index.transpose(rank == 2 ? List.of(1, 0) : order(rank)));
      case 1 -> index.reshape(flat(index));
      case 2 ->
          extent.isConstant() && extent.constant() > 1
              ? index.slice(axis, Affine.of(extent.constant() - 1), -1, extent)
              : Optional.empty();
      default ->
          extent.isConstant() && extent.constant() > 3
              ? index.slice(axis, Affine.of(2), 2, Affine.of((extent.constant() - 2) / 2))
              : Optional.empty();
    };
  }

  private static List<Integer> order(int rank) {
    List<Integer> order = new ArrayList<>();
    for (int i = 0; i < rank; i++) {
      order.add((i + 1) % rank);
    }
    return order;
  }

  private static List<Affine> flat(IndexFunction index) {
    return List.of(index.elements());
  }

  /* Two values written into the halves of a third, along any axis, and read as one. */
  private Optional<Array> concat(List<Array> values) {
    List<Affine> shape = shape();
    int axis = random.nextInt(shape.size());
    if (!shape.get(axis).isConstant()) {
      return Optional.empty();
    }
    List<Affine> doubled = new ArrayList<>(shape);
    doubled.set(axis, shape.get(axis).times(2));
    Array whole = builder.fresh(name(), IndexFunction.rowMajor(doubled), 4);
    List<Array> halves = new ArrayList<>();
    for (int half = 0; half < 2; half++) {
      Affine start = shape.get(axis).times(half);
      IndexFunction part = whole.index().slice(axis, start, 1, shape.get(axis)).orElseThrow();
      Array array = whole.view(name(), part);
      Array read = recent(values);
      boolean paired = read.index().shape().equals(shape);
      builder.step(
          "Part",
          Step.Kind.COMPUTE,
          List.of(read, recent(values)),
          List.of(array),
          List.of(),
          paired ? List.of(new Step.InPlace(0, 0)) : List.of());
      halves.add(array);
    }
    builder.step("Concat", Step.Kind.VIEW, halves, List.of(whole), List.of(), List.of());
    return Optional.of(whole);
  }

  private Array branch(List<Array> values, int depth) {
    Array result = fresh(shape());
    Array condition = recent(values);
    int at = builder.nextNumber();
    List<Body> bodies = new ArrayList<>();
    for (String side : List.of("t", "e")) {
      String outer = prefix;
      prefix = outer + "if" + at + "." + side + "/";
      builder.openBody();
      List<Array> inner = new ArrayList<>(values);
      add(inner, 1 + random.nextInt(4), depth - 1);
      Array last = computeLike(inner, result);
      bodies.add(builder.closeBody(prefix, Body.Kind.BRANCH, List.of(), List.of(last)));
      prefix = outer;
    }
    builder.step(
        new Step(
            at,
            result.name(),
            "If",
            Step.Kind.COMPUTE,
            List.of(condition),
            List.of(result),
            List.of(),
            List.of(),
            bodies));
    return result;
  }

  /* A result of the body, often built where the step's result lies. */
  private Array computeLike(List<Array> inner, Array result) {
    Array made =
        random.nextBoolean()
            ? result.view(name(), result.index())
            : builder.fresh(name(), result.index(), result.elementBytes());
    return builder.compute(made, recent(inner), recent(inner));
  }

  private Array loop(List<Array> values, int depth) {
    Array initial = recent(values);
    IndexFunction index = layout(initial.index().shape());
    Array result = builder.fresh(name(), index, initial.elementBytes());
    Array state =
        random.nextBoolean()
            ? result.view(name(), index)
            : builder.fresh(name(), index, initial.elementBytes());
    int at = builder.nextNumber();
    String outer = prefix;
    prefix = outer + "loop" + at + "/";
    builder.openBody();
    List<Array> inner = new ArrayList<>(values);
    inner.add(state);
    add(inner, 1 + random.nextInt(4), depth - 1);
    Array next = builder.fresh(name(), index, initial.elementBytes());
    builder.compute(next, recent(inner), state);
    Body body = builder.closeBody(prefix, Body.Kind.LOOP, List.of(state), List.of(next));
    prefix = outer;
    builder.step(
        new Step(
            at,
            result.name(),
            "Loop",
            Step.Kind.COMPUTE,
            List.of(initial),
            List.of(result),
            List.of(),
            List.of(),
            List.of(body)));
    return result;
  }
}
