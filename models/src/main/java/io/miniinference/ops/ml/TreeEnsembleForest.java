package io.miniinference.ops.ml;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.Tensor;
import io.miniinference.ir.TreeEnsemble;
import io.miniinference.ir.Value;
import io.miniinference.ops.draft.LoweringFault;
import io.miniinference.ops.node.OpContext;
import java.util.Arrays;

/// Trees as [TreeEnsemble] takes them: nodes level by level over all trees, so that those that each
/// row comes by lie together, and the two that follow a branch next to each other.
///
/// What a branch leads to may be what others lead to, too; its node is then there once for each.
/// That costs no more than two nodes a branch. Branches that lead back to themselves are refused.
final class TreeEnsembleForest {
  /// What a branch has as pair while nothing leads to it.
  private static final int NONE = -1;

  private static final int MOST_NODES = 1 << 26;

  /// Most targets or classes.
  private static final long MOST_OUTPUTS = 1_000_000;

  /// Most entries of a row's leaves times outputs: on GPUs each output goes through all entries.
  private static final long MOST_WORK = 1L << 34;

  private final TreeEnsembleBranches branches;
  private final TreeEnsembleLeaves leaves;
  private final int[] roots;
  private final int[] pairs;
  private int[] nodes;
  private int size;

  /// @param roots references, one a tree
  TreeEnsembleForest(TreeEnsembleBranches branches, TreeEnsembleLeaves leaves, int[] roots) {
    this.branches = branches;
    this.leaves = leaves;
    this.roots = roots;
    if (roots.length == 0) {
      throw LoweringFault.of("has no trees");
    }
    pairs = new int[branches.size()];
    Arrays.fill(pairs, NONE);
    nodes = Arrays.copyOf(roots, Math.max(16, roots.length));
    size = roots.length;
  }

  /// What the trees say of each row, `[N, outputs]` of X's type.
  ///
  /// @param x rows of floats of 32 or 64 bits
  Value emit(OpContext c, Value x, TreeEnsemble.Combination combination, long outputs) {
    requireWork(outputs);
    place();
    requireFeatures(x.type().dim(1).constant());
    int depth = depth();
    Value words = Lists.constant(c, Tensor.of(words(x.type().element()), size, TreeEnsemble.WORDS));
    int[] first = new int[roots.length];
    Arrays.setAll(first, tree -> tree);
    int entries = leaves.targets().length;
    return c.emit(
        new TreeEnsemble(combination, outputs, depth),
        x,
        words,
        Lists.constant(c, Tensor.of(first, first.length)),
        Lists.constant(c, Tensor.of(leaves.targets(), entries)),
        Lists.constant(c, x.type().element(), leaves.weights(), entries));
  }

  private void requireWork(long outputs) {
    if (outputs < 1 || outputs > MOST_OUTPUTS) {
      throw LoweringFault.of("has %,d outputs, of 1 to %,d".formatted(outputs, MOST_OUTPUTS));
    }
    long entries = (long) roots.length * leaves.most();
    if (entries > MOST_WORK / outputs) {
      throw LoweringFault.of(
          "has up to %,d entries in the leaves of a row for %,d outputs, which together are too many"
              .formatted(entries, outputs));
    }
  }

  /* The reference of each node: roots first, then what follows them. */
  private void place() {
    for (int node = 0; node < size; node++) {
      int branch = nodes[node];
      if (branch >= 0 && pairs[branch] == NONE) {
        pairs[branch] = size;
        add(branches.yes(branch));
        add(branches.no(branch));
      }
    }
  }

  private void add(int reference) {
    if (size == nodes.length) {
      nodes = Arrays.copyOf(nodes, Math.min(MOST_NODES + 1, 2 * size));
    }
    if (size == MOST_NODES) {
      throw LoweringFault.of("has more than %,d nodes".formatted(MOST_NODES));
    }
    nodes[size++] = reference;
  }

  private void requireFeatures(long features) {
    for (int branch = 0; branch < pairs.length; branch++) {
      if (pairs[branch] != NONE && branches.feature(branch) >= features) {
        throw LoweringFault.of(
            "compares feature %d, and rows have %d".formatted(branches.feature(branch), features));
      }
    }
  }

  /* Branches on the longest way: each is done once all that lead to it are, unless it leads to
  itself. */
  private int depth() {
    int[] waiting = parents();
    int[] order = new int[pairs.length];
    int ready = 0;
    int placed = 0;
    for (int branch = 0; branch < pairs.length; branch++) {
      placed += pairs[branch] == NONE ? 0 : 1;
      if (pairs[branch] != NONE && waiting[branch] == 0) {
        order[ready++] = branch;
      }
    }
    int[] levels = new int[pairs.length];
    int depth = 0;
    for (int done = 0; done < ready; done++) {
      int level = levels[order[done]] + 1;
      depth = Math.max(depth, level);
      for (int way = 0; way < 2; way++) {
        int next = nodes[pairs[order[done]] + way];
        if (next >= 0) {
          levels[next] = Math.max(levels[next], level);
          if (--waiting[next] == 0) {
            order[ready++] = next;
          }
        }
      }
    }
    if (ready < placed) {
      throw LoweringFault.of("has nodes that lead back to themselves");
    }
    return depth;
  }

  /* How many ways lead to each branch from others. */
  private int[] parents() {
    int[] parents = new int[pairs.length];
    for (int node = roots.length; node < size; node++) {
      if (nodes[node] >= 0) {
        parents[nodes[node]]++;
      }
    }
    return parents;
  }

  private int[] words(ElementType type) {
    int[] words = new int[size * TreeEnsemble.WORDS];
    for (int node = 0; node < size; node++) {
      int at = node * TreeEnsemble.WORDS;
      if (nodes[node] >= 0) {
        branch(words, at, nodes[node], type);
      } else {
        int leaf = ~nodes[node];
        words[at] = TreeEnsemble.LEAF;
        words[at + 1] = leaves.first(leaf);
        words[at + 2] = leaves.count(leaf);
      }
    }
    return words;
  }

  private void branch(int[] words, int at, int branch, ElementType type) {
    words[at] = branches.feature(branch) << TreeEnsemble.FEATURE_SHIFT;
    words[at] |= branches.nanIsTrue(branch) ? TreeEnsemble.NAN_IS_TRUE : 0;
    words[at + 1] = pairs[branch];
    double threshold = branches.threshold(branch);
    if (type == ElementType.F32) {
      words[at + 2] = Float.floatToIntBits((float) threshold);
    } else {
      long bits = Double.doubleToLongBits(threshold);
      words[at + 2] = (int) bits;
      words[at + 3] = (int) (bits >> Integer.SIZE);
    }
  }
}
