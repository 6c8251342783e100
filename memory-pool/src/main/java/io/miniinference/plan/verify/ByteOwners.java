package io.miniinference.plan.verify;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Who wrote each cell of each block last. More than one owner means that it depends on the path
/// through branches and loops, or on elements that were not looked at one by one. A cell is *lost*
/// if on one of the paths a write to another block took its bytes: nothing more is then kept of it.
///
/// Blocks go by their ranks in the order of their addresses. Copies share the cells of a block
/// until one of them writes there, so that a branch or a loop costs what it touches and not what
/// the program has.
final class ByteOwners {
  static final Set<Owner> UNWRITTEN = Set.of(Owner.NOBODY);

  private final int[] ids;
  private final List<List<Set<Owner>>> blocks;
  private final BitSet live;

  /* Blocks whose cells no copy shares. */
  private final BitSet own = new BitSet();

  private ByteOwners(int[] ids, List<List<Set<Owner>>> blocks, BitSet live) {
    this.ids = ids;
    this.blocks = blocks;
    this.live = live;
  }

  /// Nothing is written yet.
  ///
  /// @param ids of the blocks
  /// @param counts of their cells
  static ByteOwners of(int[] ids, int[] counts) {
    List<List<Set<Owner>>> blocks = new ArrayList<>();
    for (int count : counts) {
      blocks.add(Collections.nCopies(count, UNWRITTEN));
    }
    return new ByteOwners(ids, blocks, new BitSet());
  }

  ByteOwners copy() {
    own.clear();
    return new ByteOwners(ids, new ArrayList<>(blocks), (BitSet) live.clone());
  }

  Set<Owner> owners(int block, int cell) {
    return blocks.get(block).get(cell);
  }

  /// What an own step of the block leaves in one of its cells.
  void put(int block, int cell, Set<Owner> owners) {
    if (!own.get(block)) {
      blocks.set(block, new ArrayList<>(blocks.get(block)));
      own.set(block);
    }
    blocks.get(block).set(cell, owners);
    live.set(block);
  }

  /// What an own step of the block leaves in all of it.
  void putAll(int block, Set<Owner> owners) {
    blocks.set(block, Collections.nCopies(blocks.get(block).size(), owners));
    own.clear(block);
    live.set(block);
  }

  /// Another block has taken the bytes of this one, and nothing that it held can be read any more.
  void end(int block, Set<Owner> owners) {
    putAll(block, owners);
    live.clear(block);
  }

  /// The blocks that were written since another one took their bytes.
  BitSet live() {
    return live;
  }

  /// What is known if either of the two happened.
  ByteOwners join(ByteOwners other) {
    ByteOwners joined = copy();
    joined.live.or(other.live);
    for (int block = 0; block < blocks.size(); block++) {
      joined.joinBlock(block, other.blocks.get(block));
    }
    return joined;
  }

  private void joinBlock(int block, List<Set<Owner>> others) {
    List<Set<Owner>> mine = blocks.get(block);
    if (mine == others) {
      return;
    }
    List<Set<Owner>> both = new ArrayList<>(mine);
    boolean isLost = true;
    for (int cell = 0; cell < both.size(); cell++) {
      both.set(cell, joined(block, mine.get(cell), others.get(cell)));
      isLost &= isLost(block, both.get(cell));
    }
    if (!both.equals(mine)) {
      blocks.set(block, both);
    }
    if (isLost) {
      live.clear(block);
    }
  }

  private Set<Owner> joined(int block, Set<Owner> a, Set<Owner> b) {
    return isLost(block, a) ? a : isLost(block, b) ? b : union(a, b);
  }

  private boolean isLost(int block, Set<Owner> owners) {
    Owner any = owners.iterator().next();
    return any.block() != ids[block] && !any.equals(Owner.NOBODY);
  }

  static Set<Owner> union(Set<Owner> a, Set<Owner> b) {
    if (a.equals(b)) {
      return a;
    }
    Set<Owner> both = new HashSet<>(a);
    both.addAll(b);
    return Set.copyOf(both);
  }

  boolean sameAs(ByteOwners other) {
    for (int block = 0; block < blocks.size(); block++) {
      List<Set<Owner>> mine = blocks.get(block);
      if (mine != other.blocks.get(block) && !mine.equals(other.blocks.get(block))) {
        return false;
      }
    }
    return true;
  }
}
