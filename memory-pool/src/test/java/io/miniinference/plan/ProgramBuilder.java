package io.miniinference.plan;

import io.miniinference.layout.Affine;
import io.miniinference.layout.IndexFunction;
import io.miniinference.layout.Movement;
import java.util.ArrayList;
import java.util.List;

/// Programs in a few words, for tests.
public final class ProgramBuilder {
  private final List<Block> blocks = new ArrayList<>();
  private final List<Array> parameters = new ArrayList<>();
  private final List<List<Step>> open = new ArrayList<>(List.of(new ArrayList<>()));
  private final List<Program.NamedSize> naive = new ArrayList<>();
  private int number;

  public static List<Affine> shape(Object... dimensions) {
    return java.util.Arrays.stream(dimensions)
        .map(d -> d instanceof Affine a ? a : Affine.of(((Number) d).longValue()))
        .toList();
  }

  public Block block(String name, Affine bytes, Block.Space space) {
    Block block = new Block(blocks.size(), name, bytes, space);
    blocks.add(block);
    return block;
  }

  public Array fresh(String name, IndexFunction index, int elementBytes) {
    Affine bytes = index.denseElements().times(elementBytes);
    naive.add(new Program.NamedSize(name, index.elements().times(elementBytes)));
    return new Array(name, block(name, bytes, Block.Space.ARENA), index, elementBytes);
  }

  /// A float array of `count` elements in a block of its own.
  public Array floats(String name, Object... shape) {
    return fresh(name, IndexFunction.rowMajor(shape(shape)), 4);
  }

  public Array input(Array array) {
    parameters.add(array);
    return array;
  }

  public Array input(String name, Object... shape) {
    return input(floats(name, shape));
  }

  public Array weights(String name, Object... shape) {
    IndexFunction index = IndexFunction.rowMajor(shape(shape));
    return new Array(
        name, block(name, index.denseElements().times(4), Block.Space.WEIGHTS), index, 4);
  }

  public Step step(Step step) {
    open.getLast().add(step);
    return step;
  }

  public int nextNumber() {
    return number++;
  }

  public void openBody() {
    open.add(new ArrayList<>());
  }

  public Body closeBody(
      String name, Body.Kind kind, List<Array> bodyParameters, List<Array> bodyResults) {
    return new Body(name, kind, bodyParameters, open.removeLast(), bodyResults);
  }

  /// A row of `rows` in each iteration of the loop whose body is open.
  public LoopBuffers.Window window(String name, Array rows) {
    List<Affine> shape = rows.index().shape();
    List<Affine> row = shape.subList(1, shape.size());
    Affine bytes = IndexFunction.rowMajor(row).elements().times(rows.elementBytes());
    return new LoopBuffers.Window(block(name, bytes, Block.Space.MOVING), rows);
  }

  /// What a window sees.
  static Array row(LoopBuffers.Window window) {
    List<Affine> shape = window.rows().index().shape();
    IndexFunction index = IndexFunction.rowMajor(shape.subList(1, shape.size()));
    return new Array(window.block().name(), window.block(), index, window.rows().elementBytes());
  }

  /// Copies a value to the row of the iteration, which updates all rows.
  public void put(Array value, LoopBuffers.Window window) {
    Array row = copy(row(window), value);
    List<Step.InPlace> update = List.of(new Step.InPlace(0, 1));
    List<Array> rows = List.of(window.rows());
    step("Loop", Step.Kind.COMPUTE, List.of(row, window.rows()), rows, List.of(), update);
  }

  /// A loop with a body that was closed before.
  ///
  /// @param at its number, taken before those of the steps inside
  public void loop(int at, List<Array> initial, List<Array> results, Body body) {
    String name = results.getFirst().name();
    step(
        new Step(
            at,
            name,
            "Loop",
            Step.Kind.COMPUTE,
            initial,
            results,
            List.of(),
            List.of(),
            List.of(body)));
  }

