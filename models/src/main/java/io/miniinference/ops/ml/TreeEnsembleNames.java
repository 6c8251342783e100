package io.miniinference.ops.ml;

import io.miniinference.ops.draft.LoweringFault;
import java.util.Arrays;
import java.util.Comparator;

/// The places of nodes by the number of their tree and their own number in it.
///
/// Files mostly have trees and nodes in order: then a node is as far behind the first of its tree
/// as their numbers say. Other nodes are searched for in sorted order.
final class TreeEnsembleNames {
  private final long[] trees;
  private final long[] ids;

  /// Places in order of their names; none where the file has them in order.
  private final Integer[] sorted;

  private final long[] treeNames;
  private final int[] firstOfTree;

  TreeEnsembleNames(long[] trees, long[] ids) {
    Lists.require("nodes_treeids", trees.length, "nodes_nodeids", ids.length);
    if (ids.length == 0) {
      throw LoweringFault.of("has no nodes");
    }
    this.trees = trees;
    this.ids = ids;
    sorted = isSorted() ? new Integer[0] : sorted();
    requireDistinct();
    treeNames = Arrays.stream(trees).distinct().sorted().toArray();
    firstOfTree = firsts();
  }

  int size() {
    return ids.length;
  }

  long tree(int node) {
    return trees[node];
  }

  long id(int node) {
    return ids[node];
  }

  int trees() {
    return treeNames.length;
  }

  /// The number of a node's tree among all, in the order of their names.
  int treeNumber(int node) {
    return Arrays.binarySearch(treeNames, trees[node]);
  }

  /// The place of a node; −1 where there is none of that name.
  int place(long tree, long id) {
    int number = Arrays.binarySearch(treeNames, tree);
    if (number < 0) {
      return -1;
    }
    int first = firstOfTree[number];
    int end = number + 1 < firstOfTree.length ? firstOfTree[number + 1] : size();
    long guess = first + (id - ids[at(first)]);
    if (guess >= first && guess < end && ids[at((int) guess)] == id) {
      return at((int) guess);
    }
    return search(first, end, id);
  }

  private int search(int first, int end, long id) {
    int low = first;
    int high = end - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      int order = Long.compare(ids[at(middle)], id);
      if (order == 0) {
        return at(middle);
      }
      low = order < 0 ? middle + 1 : low;
      high = order < 0 ? high : middle - 1;
    }
    return -1;
  }

  /* The place of what is number `rank` in order of names. */
  private int at(int rank) {
    return sorted.length == 0 ? rank : sorted[rank];
  }

  private boolean isSorted() {
    for (int node = 1; node < ids.length; node++) {
      if (compare(node - 1, node) >= 0) {
        return false;
      }
    }
    return true;
  }

  private int compare(int a, int b) {
    int order = Long.compare(trees[a], trees[b]);
    return order == 0 ? Long.compare(ids[a], ids[b]) : order;
  }

  private Integer[] sorted() {
    Integer[] all = new Integer[ids.length];
    Arrays.setAll(all, node -> node);
    Arrays.sort(
        all, Comparator.<Integer>comparingLong(n -> trees[n]).thenComparingLong(n -> ids[n]));
    return all;
  }

  private void requireDistinct() {
    for (int rank = 1; rank < ids.length; rank++) {
      if (compare(at(rank - 1), at(rank)) == 0) {
        int node = at(rank);
        throw LoweringFault.of("has node %d of tree %d twice".formatted(ids[node], trees[node]));
      }
    }
  }

  private int[] firsts() {
    int[] firsts = new int[treeNames.length];
    int number = 0;
    for (int rank = 1; rank < ids.length; rank++) {
      if (trees[at(rank)] != trees[at(rank - 1)]) {
        firsts[++number] = rank;
      }
    }
    return firsts;
  }
}
