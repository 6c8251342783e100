package io.miniinference.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Two contents that cannot be at the places they would get: one is written where the other is
/// still needed.
///
/// @param earlier the one that is there first
/// @param later the one that is written over it
/// @param use what would then read the wrong one
record Clash(Content earlier, Content later, Content.Use use) {

  /// The clashes of one content with others.
  static List<Clash> all(Content one, List<Content> others, Moved moved) {
    List<Clash> clashes = new ArrayList<>();
    for (Content other : others) {
      if (one.id() != other.id() && one.first() <= other.last() && other.first() <= one.last()) {
        boolean first = one.first() <= other.first();
        of(first ? one : other, first ? other : one, moved).ifPresent(clashes::add);
      }
    }
    return clashes;
  }

  private static Optional<Clash> of(Content earlier, Content later, Moved moved) {
    if (earlier.place().isApartFrom(later.place())) {
      return Optional.empty();
    }
    for (Content.Use use : earlier.uses()) {
      if (use.tick() >= later.first()
          && use.meets(later.place())
          && !isReadBeforeIt(use, later, moved)) {
        return Optional.of(new Clash(earlier, later, use));
      }
    }
    boolean together = earlier.first() == later.first();
    return together
        ? Optional.of(
            new Clash(
                earlier,
                later,
                new Content.Use(earlier.place(), List.of(), earlier.first(), earlier.step(), -1)))
        : Optional.empty();
  }

  /* The interference exception (thesis §6.3): the step that writes `later` reads each element there
  just before it writes it, and in no other way. */
  private static boolean isReadBeforeIt(Content.Use use, Content later, Moved moved) {
    Step step = later.step();
    return step != null
        && use.step() == step
        && use.tick() == later.first()
        && step.bodies().isEmpty()
        && step.isPairedWithAll(use.read())
        && step.reads().get(use.read()).elementBytes() == later.array().elementBytes()
        && !later.place().spread()
        && moved.place(step.reads().get(use.read())).equals(later.place());
  }
}