  public Step step(
      String op,
      Step.Kind kind,
      List<Array> reads,
      List<Array> writes,
      List<Block> scratch,
      List<Step.InPlace> inPlace) {
    int at = nextNumber();
    String name = writes.isEmpty() ? op + at : writes.getFirst().name();
    return step(new Step(at, name, op, kind, reads, writes, scratch, inPlace, List.of()));
  }

  /// A step that is never in place, such as a matrix product.
  public Array compute(Array result, Array... reads) {
    step("MatMul", Step.Kind.COMPUTE, List.of(reads), List.of(result), List.of(), List.of());
    return result;
  }

  /// A step that may write over any of its operands.
  public Array elementwise(Array result, Array... reads) {
    List<Step.InPlace> pairs = new ArrayList<>();
    for (int i = 0; i < reads.length; i++) {
      pairs.add(new Step.InPlace(0, i));
    }
    step("Add", Step.Kind.COMPUTE, List.of(reads), List.of(result), List.of(), pairs);
    return result;
  }

  public Array view(String name, Array of, IndexFunction index) {
    Array view = of.view(name, index);
    step("View", Step.Kind.VIEW, List.of(of), List.of(view), List.of(), List.of());
    return view;
  }

  public Array view(String name, Array of, Movement movement) {
    Array view = of.view(name, movement).orElseThrow();
    step("View", Step.Kind.VIEW, List.of(of), List.of(view), List.of(), List.of());
    return view;
  }

  /// A contiguous part of a value along an axis, to be read.
  public Array slice(String name, Array of, int axis, Object start, Object extent) {
    return view(name, of, range(of, axis, start, extent));
  }

  /// A contiguous part of an array along an axis, to be written.
  public Array part(String name, Array whole, int axis, Object start, Object extent) {
    return whole.view(name, range(whole, axis, start, extent)).orElseThrow();
  }

  private static Movement range(Array of, int axis, Object start, Object extent) {
    List<Affine> numbers = shape(start, extent);
    return Movement.part(of.index().shape(), axis, numbers.get(0), numbers.get(1));
  }

  /// Makes `whole` the name of what its parts hold, the later over the earlier.
  public Array assemble(Array whole, Array... parts) {
    step("Concat", Step.Kind.VIEW, List.of(parts), List.of(whole), List.of(), List.of());
    return whole;
  }

  /// A copy of a value into another array.
  public Array copy(Array to, Array from) {
    step("Copy", Step.Kind.COPY, List.of(from), List.of(to), List.of(), List.of());
    return to;
  }

  /// Values one after the other along an axis of a new one, each copied there.
  public Array concat(String name, int axis, Array... operands) {
    List<Affine> shape = new ArrayList<>(operands[0].index().shape());
    shape.set(
        axis,
        java.util.Arrays.stream(operands)
            .map(o -> o.index().shape().get(axis))
            .reduce(Affine.ZERO, Affine::plus));
    Array whole = fresh(name, IndexFunction.rowMajor(shape), operands[0].elementBytes());
    List<Array> parts = new ArrayList<>();
    Affine start = Affine.ZERO;
    for (int i = 0; i < operands.length; i++) {
      Affine extent = operands[i].index().shape().get(axis);
      Movement at = Movement.part(shape, axis, start, extent);
      parts.add(copy(whole.view(name + "[" + i + "]", at).orElseThrow(), operands[i]));
      start = start.plus(extent);
    }
    return assemble(whole, parts.toArray(Array[]::new));
  }

  /// An If with two bodies that were closed before.
  ///
  /// @param at its number, taken before those of the steps inside
  public void branch(int at, Array condition, Array result, Body then, Body otherwise) {
    step(
        new Step(
            at,
            "if",
            "If",
            Step.Kind.COMPUTE,
            List.of(condition),
            List.of(result),
            List.of(),
            List.of(),
            List.of(then, otherwise)));
  }

  public Program build(Array... results) {
    return new Program(
        "test",
        new Body("", Body.Kind.ONCE, parameters, open.getFirst(), List.of(results)),
        blocks,
        naive);
  }
}
