package io.miniinference.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// The in-place merges of a program: which blocks are the same memory at every batch size.
///
/// A step that may write a result over an operand does so if the operand's memory dies at that
/// step, if the result's memory is not in use before it, and if the same index is the same byte in
/// both. Decided in execution order, once for all batch sizes, since all sizes are compared as
/// [Affine] values. The classes of merged blocks are kept by union-find.
final class Merging {
  private final Lifetimes lifetimes;
  private final int[] parent;
  private final @Nullable LiveRange[] ranges;
  private final List<Merge> made = new ArrayList<>();
  private final List<RefusedMerge> refused = new ArrayList<>();

  private Merging(Program program, Lifetimes lifetimes) {
    this.lifetimes = lifetimes;
    parent = new int[program.blocks().size()];
    ranges = new LiveRange[parent.length];
    for (int i = 0; i < parent.length; i++) {
      parent[i] = i;
      ranges[i] = lifetimes.range(i);
    }
  }

  /// All merges that are sound, or none of them if `inPlace` is off.
  static Merging of(Program program, Lifetimes lifetimes, boolean inPlace) {
    Merging merging = new Merging(program, lifetimes);
    if (inPlace) {
      lifetimes.steps().forEach(merging::merge);
    }
    return merging;
  }

  List<Merge> made() {
    return made;
  }

  List<RefusedMerge> refused() {
    return refused;
  }

  /// The block that stands for all that are the same memory as `block`.
  int root(int block) {
    int at = block;
    while (parent[at] != at) {
      parent[at] = parent[parent[at]];
      at = parent[at];
    }
    return at;
  }

  /// The range of the memory that `root` stands for, null if it is never touched.
  @Nullable LiveRange range(int root) {
    return ranges[root];
  }

  private int root(Array array) {
    return root(array.block().id());
  }

  private void merge(TimedStep timed) {
    for (Step.InPlace pair : timed.step().inPlace()) {
      Array destination = timed.step().writes().get(pair.write());
      Array source = timed.step().reads().get(pair.read());
      if (root(destination) == root(source)) {
        continue;
      }
      Optional<Condition> obstacle = obstacle(timed, pair);
      int step = timed.step().number();
      if (obstacle.isPresent()) {
        refused.add(new RefusedMerge(step, source, destination, obstacle.get()));
      } else {
        made.add(new Merge(step, source, destination));
        unite(root(source), root(destination));
      }
    }
  }

  private void unite(int source, int destination) {
    ranges[source] = rangeOf(source).union(rangeOf(destination));
    parent[destination] = source;
  }

  private LiveRange rangeOf(int root) {
    return Objects.requireNonNull(ranges[root], "an array of a step is touched by that step");
  }

  private Optional<Condition> obstacle(TimedStep timed, Step.InPlace pair) {
    Array destination = timed.step().writes().get(pair.write());
    Array source = timed.step().reads().get(pair.read());
    if (!source.block().isPlanned() || !destination.block().isPlanned()) {
      return Optional.of(Condition.SC4);
    }
    return shapeObstacle(source, destination)
        .or(() -> timeObstacle(timed, source, destination))
        .or(() -> orderObstacle(timed.step(), pair));
  }

  private static Optional<Condition> shapeObstacle(Array source, Array destination) {
    if (source.elementBytes() != destination.elementBytes()) {
      return Optional.of(Condition.TYPE);
    }
    if (source.index().isBlocked() != destination.index().isBlocked()) {
      return Optional.of(Condition.LAYOUT);
    }
    if (!source.index().equivalent(destination.index())) {
      return Optional.of(source.index().isBlocked() ? Condition.LAYOUT : Condition.INDEX);
    }
    return source.block().sizeBytes().equals(destination.block().sizeBytes())
        ? Optional.empty()
        : Optional.of(Condition.SIZE);
  }

  private Optional<Condition> timeObstacle(TimedStep timed, Array source, Array destination) {
    if (takenByThisStep(timed.step(), source, destination)) {
      return Optional.of(Condition.WORSE);
    }
    if (rangeOf(root(source)).last() != timed.enter() || timed.enter() != timed.exit()) {
      return Optional.of(Condition.SC1);
    }
    return rangeOf(root(destination)).first() == timed.exit()
        ? Optional.empty()
        : Optional.of(Condition.SC3);
  }

  /* The result already lies over another operand, or another result over this operand. */
  private boolean takenByThisStep(Step step, Array source, Array destination) {
    return step.reads().stream().anyMatch(r -> root(r) == root(destination))
        || step.writes().stream().anyMatch(w -> root(w) == root(source));
  }

  /* Whatever the step reads in this memory, for whichever of its results, it must read at the index
  that it writes. */
  private Optional<Condition> orderObstacle(Step step, Step.InPlace pair) {
    Array destination = step.writes().get(pair.write());
    Array source = step.reads().get(pair.read());
    for (int i = 0; i < step.reads().size(); i++) {
      Array read = step.reads().get(i);
      if (root(read) == root(source)
          && !(pairedWithAll(step, i) && read.index().equivalent(destination.index()))) {
        return Optional.of(Condition.INDEX);
      }
    }
    return Optional.empty();
  }

  private static boolean pairedWithAll(Step step, int read) {
    return IntStream.range(0, step.writes().size())
        .allMatch(w -> step.inPlace().contains(new Step.InPlace(w, read)));
  }

  Lifetimes lifetimes() {
    return lifetimes;
  }
}
