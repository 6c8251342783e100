package io.miniinference.plan;

import io.miniinference.layout.Affine;
import io.miniinference.layout.IndexFunction;
import io.miniinference.layout.Movement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/// Random programs with views, copies, concatenations, updated slices, blocked and permuted
/// layouts, mixed sizes and element types, scratch, weights, branches and loops.
public final class RandomPrograms {
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

  public static Program of(long seed, int steps) {
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
      switch (random.nextInt(16)) {
        case 0, 1, 2, 3 -> values.add(elementwise(values));
        case 4, 5 -> values.addAll(compute(values));
        case 6, 7, 8 -> view(recent(values)).ifPresent(values::add);
        case 9 -> halves(values).ifPresent(values::add);
        case 10, 11, 12 -> concat(values).ifPresent(values::add);
        case 13 -> update(values).ifPresent(values::add);
        case 14 -> values.add(convert(values));
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
    Optional<Movement> movement = movement(of.index().shape());
    if (random.nextInt(8) == 0) {
      return movement.flatMap(m -> m.of(of.index())).map(index -> unnamed(of, index));
    }
    return movement.filter(m -> m.of(of.index()).isPresent()).map(m -> builder.view(name(), of, m));
  }

  /* A view of which the planner knows only the index function, or not even who made it. */
  private Array unnamed(Array of, IndexFunction index) {
    return random.nextBoolean() ? of.view(name(), index) : builder.view(name(), of, index);
  }

  private Optional<Movement> movement(List<Affine> shape) {
    int rank = shape.size();
    int axis = random.nextInt(rank);
    Affine extent = shape.get(axis);
    boolean constant = extent.isConstant();
    return switch (random.nextInt(5)) {
      case 0 -> Optional.of(new Movement.Transpose(rank == 2 ? List.of(1, 0) : order(rank)));
      case 1 -> Optional.of(new Movement.Reshape(otherShape(shape)));
      case 2 ->
          Optional.ofNullable(
              constant && extent.constant() > 1
                  ? slice(shape, axis, extent.constant() - 1, -1, extent.constant())
                  : null);
      case 3 ->
          Optional.ofNullable(
              constant && extent.constant() > 3
                  ? slice(shape, axis, 2, 2, (extent.constant() - 2) / 2)
                  : null);
      default ->
          Optional.ofNullable(
              constant && extent.constant() > 2
                  ? slice(shape, axis, random.nextInt(2), 1, extent.constant() / 2)
                  : null);
    };
  }

  private List<Affine> otherShape(List<Affine> shape) {
    Affine elements = IndexFunction.rowMajor(shape).elements();
    List<Affine> other = shape();
    return IndexFunction.rowMajor(other).elements().equals(elements) ? other : List.of(elements);
  }

  private static Movement slice(List<Affine> shape, int axis, long start, long step, long extent) {
    List<Affine> starts = new ArrayList<>();
    List<Long> steps = new ArrayList<>();
    shape.forEach(_ -> {
      starts.add(Affine.ZERO);
      steps.add(1L);
    });
    List<Affine> extents = new ArrayList<>(shape);
    starts.set(axis, Affine.of(start));
    steps.set(axis, step);
    extents.set(axis, Affine.of(extent));
    return new Movement.Slice(starts, steps, extents);
  }

  private static List<Integer> order(int rank) {
    List<Integer> order = new ArrayList<>();
    for (int i = 0; i < rank; i++) {
      order.add((i + 1) % rank);
    }
    return order;
  }

  /* Two values computed into the halves of a third, along any axis, and read as one. */
  private Optional<Array> halves(List<Array> values) {
    List<Affine> shape = shape();
    int axis = random.nextInt(shape.size());
    if (!shape.get(axis).isConstant()) {
      return Optional.empty();
    }
    List<Affine> doubled = new ArrayList<>(shape);
    doubled.set(axis, shape.get(axis).times(2));
    Array whole = builder.fresh(name(), IndexFunction.rowMajor(doubled), 4);
    boolean traced = random.nextInt(4) > 0;
    List<Array> halves = new ArrayList<>();
    for (int half = 0; half < 2; half++) {
      Movement part = Movement.part(doubled, axis, shape.get(axis).times(half), shape.get(axis));
      Array known = whole.view(name(), part).orElseThrow();
      Array array = traced ? known : whole.view(known.name(), known.index());
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

  /* Values of like shapes one after the other; the same one may come twice. */
  private Optional<Array> concat(List<Array> values) {
    Array first = recent(values);
    int axis = random.nextInt(first.index().rank());
    List<Array> operands = new ArrayList<>(List.of(first));
    for (int i = 0; i < 4; i++) {
      Array other = recent(values);
      if (fits(first, other, axis)) {
        operands.add(other);
      }
    }
    Collections.shuffle(operands, random);
    return operands.size() < 2
        ? Optional.empty()
        : Optional.of(builder.concat(name(), axis, operands.toArray(Array[]::new)));
  }

  private static boolean fits(Array first, Array other, int axis) {
    List<Affine> a = new ArrayList<>(first.index().shape());
    List<Affine> b = new ArrayList<>(other.index().shape());
    if (a.size() != b.size() || first.elementBytes() != other.elementBytes()) {
      return false;
    }
    boolean kind = a.remove(axis).isConstant() == b.remove(axis).isConstant();
    boolean batchOnly = a.stream().allMatch(Affine::isConstant);
    boolean dimension = first.index().shape().get(axis).isConstant() || batchOnly;
    return kind && dimension && a.equals(b);
  }

  /* A matrix with some of its rows or columns replaced by another value. */
  private Optional<Array> update(List<Array> values) {
    Array data = recent(values);
    List<Affine> shape = data.index().shape();
    int axis = random.nextInt(shape.size());
    if (!shape.get(axis).isConstant() || shape.get(axis).constant() < 3) {
      return Optional.empty();
    }
    Affine extent = Affine.of(1 + random.nextInt(2));
    List<Affine> sliced = new ArrayList<>(shape);
    sliced.set(axis, extent);
    Array slice = builder.fresh(name(), IndexFunction.rowMajor(sliced), data.elementBytes());
    builder.compute(slice, recent(values));
    List<Array> between = new ArrayList<>(values);
    if (random.nextBoolean()) {
      add(between, 1, 0);
      values.addAll(between.subList(values.size(), between.size()));
    }
    Array updated = builder.fresh(name(), IndexFunction.rowMajor(shape), data.elementBytes());
    Array before =
        updated
            .view(updated.name() + "-", Movement.part(shape, axis, Affine.ZERO, shape.get(axis)))
            .orElseThrow();
    Movement at = Movement.part(shape, axis, Affine.of(random.nextInt(2)), extent);
    Array row = updated.view(updated.name() + "[]", at).orElseThrow();
    return Optional.of(
        builder.assemble(updated, builder.copy(before, data), builder.copy(row, slice)));
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
    Optional<Array> copied = copyLike(inner, result);
    if (copied.isPresent()) {
      return copied.get();
    }
    Array made =
        random.nextBoolean()
            ? result.view(name(), result.index())
            : builder.fresh(name(), result.index(), result.elementBytes());
    return builder.compute(made, recent(inner), recent(inner));
  }

  /* A value copied to where the result lies, if there is one of its shape. */
  private Optional<Array> copyLike(List<Array> inner, Array result) {
    Array value = random.nextBoolean() ? recent(inner) : like(result);
    boolean fits =
        value.index().shape().equals(result.index().shape())
            && value.elementBytes() == result.elementBytes();
    if (!fits || random.nextInt(3) == 0) {
      return Optional.empty();
    }
    if (!inner.contains(value)) {
      builder.compute(value, recent(inner), recent(inner));
    }
    return Optional.of(builder.copy(result.view(name(), result.index()), value));
  }

  private Array loop(List<Array> values, int depth) {
    Array initial = recent(values);
    IndexFunction index = layout(initial.index().shape());
    Array result = builder.fresh(name(), index, initial.elementBytes());
    Array state =
        random.nextInt(3) > 0
            ? result.view(name(), index)
            : builder.fresh(name(), index, initial.elementBytes());
    boolean inState = random.nextBoolean();
    if (inState) {
      initial = builder.copy(state.view(name(), index), initial);
    }
    List<Array> rows = random.nextBoolean() ? List.of() : List.of(rows(initial.index().shape()));
    int at = builder.nextNumber();
    String outer = prefix;
    prefix = outer + "loop" + at + "/";
    builder.openBody();
    List<Array> inner = new ArrayList<>(values);
    inner.add(state);
    add(inner, 1 + random.nextInt(4), depth - 1);
    List<LoopBuffers.Window> windows = rows.stream().map(all -> window(all, inner)).toList();
    Array next = builder.fresh(name(), index, initial.elementBytes());
    if (random.nextBoolean()) {
      builder.elementwise(next, state);
    } else {
      builder.compute(next, recent(inner), random.nextBoolean() ? state : recent(inner));
    }
    add(inner, random.nextInt(2), 0);
    if (inState) {
      next = builder.copy(state.view(name(), index), next);
    }
    Body body =
        new Body(
            prefix,
            Body.Kind.LOOP,
            with(state, rows),
            builder.closeBody(prefix, Body.Kind.LOOP, List.of(), List.of()).steps(),
            with(next, rows),
            new LoopBuffers(random.nextInt(3), windows, List.of()));
    prefix = outer;
    List<Array> stacked = rows.stream().map(all -> all.view(name(), all.index())).toList();
    builder.loop(at, with(initial, rows), with(result, stacked), body);
    values.addAll(stacked);
    return result;
  }

  private static List<Array> with(Array first, List<Array> others) {
    List<Array> all = new ArrayList<>(List.of(first));
    all.addAll(others);
    return all;
  }

  /* As many rows as a loop has iterations at most, and one more. */
  private Array rows(List<Affine> row) {
    List<Affine> shape = new ArrayList<>(List.of(Affine.of(4)));
    shape.addAll(row);
    return builder.compute(builder.fresh(name(), IndexFunction.rowMajor(shape), 4));
  }

  /* Each iteration's row, computed, or what is there already. */
  private LoopBuffers.Window window(Array rows, List<Array> inner) {
    LoopBuffers.Window window = builder.window(name(), rows);
    Array value = recent(inner);
    List<Affine> row = ProgramBuilder.row(window).index().shape();
    if (!value.index().shape().equals(row) || value.elementBytes() != 4 || random.nextInt(3) > 0) {
      value = builder.fresh(name(), layout(row), 4);
      builder.compute(value, recent(inner), recent(inner));
    }
    if (random.nextInt(3) == 0) {
      value = builder.elementwise(builder.fresh(name(), layout(row), 4), value);
    }
    builder.put(value, window);
    inner.add(value);
    return window;
  }
}
