package io.miniinference.codegen.cpu;

import io.miniinference.codegen.IndexText;
import io.miniinference.layout.Affine;
import io.miniinference.layout.Axis;
import io.miniinference.layout.IndexFunction;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// The elements of an elementwise step as runs: loops over the result in the order of its memory,
/// of which those are joined that are one in every array. Along the innermost, the run itself, the
/// result is neighbour after neighbour. So is an operand, or one element of it repeats, or its
/// elements lie apart, always as far ([#isApart]).
///
/// The last block of a blocked axis is whole in memory, and runs go through all of its lanes: what
/// is computed in those beyond the axis is of no account. An operand that is not blocked has no
/// such lanes, and is read as far as it goes ([#isShorter]).
///
/// @param loops outermost first, the last one over the elements of a run
/// @param arrays the result, then the operands
record Runs(List<Loop> loops, List<IndexFunction> arrays) {

  /// A loop.
  ///
  /// @param strides elements from one turn to the next, of each array
  /// @param shorter arrays that have fewer elements in the last turn of a loop over blocks than in
  ///   the others, or than the loop over lanes has turns
  /// @param of the loop over the result that it is or begins with
  record Loop(Affine extent, List<Affine> strides, Set<Integer> shorter, Loops.Loop of) {
    private boolean isInside(Loop outer) {
      return extent.isConstant()
          && outer.extent.isConstant()
          && shorter.isEmpty()
          && outer.shorter.isEmpty()
          && IntStream.range(0, strides.size())
              .allMatch(i -> outer.strides.get(i).equals(strides.get(i).times(extent)));
    }

    private Loop joined(Loop outer) {
      return new Loop(extent.times(outer.extent), strides, shorter, outer.of);
    }

    private boolean isRun() {
      return extent.isConstant() && strides.getFirst().equals(Affine.ONE);
    }
  }

  /// The runs of a result and of operands that are broadcast to it, if they have any.
  static Optional<Runs> of(IndexFunction result, List<IndexFunction> operands) {
    List<IndexFunction> arrays = Stream.concat(Stream.of(result), operands.stream()).toList();
    List<Loop> loops = new ArrayList<>();
    for (Loops.Loop loop : loops(result, operands)) {
      List<Affine> strides = new ArrayList<>();
      Set<Integer> shorter = new TreeSet<>();
      for (int i = 0; i < arrays.size(); i++) {
        Optional<Affine> stride = stride(arrays.get(i), loop, result);
        if (stride.isEmpty()) {
          return Optional.empty();
        }
        strides.add(stride.get());
        if (isShorter(arrays.get(i), loop, result)) {
          shorter.add(i);
        }
      }
      add(new Loop(loop.extent(), strides, shorter, loop), loops);
    }
    return !loops.isEmpty() && loops.getLast().isRun() && areLanesInnermost(loops)
        ? Optional.of(new Runs(loops, arrays))
        : Optional.empty();
  }

  /* The loops over the result, in two where blocks of an operand lie along one. */
  private static List<Loops.Loop> loops(IndexFunction result, List<IndexFunction> operands) {
    return Loops.over(result).all().stream()
        .flatMap(loop -> {
          int block = operands.stream().mapToInt(it -> block(it, loop, result)).max().orElse(1);
          return loop.part() == Loops.Part.WHOLE && loop.hasWholeBlocks(block)
              ? loop.inBlocks(block).stream()
              : Stream.of(loop);
        })
        .toList();
  }

  private static int block(IndexFunction array, Loops.Loop loop, IndexFunction result) {
    return moved(array, loop, result).map(Axis::block).orElse(1);
  }

  /* A shorter array is read by runs, as far as it goes. */
  private static boolean areLanesInnermost(List<Loop> loops) {
    return loops.subList(0, loops.size() - 1).stream()
        .noneMatch(loop -> loop.of().part() == Loops.Part.LANES && !loop.shorter().isEmpty());
  }

  private static void add(Loop loop, List<Loop> loops) {
    boolean joins = !loops.isEmpty() && loop.isInside(loops.getLast());
    loops.add(joins ? loop.joined(loops.removeLast()) : loop);
  }

  /* How far a loop over the result moves in an array, if always as far. */
  private static Optional<Affine> stride(
      IndexFunction array, Loops.Loop loop, IndexFunction result) {
    Optional<Axis> moved = moved(array, loop, result);
    if (moved.isEmpty()) {
      return Optional.of(Affine.ZERO);
    }
    Axis along = moved.get();
    if (loop.part() == Loops.Part.WHOLE) {
      return along.isBlocked() ? Optional.empty() : Optional.of(along.stride());
    }
    if (along.isBlocked() && along.block() != loop.block()) {
      return Optional.empty();
    }
    Affine outer = along.isBlocked() ? along.outerStride() : along.stride().times(loop.block());
    return Optional.of(loop.part() == Loops.Part.BLOCKS ? outer : along.stride());
  }

  /* The axis of an array along which a loop over the result goes, if none of its elements repeats. */
  private static Optional<Axis> moved(IndexFunction array, Loops.Loop loop, IndexFunction result) {
    int axis = loop.axis() - (result.rank() - array.rank());
    Affine whole = result.axes().get(loop.axis()).extent();
    return axis < 0 || IndexText.isRepeated(array.axes().get(axis).extent(), whole)
        ? Optional.empty()
        : Optional.of(array.axes().get(axis));
  }

  /* Whether the lanes of the last block that are beyond the axis are none of an array's. */
  private static boolean isShorter(IndexFunction array, Loops.Loop loop, IndexFunction result) {
    return loop.part() != Loops.Part.WHOLE
        && moved(array, loop, result)
            .filter(along -> !along.isBlocked() && !along.extent().isMultipleOf(loop.block()))
            .isPresent();
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

  /// Whether an array may end within a run that is a block of lanes: it has [#left] of them.
  boolean isShorter(int array) {
    return run().shorter().contains(array);
  }

  /// Text of how many lanes of a run are an array's that [#isShorter] tells of.
  ///
  /// @param place text of the place in one of the loops over runs
  String left(IntFunction<String> place) {
    Loops.Loop lanes = run().of();
    int blocks =
        IntStream.range(0, loops.size() - 1)
            .filter(i -> loops.get(i).of().axis() == lanes.axis())
            .findFirst()
            .orElseThrow();
    Affine extent = arrays.getFirst().axes().get(lanes.axis()).extent();
    return "(int)min(%1$dL, %2$dL - %3$s * %1$d)"
        .formatted(lanes.block(), extent.asConstant(), place.apply(blocks));
  }

  /// The innermost of the loops over runs along which an array moves, -1 where it is none.
  int innermost(int array) {
    int loop = loops.size() - 2;
    while (loop >= 0 && loops.get(loop).strides().get(array).isZero()) {
      loop--;
    }
    return loop;
  }

  /// Whether one element of an array is that of all the run.
  boolean repeats(int array) {
    return apart(array).isZero();
  }

  /// Whether an array's elements along the run are no neighbours, or not in every request.
  boolean isApart(int array) {
    return !repeats(array) && !apart(array).isSingle();
  }

  /// Elements of an array from one of the run to the next.
  Affine apart(int array) {
    return run().strides().get(array);
  }
}
