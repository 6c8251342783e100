package io.miniinference.plan;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What one step leaves in an array, from the tick it is written to its last use: the unit in which
/// the planner asks who may share memory. Several live in one block at different places (operands
/// of a Concat) or at different times (steps that work in place).
///
/// @param id unique in its program
/// @param array where it is written
/// @param place the same, inside the block that the array's memory is part of by now
/// @param step the step that writes it, null for a parameter of a body
/// @param first tick at which it is written, the start of a loop that it must survive
/// @param uses in no order
/// @param last the last of the uses, or `first`
record Content(
    int id, Array array, Place place, @Nullable Step step, int first, List<Use> uses, int last) {

  /// One reading of a content, or of a part of it.
  ///
  /// @param place what is read
  /// @param hidden parts of it that are not, since other contents lie over them there
  /// @param tick when, at the latest: at the end of a loop around it where the content comes from
  ///   outside
  /// @param step who reads, null for what is read where a body ends
  /// @param read which of the step's operands
  record Use(Place place, List<Place> hidden, int tick, @Nullable Step step, int read) {

    boolean meets(Place other) {
      return !place.isApartFrom(other) && hidden.stream().noneMatch(other::isInside);
    }

    Use in(Place whole) {
      List<Place> moved = hidden.stream().map(h -> h.in(whole)).toList();
      return new Use(place.in(whole), moved, tick, step, read);
    }
  }

  static Content of(
      int id, Array array, Place place, @Nullable Step step, int first, List<Use> uses) {
    int last = first;
    for (Use use : uses) {
      last = Math.max(last, use.tick);
    }
    return new Content(id, array, place, step, first, List.copyOf(uses), last);
  }

  /// This content where its block has become part of another one.
  Content in(Place whole) {
    List<Use> moved = uses.stream().map(use -> use.in(whole)).toList();
    return new Content(id, array, place.in(whole), step, first, moved, last);
  }

  /// This content with further uses, kept from `from` on at the latest.
  Content with(List<Use> more, int from) {
    List<Use> all = new ArrayList<>(uses);
    all.addAll(more);
    return of(id, array, place, step, Math.min(first, from), all);
  }
}
