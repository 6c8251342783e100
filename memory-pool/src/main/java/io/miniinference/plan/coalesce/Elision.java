package io.miniinference.plan.coalesce;

import io.miniinference.plan.Array;
import io.miniinference.plan.Step;
import io.miniinference.plan.live.Dataflow;
import io.miniinference.plan.live.Definition;
import io.miniinference.plan.live.Region;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/// What becomes of contents when copies are dropped because both ends are one place: what the copy
/// made is gone, and its uses are uses of what was copied.
///
/// Each content is looked at once for all copies, and those that a copy concerns are found by name:
/// in a block of many Concats there are very many of both.
final class Elision {
  private final AliasState sharing;
  private final Dataflow dataflow;
  private final Moved moved;
  private final List<Definition> contents;

  /// Places in `contents`, by id; of copies that are dropped, by step number.
  private final Map<Integer, Integer> places = new HashMap<>();

  private final Map<Integer, Integer> made = new HashMap<>();

  /// @param contents all of both blocks, in their places after the merge
  Elision(AliasState sharing, Moved moved, List<Definition> contents) {
    this.sharing = sharing;
    this.dataflow = sharing.dataflow();
    this.moved = moved;
    this.contents = new ArrayList<>(contents);
  }

  /// What is left, in the same order.
  List<Definition> contents() {
    return contents.stream().filter(content -> places.containsKey(content.id())).toList();
  }

  /// Ids of the contents that have further uses now. Later copies first, so that uses run back
  /// through chains of copies.
  Set<Integer> drop(List<Candidate> copies) {
    BitSet steps = new BitSet();
    copies.forEach(copy -> steps.set(copy.step().number()));
    for (int i = 0; i < contents.size(); i++) {
      Definition content = contents.get(i).without(steps::get);
      contents.set(i, content);
      places.put(content.id(), i);
      if (content.step() != null && steps.get(content.step().number())) {
        made.put(content.step().number(), i);
      }
    }
    Set<Integer> extended = new HashSet<>();
    copies.stream()
        .sorted((a, b) -> Integer.compare(b.tick(), a.tick()))
        .forEach(copy -> extend(copy.source(), remove(copy.step()).uses(), extended));
    return extended;
  }

  /* What a copy dropped earlier made is what that one copied. */
  private void extend(Array source, List<Definition.Use> uses, Set<Integer> extended) {
    for (Dataflow.Leaf leaf : dataflow.meaning(source)) {
      List<Definition.Use> more = seen(leaf, source, uses);
      if (more.isEmpty()) {
        continue;
      }
      int content = sharing.copied(leaf.content());
      Integer place = places.get(content);
      if (place != null) {
        contents.set(place, extended(contents.get(place), more));
        extended.add(content);
      } else {
        Step copy = Objects.requireNonNull(dataflow.contents().get(content).step());
        extend(copy.reads().getFirst(), more, extended);
      }
    }
  }

  private Definition remove(Step copy) {
    Integer place = made.remove(copy.number());
    if (place == null) {
      throw new IllegalStateException("step " + copy.number() + " makes nothing that is left");
    }
    places.remove(contents.get(place).id());
    return contents.get(place);
  }

  private List<Definition.Use> seen(Dataflow.Leaf leaf, Array source, List<Definition.Use> uses) {
    Region whole = moved.wholePlace(source);
    Region part = leaf.place().in(whole);
    List<Region> hidden = leaf.hidden().stream().map(h -> h.in(whole)).toList();
    List<Definition.Use> more = new ArrayList<>();
    for (Definition.Use use : uses) {
      if (!use.place().isApartFrom(part)) {
        List<Region> both = new ArrayList<>(use.hidden());
        both.addAll(hidden);
        Region seen = use.place().isInside(part) ? use.place() : part;
        more.add(use.of(seen, both));
      }
    }
    return more;
  }

  /* What is copied in a loop and comes from outside is needed to the end of the loop. */
  private Definition extended(Definition content, List<Definition.Use> more) {
    return content.with(
        more.stream().map(use -> use.until(dataflow.until(content.first(), use.tick()))).toList());
  }
}
