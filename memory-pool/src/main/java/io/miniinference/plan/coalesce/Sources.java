package io.miniinference.plan.coalesce;

import io.miniinference.plan.Array;
import io.miniinference.plan.Step;
import io.miniinference.plan.live.BaseArrays;
import io.miniinference.plan.live.Dataflow;
import io.miniinference.plan.live.Definition;
import io.miniinference.plan.live.Region;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/// The contents of a program as if every copy were another name for what it copies: those that
/// copies make are left out, and their uses are uses of what was copied.
final class Sources {
  private final Dataflow dataflow;
  private final BaseArrays wholes;
  private final List<Definition> contents;
  private final List<Boolean> made = new ArrayList<>();

  Sources(Dataflow dataflow, BaseArrays wholes) {
    this.dataflow = dataflow;
    this.wholes = wholes;
    contents = new ArrayList<>(dataflow.contents());
    contents.forEach(c -> made.add(c.step() != null && Candidate.isMove(c.step())));
    for (int id = contents.size() - 1; id >= 0; id--) {
      if (made.get(id)) {
        handBack(contents.get(id), Objects.requireNonNull(contents.get(id).step()));
      }
    }
  }

  /// Those that no copy makes.
  List<Definition> contents() {
    return contents.stream().filter(c -> !made.get(c.id())).toList();
  }

  /* Contents are numbered in the order of their steps, so that those of later copies come first. */
  private void handBack(Definition copied, Step copy) {
    Array source = copy.reads().getFirst();
    Array target = copy.writes().getFirst();
    if (!source.block().isPlanned() || source.elementBytes() != target.elementBytes()) {
      made.set(copied.id(), false);
      return;
    }
    Optional<Region> whole = wholes.place(target).wholeFor(wholes.place(source));
    for (Dataflow.Leaf leaf : dataflow.meaning(source)) {
      List<Definition.Use> uses = new ArrayList<>();
      whole.ifPresent(
          w -> copied.uses().forEach(use -> seen(use.in(w), leaf).ifPresent(uses::add)));
      contents.set(
          leaf.content(), contents.get(leaf.content()).without(n -> n == copy.number()).with(uses));
    }
  }

  private static Optional<Definition.Use> seen(Definition.Use use, Dataflow.Leaf leaf) {
    if (use.place().isApartFrom(leaf.place())) {
      return Optional.empty();
    }
    List<Region> hidden = new ArrayList<>(use.hidden());
    hidden.addAll(leaf.hidden());
    Region place = use.place().isInside(leaf.place()) ? use.place() : leaf.place();
    return Optional.of(use.of(place, hidden));
  }
}
