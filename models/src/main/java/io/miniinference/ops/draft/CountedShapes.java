package io.miniinference.ops.draft;

import io.miniinference.ir.Value;
import io.miniinference.layout.Affine;
import java.util.List;
import java.util.Optional;
import java.util.function.BinaryOperator;
import java.util.stream.IntStream;

/// The proof that a shape which a file gives follows the [CountedAxis] of what takes it. The plan's
/// size alone proves nothing, since any number of the file may equal it: the shape is made once
/// more for a longer axis, and that place alone may then be longer, by as much.
public final class CountedShapes {
  private CountedShapes() {}

  /// Refuses to lay out a value anew in a shape that follows its counted axis elsewhere or not at
  /// all.
  ///
  /// @param rule makes the shape of that of `x` and of sizes
  /// @param sizes that are given
  /// @param known of these sizes, as planned
  /// @throws LoweringFault if `x` has such an axis and there is no proof
  static void requireFollows(
      Draft draft, Value x, BinaryOperator<List<Affine>> rule, Value sizes, List<Affine> known) {
    Optional<CountedAxis> counted = draft.counted(x);
    if (counted.isEmpty()) {
      return;
    }
    List<Affine> shape = x.type().shape();
    int axis = counted.get().axis();
    List<Affine> longer = PlannedSizes.longer(shape, axis);
    Optional<List<Affine>> given = longer(draft, counted.get(), sizes, known);
    if (given.isEmpty()
        || !follows(shape, axis, rule.apply(shape, known), again(rule, longer, given.get()))) {
      throw CountedAxes.joins();
    }
  }

  /* What the sizes are then; empty if that is not known, as of those of another count. */
  private static Optional<List<Affine>> longer(
      Draft draft, CountedAxis counted, Value sizes, List<Affine> known) {
    Optional<PlannedSizes> planned = draft.planned(sizes);
    return planned.isEmpty()
        ? Optional.of(known)
        : planned
            .filter(own -> own.count().equals(counted.count()))
            .flatMap(PlannedSizes::longer)
            .map(SymbolicTensor::values);
  }

  /* What does not work out for another length is no proof. */
  private static List<Affine> again(
      BinaryOperator<List<Affine>> rule, List<Affine> shape, List<Affine> sizes) {
    try {
      return rule.apply(shape, sizes);
    } catch (LoweringFault | ArithmeticException e) {
      return List.of();
    }
  }

  private static boolean follows(
      List<Affine> shape, int axis, List<Affine> result, List<Affine> again) {
    int place = place(shape, axis, result);
    return place >= 0 && again.equals(PlannedSizes.longer(result, place));
  }

  /// Where an axis is in a shape of the same elements: a reshape keeps row-major order, so that as
  /// many elements lie ahead of one as long. −1 if it is nowhere.
  static int place(List<Affine> shape, int axis, List<Affine> result) {
    return IntStream.range(0, result.size())
        .filter(i -> result.get(i).equals(shape.get(axis)))
        .filter(i -> ahead(result, i).equals(ahead(shape, axis)))
        .findFirst()
        .orElse(-1);
  }

  private static Affine ahead(List<Affine> shape, int axis) {
    return shape.subList(0, axis).stream().reduce(Affine.ONE, Affine::times);
  }

  /// Refuses to make a value larger or smaller by sizes of which one is for its counted axis, and
  /// no 1 that leaves it as it is.
  ///
  /// @param axes of which the sizes are
  /// @throws LoweringFault if one is
  public static void requireUnsized(Draft draft, Value x, List<Integer> axes, List<Affine> sizes) {
    draft
        .counted(x)
        .map(counted -> axes.indexOf(counted.axis()))
        .filter(place -> place >= 0 && !sizes.get(place).equals(Affine.ONE))
        .ifPresent(_ -> {
          throw CountedAxes.joins();
        });
  }
}
