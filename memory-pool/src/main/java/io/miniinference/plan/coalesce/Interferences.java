package io.miniinference.plan.coalesce;

import io.miniinference.budget.LoadBudget;
import io.miniinference.plan.Body;
import io.miniinference.plan.Condition;
import io.miniinference.plan.Step;
import io.miniinference.plan.live.Definition;
import io.miniinference.plan.live.LiveRange;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/// The clashes of contents that would lie in one block: interference (thesis §6.2), element by
/// element, with its exceptions: the step that reads an element last writes it at the same index
/// (§6.3), what ends a body or starts a loop hands a value on where it lies, and of two branches
/// only one runs.
///
/// @param moved where arrays would be
/// @param branches per step with branches, the ticks of each
record Interferences(Moved moved, List<List<LiveRange>> branches) {
  private static final double STEPS_PER_BRANCH = 10;

  /// The first obstacle that a clash of one content with others of the block is. Of very many
  /// contents the first few mostly tell.
  Optional<Condition> first(
      Definition one,
      List<Definition> others,
      Function<Interference, Optional<Condition>> obstacleOf) {
    for (Definition other : others) {
      if (one.id() != other.id() && one.first() <= other.last() && other.first() <= one.last()) {
        boolean first = one.first() <= other.first();
        Optional<Condition> obstacle =
            of(first ? one : other, first ? other : one).flatMap(obstacleOf);
        if (obstacle.isPresent()) {
          return obstacle;
        }
      }
    }
    return Optional.empty();
  }

  private Optional<Interference> of(Definition earlier, Definition later) {
    if (earlier.place().isApartFrom(later.place())) {
      return Optional.empty();
    }
    for (Definition.Use use : earlier.uses()) {
      boolean isLost =
          use.tick() >= later.first()
              && use.meets(later.place())
              && !isReadBefore(use, later)
              && !isHandedOn(use, later)
              && !isOnAnotherSide(use.at(), later.first());
      if (isLost) {
        return Optional.of(new Interference(earlier, later, use));
      }
    }
    return earlier.first() == later.first()
        ? Optional.of(new Interference(earlier, later, written(earlier)))
        : Optional.empty();
  }

  /* Both are written at once. */
  private static Definition.Use written(Definition content) {
    int tick = content.first();
    return new Definition.Use(content.place(), List.of(), tick, tick, content.step(), -1, null);
  }

  /* The step that writes `later` reads each element there just before it writes it, and in no other
  way. */
  private boolean isReadBefore(Definition.Use use, Definition later) {
    Step step = later.step();
    return step != null
        && use.step() == step
        && use.handing() == null
        && use.tick() == later.first()
        && step.bodies().isEmpty()
        && step.isPairedWithAll(use.read())
        && step.reads().get(use.read()).elementBytes() == later.array().elementBytes()
        && moved.samePlace(step.reads().get(use.read()), later.array());
  }

  /* Of two branches only one runs; what is written in the one does not harm what is read in the other. */
  private boolean isOnAnotherSide(int read, int written) {
    LoadBudget.spend(branches.size() * STEPS_PER_BRANCH);
    return branches.stream()
        .anyMatch(sides -> {
          int here = LiveRange.find(sides, read);
          int there = LiveRange.find(sides, written);
          return here >= 0 && there >= 0 && here != there;
        });
  }

  /* Whether `later` is what the use hands the value on to, in the same place, and for good: a value
  from outside a loop is needed by the next iteration under its own name. Where a loop's results
  lie where its parameters do, the last of them need not be kept through the body: either the body
  has not run, or they are its results. */
  private boolean isHandedOn(Definition.Use use, Definition later) {
    Step step = use.step();
    if (step == null || step.bodies().isEmpty()) {
      return false;
    }
    Definition.Use.Handing handing = use.handing();
    if (handing == null) {
      return isInitial(use, step, later);
    }
    Body body = handing.body();
    int value = use.read();
    return handing.isResult()
        ? use.tick() == later.first()
            && later.step() == step
            && value < step.writes().size()
            && later.array() == step.writes().get(value)
            && moved.samePlace(body.results().get(value), later.array())
        : moved.samePlace(body.results().get(value), body.parameters().get(value));
  }

  /* An operand of a loop that becomes its parameter. */
  private boolean isInitial(Definition.Use use, Step step, Definition later) {
    Body body = step.bodies().getFirst();
    return body.kind() == Body.Kind.LOOP
        && use.read() < body.parameters().size()
        && later.array() == body.parameters().get(use.read())
        && use.tick() == later.first()
        && moved.samePlace(step.reads().get(use.read()), later.array());
  }
}
