package io.miniinference.plan.live;

import io.miniinference.plan.Array;
import io.miniinference.plan.Body;
import io.miniinference.plan.Step;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/// What one step leaves in an array, from the tick it is written to its last use: the unit in which
/// the planner asks who may share memory. Several live in one block at different places (operands
/// of a Concat) or at different times (steps that work in place).
///
/// @param id unique in its program
/// @param array where it is written
/// @param place the same, inside the block that the array's memory is part of by now
/// @param step the step that writes it, null for a parameter of a body
/// @param first tick at which it is written
/// @param uses in no order
/// @param last the last of the uses, or `first`
public record Definition(
    int id, Array array, Region place, @Nullable Step step, int first, List<Use> uses, int last) {

  /// One reading of a content, or of a part of it.
  ///
  /// @param place what is read
  /// @param hidden parts of it that are not, since other contents lie over them there
  /// @param at when: at the end of a body that it is a result of, or of a loop around it where the
  ///   content comes from outside
  /// @param tick until when the content must last for it: longer for the result of a body, which is
  ///   handed on when the body's step ends
  /// @param step who reads, null for what is read where the program ends
  /// @param read which of the step's operands, or of the results of its body
  /// @param handing the body that hands it on, null for what the step itself reads
  public record Use(
      Region place,
      List<Region> hidden,
      int at,
      int tick,
      @Nullable Step step,
      int read,
      @Nullable Handing handing) {

    /// What hands a value on at the end of a step with bodies.
    ///
    /// @param isResult whether it is a result of the body, else a parameter of a loop after the
    ///   last iteration
    public record Handing(Body body, boolean isResult) {}

    public boolean meets(Region other) {
      return !place.isApartFrom(other) && hidden.stream().noneMatch(other::isInside);
    }

    boolean isBy(IntPredicate steps) {
      return step != null && steps.test(step.number());
    }

    public Use in(Region whole) {
      return of(place.in(whole), hidden.stream().map(h -> h.in(whole)).toList());
    }

    /// The same reading of another part.
    public Use of(Region otherPlace, List<Region> otherHidden) {
      return new Use(otherPlace, otherHidden, at, tick, step, read, handing);
    }

    /// The same for a content that must last longer.
    public Use until(int last) {
      return new Use(place, hidden, last > tick ? last : at, last, step, read, handing);
    }
  }

  static Definition of(
      int id, Array array, Region place, @Nullable Step step, int first, List<Use> uses) {
    int last = first;
    for (Use use : uses) {
      last = Math.max(last, use.tick);
    }
    return new Definition(id, array, place, step, first, List.copyOf(uses), last);
  }

  /// This content where its block has become part of another one.
  public Definition in(Region whole) {
    List<Use> moved = uses.stream().map(use -> use.in(whole)).toList();
    return new Definition(id, array, place.in(whole), step, first, moved, last);
  }

  /// This content where copies of it are not made any more.
  ///
  /// @param copies numbers of steps
  public Definition without(IntPredicate copies) {
    return isUsedBy(copies)
        ? of(id, array, place, step, first, uses.stream().filter(u -> !u.isBy(copies)).toList())
        : this;
  }

  /* A loop, since what many layers read has many uses. */
  private boolean isUsedBy(IntPredicate readers) {
    for (Use use : uses) {
      if (use.isBy(readers)) {
        return true;
      }
    }
    return false;
  }

  /// This content with further uses.
  public Definition with(List<Use> more) {
    List<Use> all = new ArrayList<>(uses);
    all.addAll(more);
    return of(id, array, place, step, first, all);
  }
}
