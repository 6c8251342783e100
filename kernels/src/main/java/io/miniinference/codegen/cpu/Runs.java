package io.miniinference.codegen.cpu;

import io.miniinference.codegen.IndexText;
import io.miniinference.layout.Affine;
import io.miniinference.layout.Axis;
import io.miniinference.layout.IndexFunction;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// The elements of an elementwise step as runs: loops over the result in the order of its memory,
/// of which those are joined that are one in every array. Along the innermost, the run itself, the
/// result is neighbour after neighbour, and so is each operand unless one element of it repeats.
///
/// @param loops outermost first, the last one over the elements of a run
/// @param arrays the result, then the operands
record Runs(List<Loop> loops, List<IndexFunction> arrays) {

  /// A loop.
  ///
  /// @param strides elements from one turn to the next, of each array
  record Loop(Affine extent, List<Affine> strides) {
    private boolean isInside(Loop outer) {
      return extent.isConstant()
          && outer.extent.isConstant()
          && IntStream.range(0, strides.size())
              .allMatch(i -> outer.strides.get(i).equals(strides.get(i).times(extent)));
    }

    private Loop joined(Loop outer) {
      return new Loop(extent.times(outer.extent), strides);
    }

    private boolean isRun() {
      return extent.isConstant()
          && strides.getFirst().equals(Affine.ONE)
          && strides.stream().allMatch(stride -> stride.isZero() || stride.equals(Affine.ONE));
    }
  }

  /// The runs of a result and of operands that are broadcast to it, if they have any.
  static Optional<Runs> of(IndexFunction result, List<IndexFunction> operands) {
    List<IndexFunction> arrays = Stream.concat(Stream.of(result), operands.stream()).toList();
    List<Loop> loops = new ArrayList<>();
    for (Loops.Loop loop : Loops.over(result).all()) {
      List<Affine> strides = new ArrayList<>();
      for (IndexFunction array : arrays) {
        Optional<Affine> stride = stride(array, loop, result);
        if (stride.isEmpty()) {
          return Optional.empty();
        }
        strides.add(stride.get());
      }
      add(new Loop(loop.extent(), strides), loops);
    }
    return !loops.isEmpty() && loops.getLast().isRun()
        ? Optional.of(new Runs(loops, arrays))
        : Optional.empty();
  }

  private static void add(Loop loop, List<Loop> loops) {
    boolean joins = !loops.isEmpty() && loop.isInside(loops.getLast());
    loops.add(joins ? loop.joined(loops.removeLast()) : loop);
  }

  /* How far a loop over the result moves in an array, if always as far. A last block that is not
  full has fewer turns than the others. */
  private static Optional<Affine> stride(
      IndexFunction array, Loops.Loop loop, IndexFunction result) {
    int axis = loop.axis() - (result.rank() - array.rank());
    Affine whole = result.axes().get(loop.axis()).extent();
    if (axis < 0 || IndexText.isRepeated(array.axes().get(axis).extent(), whole)) {
      return Optional.of(Affine.ZERO);
    }
    Axis along = array.axes().get(axis);
    if (loop.part() == Loops.Part.WHOLE) {
      return along.isBlocked() ? Optional.empty() : Optional.of(along.stride());
    }
    boolean isWhole = along.extent().isMultipleOf(loop.block());
    if (!isWhole || (along.isBlocked() && along.block() != loop.block())) {
      return Optional.empty();
    }
    Affine outer = along.isBlocked() ? along.outerStride() : along.stride().times(loop.block());
    return Optional.of(loop.part() == Loops.Part.BLOCKS ? outer : along.stride());
  }

  /// The loop over the elements of a run.
  Loop run() {
    return loops.getLast();
  }

  /// Elements of a run.
  long length() {
    return run().extent().asConstant();
  }

  /// The loops over runs, outermost first.
  List<Loop> outer() {
    return loops.subList(0, loops.size() - 1);
  }

  /// Whether one element of an array is that of all the run.
  boolean repeats(int array) {
    return run().strides().get(array).isZero();
  }
}
