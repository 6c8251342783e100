package io.miniinference.plan;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/// What becomes of contents when copies are dropped because both ends are one place: what the copy
/// made is gone, and its uses are uses of what was copied.
///
/// @param mine contents of one of the two blocks, in their places after the merge; changed
/// @param theirs those of the other; changed
record Elision(Dataflow dataflow, Moved moved, List<Content> mine, List<Content> theirs) {

  /// Ids of the contents that have further uses now. Later copies first, so that uses run back
  /// through chains of copies.
  Set<Integer> drop(List<Candidate> copies) {
    Set<Integer> extended = new HashSet<>();
    copies.stream()
        .sorted((a, b) -> Integer.compare(b.tick(), a.tick()))
        .forEach(copy -> drop(copy, extended));
    return extended;
  }

  private void drop(Candidate copy, Set<Integer> extended) {
    Content made = remove(copy.step());
    mine.replaceAll(content -> content.without(copy.step()));
    theirs.replaceAll(content -> content.without(copy.step()));
    extend(copy.source(), made.uses(), extended);
  }

  /* What a copy dropped earlier made is what that one copied. */
  private void extend(Array source, List<Content.Use> uses, Set<Integer> extended) {
    for (Dataflow.Leaf leaf : dataflow.meaning(source)) {
      List<Content.Use> more = seen(leaf, source, uses);
      if (more.isEmpty()) {
        continue;
      }
      if (addTo(leaf.content(), more)) {
        extended.add(leaf.content());
      } else {
        Step copy = Objects.requireNonNull(dataflow.contents().get(leaf.content()).step());
        extend(copy.reads().getFirst(), more, extended);
      }
    }
  }

  private Content remove(Step copy) {
    for (List<Content> side : List.of(mine, theirs)) {
      for (int i = 0; i < side.size(); i++) {
        if (side.get(i).step() == copy) {
          return side.remove(i);
        }
      }
    }
    throw new IllegalStateException("step " + copy.number() + " makes nothing that is left");
  }

  private List<Content.Use> seen(Dataflow.Leaf leaf, Array source, List<Content.Use> uses) {
    Place whole = moved.wholePlace(source);
    Place part = leaf.place().in(whole);
    List<Place> hidden = leaf.hidden().stream().map(h -> h.in(whole)).toList();
    List<Content.Use> more = new ArrayList<>();
    for (Content.Use use : uses) {
      if (!use.place().isApartFrom(part)) {
        List<Place> both = new ArrayList<>(use.hidden());
        both.addAll(hidden);
        Place seen = use.place().isInside(part) ? use.place() : part;
        more.add(use.of(seen, both));
      }
    }
    return more;
  }

  /* What is copied in a loop and comes from outside is needed to the end of the loop. */
  private boolean addTo(int content, List<Content.Use> more) {
    for (List<Content> side : List.of(mine, theirs)) {
      for (int i = 0; i < side.size(); i++) {
        if (side.get(i).id() == content) {
          int made = side.get(i).first();
          side.set(
              i,
              side.get(i)
                  .with(
                      more.stream()
                          .map(use -> use.until(dataflow.until(made, use.tick())))
                          .toList()));
          return true;
        }
      }
    }
    return false;
  }
}
