package io.miniinference.plan.coalesce;

import io.miniinference.layout.Affine;
import io.miniinference.layout.Axis;
import io.miniinference.layout.IndexFunction;
import io.miniinference.plan.Condition;
import io.miniinference.plan.live.LiveRange;
import io.miniinference.plan.live.Region;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// The conditions under which two arrays may be made the same memory, each by its name: those of
/// the thesis (§5.3) sharpened from names to elements, and what memory of tensors adds.
///
/// @param candidate the merge in question
/// @param branches per step with branches, the ticks of each
/// @param ignored conditions that a test switched off
record Safety(Candidate candidate, List<List<LiveRange>> branches, Set<Condition> ignored) {

  /// What forbids the merge whatever else shares memory already.
  Optional<Condition> ofArrays(AliasState sharing) {
    return first(
        holds(Condition.SC4, !isTraced(sharing)),
        holds(Condition.SC5, isFoundLater(sharing)),
        holds(Condition.TYPE, hasOtherElements()),
        holds(Condition.INDEX, hasOtherShape()));
  }

  @SafeVarargs
  private static Optional<Condition> first(Optional<Condition>... obstacles) {
    for (Optional<Condition> obstacle : obstacles) {
      if (obstacle.isPresent()) {
        return obstacle;
      }
    }
    return Optional.empty();
  }

  private Optional<Condition> holds(Condition condition, boolean forbids) {
    return forbids && !ignored.contains(condition) ? Optional.of(condition) : Optional.empty();
  }

  /// SC4: both are memory of the request, and it is known what else lies around them.
  private boolean isTraced(AliasState sharing) {
    return sharing.isTraced(candidate.source().block())
        && sharing.isTraced(candidate.destination().block())
        && !sharing.place(candidate.source()).spread();
  }

  /// SC5: where the source would lie is known when it is made, and not only by an index function
  /// that the step itself comes with.
  private boolean isFoundLater(AliasState sharing) {
    return sharing.place(candidate.destination()).spread();
  }

  /// SC5 of what would lie in a row of the current iteration: it is made and used up in it.
  Optional<Condition> ofIteration(boolean isInside) {
    return holds(Condition.SC5, !isInside);
  }

  /// SC5 of a copy that other merges make needless.
  boolean isKnown(Region place) {
    return !place.spread() || ignored.contains(Condition.SC5);
  }

  /// SC4 once more: the source was made for itself, so that nothing of what it was made with is
  /// left outside the destination.
  ///
  /// @param at where all that was made with the one would lie in the other
  boolean isWhole(Region at) {
    return at.isInside() || ignored.contains(Condition.SC4);
  }

  private boolean hasOtherElements() {
    return candidate.source().elementBytes() != candidate.destination().elementBytes();
  }

  private boolean hasOtherShape() {
    return !candidate.source().index().shape().equals(candidate.destination().index().shape());
  }

  /// What forbids a merge that would make two contents clash.
  ///
  /// @param isSource whether a content came with the source's memory
  /// @param destinationMade when the destination's memory is written for the first time
  Optional<Condition> of(Interference clash, boolean isSource, int destinationMade) {
    int tick = candidate.tick();
    boolean sourceIsLost = !isSource && clash.later().first() < tick;
    boolean isMadeLater = sourceIsLost && clash.later().first() == destinationMade;
    Condition condition =
        clash.later().first() >= tick
            ? clash.use().tick() > tick ? Condition.SC1 : Condition.INDEX
            : isMadeLater ? Condition.SC2 : Condition.SC3;
    return holds(isElsewhere(clash) ? Condition.IF : condition, true);
  }

  /// IF: what would clash happens in another branch than the copy, where the same result is made
  /// from something else.
  private boolean isElsewhere(Interference clash) {
    return branches.stream()
        .anyMatch(sides -> {
          int here = LiveRange.find(sides, candidate.tick());
          int there = LiveRange.find(sides, clash.later().first());
          return here >= 0 && there >= 0 && here != there;
        });
  }

  /// LAYOUT: no kernel, or no transfer, reaches the new place.
  Optional<Condition> layout() {
    return holds(Condition.LAYOUT, true);
  }

  /// INDEX, LAYOUT: a step that works in place keeps the order of its result in memory.
  Optional<Condition> ofOrder(IndexFunction before, IndexFunction after) {
    boolean blocked = before.isBlocked() || after.isBlocked();
    boolean turned = !candidate.isCopy() && !sameOrder(before, after);
    return holds(blocked ? Condition.LAYOUT : Condition.INDEX, turned);
  }

  /// Whether neighbours in the one array are neighbours, in the same direction, in the other.
  static boolean sameOrder(IndexFunction a, IndexFunction b) {
    return order(a).equals(order(b));
  }

  private record Loop(int axis, int block, boolean forward) {}

  /* Axes of more than one index, from the outermost in memory to the innermost. */
  private static List<Loop> order(IndexFunction index) {
    List<Integer> axes = new ArrayList<>();
    for (int i = 0; i < index.rank(); i++) {
      if (!index.axes().get(i).extent().equals(Affine.ONE)) {
        axes.add(i);
      }
    }
    axes.sort(Comparator.comparingDouble((Integer i) -> width(index.axes().get(i))).reversed());
    return axes.stream().map(i -> loop(i, index.axes().get(i))).toList();
  }

  private static Loop loop(int axis, Axis a) {
    return new Loop(axis, a.block(), a.stride().constant() >= 0 && a.stride().perBatch() >= 0);
  }

  private static double width(Axis axis) {
    Affine stride = axis.outerStride();
    return Math.abs(stride.constant()) + 1e9 * Math.abs(stride.perBatch());
  }
}
