package io.miniinference.ops.ml;

import com.google.protobuf.ByteString;
import io.miniinference.onnx.wire.AttributeProto;
import io.miniinference.onnx.wire.AttributeProto.AttributeType;
import io.miniinference.ops.draft.LoweringFault;
import io.miniinference.ops.node.OpContext;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/// The trees of versions 1 and 3: nodes that are known by the number of their tree and their own
/// number in it, in lists beside each other. A reference to a node is its place in these lists.
final class TreeEnsembleNodes {
  private final OpContext c;
  private final TreeEnsembleNames names;
  private final TreeEnsembleMode[] modes;
  private final TreeEnsembleBranches branches;
  private final boolean[] isChild;

  /// @param wide whether thresholds are 64-bit floats
  TreeEnsembleNodes(OpContext c, boolean wide) {
    this.c = c;
    names = new TreeEnsembleNames(c.attrInts("nodes_treeids"), c.attrInts("nodes_nodeids"));
    modes = modes(names.size());
    branches = new TreeEnsembleBranches(names.size(), wide);
    isChild = new boolean[names.size()];
  }

  private TreeEnsembleMode[] modes(int nodes) {
    AttributeProto message = c.attributes().message("nodes_modes");
    if (message == null || message.getType() != AttributeType.STRINGS) {
      throw LoweringFault.of("needs attribute 'nodes_modes', a list of strings");
    }
    Lists.require("nodes_modes", message.getStringsCount(), "nodes_nodeids", nodes);
    Map<ByteString, TreeEnsembleMode> known = new HashMap<>();
    TreeEnsembleMode[] all = new TreeEnsembleMode[nodes];
    for (int node = 0; node < nodes; node++) {
      ByteString name = message.getStrings(node);
      all[node] = known.computeIfAbsent(name, text -> TreeEnsembleMode.of(text.toStringUtf8()));
    }
    return all;
  }

  /// The trees, with what their leaves say.
  ///
  /// @param kind what names of attributes of leaves begin with
  /// @param outputs that leaves may name
  TreeEnsembleForest forest(String kind, long outputs) {
    readBranches();
    return new TreeEnsembleForest(branches, leaves(kind, outputs), roots());
  }

  private long[] ints(String name) {
    long[] values = c.attrInts(name);
    Lists.require(name, values.length, "nodes_nodeids", names.size());
    return values;
  }

  private void readBranches() {
    long[] features = ints("nodes_featureids");
    long[] yes = ints("nodes_truenodeids");
    long[] no = ints("nodes_falsenodeids");
    boolean[] tracks = tracks();
    double[] values = Lists.reals(c, "nodes_values");
    Lists.require("nodes_values", values.length, "nodes_nodeids", names.size());
    for (int node = 0; node < names.size(); node++) {
      if (modes[node] != TreeEnsembleMode.LEAF) {
        int whenTrue = child(node, yes[node]);
        int whenFalse = child(node, no[node]);
        var ways = new TreeEnsembleBranches.Ways(whenTrue, whenFalse, tracks[node]);
        branches.set(node, modes[node], Math.toIntExact(features[node]), values[node], ways);
      }
    }
  }

  private boolean[] tracks() {
    boolean[] tracks = new boolean[names.size()];
    long[] given = c.attrInts("nodes_missing_value_tracks_true");
    if (given.length > 0) {
      Lists.require("nodes_missing_value_tracks_true", given.length, "nodes_nodeids", names.size());
    }
    for (int node = 0; node < given.length; node++) {
      tracks[node] = given[node] != 0;
    }
    return tracks;
  }

  /* The reference of what follows a node in its tree. */
  private int child(int node, long id) {
    int child = names.place(names.tree(node), id);
    if (child < 0) {
      throw LoweringFault.of(
          "has node %d of tree %d, which leads to node %d, and there is none"
              .formatted(names.id(node), names.tree(node), id));
    }
    isChild[child] = true;
    return reference(child);
  }

  private int reference(int node) {
    return modes[node] == TreeEnsembleMode.LEAF ? ~node : node;
  }

  /* Of each tree the first node that none leads to. */
  private int[] roots() {
    int[] roots = new int[names.trees()];
    Arrays.fill(roots, Integer.MIN_VALUE);
    for (int node = names.size() - 1; node >= 0; node--) {
      if (!isChild[node]) {
        roots[names.treeNumber(node)] = reference(node);
      }
    }
    for (int tree = 0; tree < roots.length; tree++) {
      if (roots[tree] == Integer.MIN_VALUE) {
        throw LoweringFault.of("has a tree without a root: its nodes lead back to themselves");
      }
    }
    return roots;
  }

  /* A leaf has the place of its node. What a branch is said to weigh counts nowhere. */
  private TreeEnsembleLeaves leaves(String kind, long outputs) {
    long[] targets = c.attrInts(kind + "_ids");
    long[] trees = c.attrInts(kind + "_treeids");
    long[] ids = c.attrInts(kind + "_nodeids");
    double[] weights = Lists.reals(c, kind + "_weights");
    Lists.require(kind + "_treeids", trees.length, kind + "_ids", targets.length);
    Lists.require(kind + "_nodeids", ids.length, kind + "_ids", targets.length);
    Lists.require(kind + "_weights", weights.length, kind + "_ids", targets.length);
    int[] of = new int[targets.length];
    int[] outputOf = new int[targets.length];
    for (int entry = 0; entry < of.length; entry++) {
      int node = names.place(trees[entry], ids[entry]);
      if (node < 0) {
        throw LoweringFault.of(
            "gives a weight to node %d of tree %d, and there is none"
                .formatted(ids[entry], trees[entry]));
      }
      of[entry] = modes[node] == TreeEnsembleMode.LEAF ? node : -1;
      outputOf[entry] = output(targets[entry], outputs);
    }
    return TreeEnsembleLeaves.of(names.size(), of, outputOf, weights);
  }

  /// An output that a leaf names.
  static int output(long target, long outputs) {
    if (target < 0 || target >= outputs) {
      throw LoweringFault.of("has a leaf of output %d, of %d".formatted(target, outputs));
    }
    return (int) target;
  }
}
