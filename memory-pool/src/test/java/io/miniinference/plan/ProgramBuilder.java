package io.miniinference.plan;

import io.miniinference.layout.Affine;
import io.miniinference.layout.IndexFunction;
import java.util.ArrayList;
import java.util.List;

/// Programs in a few words, for tests.
final class ProgramBuilder {
  private final List<Block> blocks = new ArrayList<>();
  private final List<Array> parameters = new ArrayList<>();
  private final List<List<Step>> open = new ArrayList<>(List.of(new ArrayList<>()));
  private final List<Program.NamedSize> naive = new ArrayList<>();
  private int number;

  static List<Affine> shape(Object... dimensions) {
    return java.util.Arrays.stream(dimensions)
        .map(d -> d instanceof Affine a ? a : Affine.of(((Number) d).longValue()))
        .toList();
  }

  Block block(String name, Affine bytes, Block.Space space) {
    Block block = new Block(blocks.size(), name, bytes, space);
    blocks.add(block);
    return block;
  }

  Array fresh(String name, IndexFunction index, int elementBytes) {
    Affine bytes = index.denseElements().times(elementBytes);
    naive.add(new Program.NamedSize(name, index.elements().times(elementBytes)));
    return new Array(name, block(name, bytes, Block.Space.ARENA), index, elementBytes);
  }

  /// A float array of `count` elements in a block of its own.
  Array floats(String name, Object... shape) {
    return fresh(name, IndexFunction.rowMajor(shape(shape)), 4);
  }

  Array input(Array array) {
    parameters.add(array);
    return array;
  }

  Array input(String name, Object... shape) {
    return input(floats(name, shape));
  }

  Array weights(String name, Object... shape) {
    IndexFunction index = IndexFunction.rowMajor(shape(shape));
    return new Array(
        name, block(name, index.denseElements().times(4), Block.Space.WEIGHTS), index, 4);
  }

  Step step(Step step) {
    open.getLast().add(step);
    return step;
  }

  int nextNumber() {
    return number++;
  }

  void openBody() {
    open.add(new ArrayList<>());
  }

  Body closeBody(String name, Body.Kind kind, List<Array> bodyParameters, List<Array> bodyResults) {
    return new Body(name, kind, bodyParameters, open.removeLast(), bodyResults);
  }

  Step step(
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
  Array compute(Array result, Array... reads) {
    step("MatMul", Step.Kind.COMPUTE, List.of(reads), List.of(result), List.of(), List.of());
    return result;
  }

  /// A step that may write over any of its operands.
  Array elementwise(Array result, Array... reads) {
    List<Step.InPlace> pairs = new ArrayList<>();
    for (int i = 0; i < reads.length; i++) {
      pairs.add(new Step.InPlace(0, i));
    }
    step("Add", Step.Kind.COMPUTE, List.of(reads), List.of(result), List.of(), pairs);
    return result;
  }

  Array view(String name, Array of, IndexFunction index) {
    Array view = of.view(name, index);
    step("View", Step.Kind.VIEW, List.of(of), List.of(view), List.of(), List.of());
    return view;
  }

  Program build(Array... results) {
    return new Program(
        "test",
        new Body("", Body.Kind.ONCE, parameters, open.getFirst(), List.of(results)),
        blocks,
        naive);
  }
}
