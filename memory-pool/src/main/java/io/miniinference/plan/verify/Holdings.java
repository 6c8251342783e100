package io.miniinference.plan.verify;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Who wrote each cell of each block last. More than one owner means that it depends on the path
/// through branches and loops, or on elements that were not looked at one by one.
final class Holdings {
  static final Set<Owner> UNWRITTEN = Set.of(Owner.NOBODY);

  private final List<List<Set<Owner>>> blocks;

  private Holdings(List<List<Set<Owner>>> blocks) {
    this.blocks = blocks;
  }

  /// Nothing is written yet.
  ///
  /// @param cells cells of each block
  static Holdings of(List<Integer> cells) {
    List<List<Set<Owner>>> blocks = new ArrayList<>();
    for (int count : cells) {
      blocks.add(new ArrayList<>(Collections.nCopies(count, UNWRITTEN)));
    }
    return new Holdings(blocks);
  }

  Holdings copy() {
    List<List<Set<Owner>>> copies = new ArrayList<>();
    blocks.forEach(cells -> copies.add(new ArrayList<>(cells)));
    return new Holdings(copies);
  }

  Set<Owner> owners(int block, int cell) {
    return blocks.get(block).get(cell);
  }

  void put(int block, int cell, Set<Owner> owners) {
    blocks.get(block).set(cell, owners);
  }

  void putAll(int block, Set<Owner> owners) {
    Collections.fill(blocks.get(block), owners);
  }

  /// What is known if either of the two happened.
  Holdings join(Holdings other) {
    Holdings joined = copy();
    for (int block = 0; block < blocks.size(); block++) {
      for (int cell = 0; cell < blocks.get(block).size(); cell++) {
        joined.put(block, cell, union(owners(block, cell), other.owners(block, cell)));
      }
    }
    return joined;
  }

  static Set<Owner> union(Set<Owner> a, Set<Owner> b) {
    if (a.equals(b)) {
      return a;
    }
    Set<Owner> both = new HashSet<>(a);
    both.addAll(b);
    return Set.copyOf(both);
  }

  boolean sameAs(Holdings other) {
    return blocks.equals(other.blocks);
  }
}
