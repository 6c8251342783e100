package io.miniinference.pool;

import org.jspecify.annotations.Nullable;

/// Blocks in the order of a key, and among equal keys of a tie-breaker: a balanced tree
/// (Adelson-Velsky and Landis, 1962) that counts the nodes it visits.
///
/// In a large pool nearly every node visited is a miss of the processor's caches, so the tree is
/// made to visit few. A node carries its keys: a descent reads one object per level. A block knows
/// its node: it leaves without a descent, and a block that takes another's place in the order takes
/// over its node.
final class BlockOrder {
  /// The place of one block in one order.
  static final class Node {
    private Block block;
    private long key;
    private long tie;
    private int height = 1;
    private @Nullable Node parent;
    private @Nullable Node left;
    private @Nullable Node right;

    private Node(Block block, long key, long tie) {
      this.block = block;
      this.key = key;
      this.tie = tie;
    }

    private boolean isBefore(long otherKey, long otherTie) {
      return key < otherKey || (key == otherKey && tie < otherTie);
    }

    private void hangLeft(@Nullable Node child) {
      left = child;
      if (child != null) {
        child.parent = this;
      }
    }

    private void hangRight(@Nullable Node child) {
      right = child;
      if (child != null) {
        child.parent = this;
      }
    }

    /// How much higher the left subtree is than the right one; from -1 to 1 in a balanced tree.
    private int lean() {
      return heightOf(left) - heightOf(right);
    }

    private void measure() {
      height = 1 + Math.max(heightOf(left), heightOf(right));
    }

    private static int heightOf(@Nullable Node node) {
      return node == null ? 0 : node.height;
    }
  }

  private @Nullable Node root;
  private int size;
  private long visits;

  /// Adds a block; the node that [#remove] and [#replace] take.
  Node add(Block block, long key, long tie) {
    Node added = new Node(block, key, tie);
    Node parent = null;
    boolean before = false;
    for (Node node = root; node != null; node = before ? node.left : node.right) {
      visits++;
      parent = node;
      before = !node.isBefore(key, tie);
    }
    if (parent == null) {
      root = added;
    } else if (before) {
      parent.hangLeft(added);
    } else {
      parent.hangRight(added);
    }
    size++;
    balanceFrom(parent);
    return added;
  }

  /// Removes the block of a node of this order.
  void remove(Node node) {
    Node left = node.left;
    Node right = node.right;
    if (left == null || right == null) {
      Node parent = node.parent;
      putInPlaceOf(node, left == null ? right : left);
      balanceFrom(parent);
    } else {
      Node heir = first(right);
      Node lowest = heir.parent == node ? heir : heir.parent;
      putInPlaceOf(heir, heir.right);
      heir.hangLeft(left);
      heir.hangRight(node.right);
      heir.height = node.height;
      putInPlaceOf(node, heir);
      balanceFrom(lowest);
    }
    size--;
  }

  /// Gives a node to another block, whose key may differ but not its place in the order.
  void replace(Node node, Block block, long key) {
    node.block = block;
    node.key = key;
  }

  /// Whether `node` is in this order, stands where its keys belong, and is `block`'s.
  boolean contains(@Nullable Node node, Block block) {
    return node != null && node.block == block && ceilingNode(node.key, node.tie) == node;
  }

  /// The first block that is not before `key` and `tie`.
  @Nullable Block ceiling(long key, long tie) {
    Node found = ceilingNode(key, tie);
    return found == null ? null : found.block;
  }

  private @Nullable Node ceilingNode(long key, long tie) {
    Node found = null;
    Node node = root;
    while (node != null) {
      visits++;
      if (node.isBefore(key, tie)) {
        node = node.right;
      } else {
        found = node;
        node = node.left;
      }
    }
    return found;
  }

  /// The last block whose key is at most `key`.
  @Nullable Block floor(long key) {
    Block found = null;
    Node node = root;
    while (node != null) {
      visits++;
      if (node.key <= key) {
        found = node.block;
        node = node.right;
      } else {
        node = node.left;
      }
    }
    return found;
  }

  @Nullable Block first() {
    return root == null ? null : first(root).block;
  }

  private Node first(Node of) {
    Node node = of;
    while (node.left != null) {
      visits++;
      node = node.left;
    }
    return node;
  }

  @Nullable Block last() {
    Node node = root;
    while (node != null && node.right != null) {
      visits++;
      node = node.right;
    }
    return node == null ? null : node.block;
  }

  int size() {
    return size;
  }

  /// Nodes visited so far: the measure of cost that tests compare with the logarithm of the blocks.
  long visits() {
    return visits;
  }

  /// Balances the subtrees from `lowest` upwards, up to the first whose height stays.
  private void balanceFrom(@Nullable Node lowest) {
    Node node = lowest;
    while (node != null) {
      visits++;
      int before = node.height;
      Node top = balance(node);
      if (top.height == before) {
        return;
      }
      node = top.parent;
    }
  }

  /// Balances one subtree, whose own subtrees are balanced; its top afterwards.
  private Node balance(Node node) {
    Node left = node.left;
    Node right = node.right;
    int lean = node.lean();
    if (left != null && lean > 1) {
      return left.lean() < 0 && left.right != null
          ? raise(raise(left.right, left), node)
          : raise(left, node);
    }
    if (right != null && lean < -1) {
      return right.lean() > 0 && right.left != null
          ? raise(raise(right.left, right), node)
          : raise(right, node);
    }
    node.measure();
    return node;
  }

  /// Rotates `node` above its parent; the node.
  private Node raise(Node node, Node parent) {
    putInPlaceOf(parent, node);
    if (parent.left == node) {
      parent.hangLeft(node.right);
      node.hangRight(parent);
    } else {
      parent.hangRight(node.left);
      node.hangLeft(parent);
    }
    parent.measure();
    node.measure();
    return node;
  }

  /// Hangs `successor` where `node` hangs now.
  private void putInPlaceOf(Node node, @Nullable Node successor) {
    Node parent = node.parent;
    if (parent == null) {
      root = successor;
      if (successor != null) {
        successor.parent = null;
      }
    } else if (parent.left == node) {
      parent.hangLeft(successor);
    } else {
      parent.hangRight(successor);
    }
  }
}
