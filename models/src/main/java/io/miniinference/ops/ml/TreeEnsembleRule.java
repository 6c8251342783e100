package io.miniinference.ops.ml;

import static io.miniinference.ir.Exprs.const_;
import static io.miniinference.ir.Exprs.div;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.Tensor;
import io.miniinference.ir.TreeEnsemble.Combination;
import io.miniinference.ir.Value;
import io.miniinference.ops.draft.Ex;
import io.miniinference.ops.draft.LoweringFault;
import io.miniinference.ops.draft.SmallTensors;
import io.miniinference.ops.node.OpContext;
import io.miniinference.ops.node.OpTable;
import java.util.Arrays;

/// Forests of version 5: branches and leaves are lists of their own, and what follows a branch is a
/// place in one of them
/// ([TreeEnsemble](https://onnx.ai/onnx/operators/onnx_aionnxml_TreeEnsemble.html)).
final class TreeEnsembleRule {
  private static final int AVERAGE = 0;

  private final OpContext c;
  private final Value x;
  private final long targets;

  private TreeEnsembleRule(OpContext c) {
    this.c = c;
    x = Rows.floats(c);
    Rows.features(x);
    targets = c.attrInt("n_targets");
  }

  static void addTo(OpTable table) {
    table.row(
        "ai.onnx.ml.TreeEnsemble",
        5,
        "1",
        "aggregate_function=1 leaf_targetids leaf_weights membership_values n_targets"
            + " nodes_falseleafs nodes_falsenodeids nodes_featureids nodes_hitrates"
            + " nodes_missing_value_tracks_true nodes_modes nodes_splits nodes_trueleafs"
            + " nodes_truenodeids post_transform=0 tree_roots",
        c -> new TreeEnsembleRule(c).lower());
  }

  private Value lower() {
    Combination combination = combination();
    int[] roots = roots();
    Value scores =
        new TreeEnsembleForest(branches(), leaves(), roots).emit(c, x, combination, targets);
    if (c.attrInt("aggregate_function") == AVERAGE) {
      scores = c.map(div(Ex.x(), const_(x.type().element(), (long) roots.length)), scores);
    }
    PostTransform transform = PostTransform.of(c.attrInt("post_transform"));
    Value all = targets == 1 ? transform.ofOne(c, scores) : transform.apply(c, scores);
    return c.element(0).isFloat() ? c.cast(all, c.element(0)) : all;
  }

  private Combination combination() {
    long number = c.attrInt("aggregate_function");
    return switch ((int) Math.clamp(number, -1, 4)) {
      case AVERAGE, 1 -> Combination.SUM;
      case 2 -> Combination.MIN;
      case 3 -> Combination.MAX;
      default ->
          throw LoweringFault.of(
              "has attribute 'aggregate_function' = %d; it is 0 to 3".formatted(number));
    };
  }

  private int nodes() {
    return c.attributes().message("nodes_featureids") == null
        ? 0
        : c.attrInts("nodes_featureids").length;
  }

  private int[] roots() {
    int nodes = nodes();
    return Arrays.stream(c.attrInts("tree_roots"))
        .mapToInt(root -> place("tree_roots", root, nodes))
        .toArray();
  }

  private static int place(String name, long place, int count) {
    if (place < 0 || place >= count) {
      throw LoweringFault.of(
          "has %d in '%s', and there are places 0 to %d".formatted(place, name, count - 1));
    }
    return (int) place;
  }

  private TreeEnsembleBranches branches() {
    long[] features = c.attrInts("nodes_featureids");
    TreeEnsembleMode[] modes = modes(features.length);
    double[] splits = SmallTensors.reals(tensor("nodes_splits"));
    Lists.require("nodes_splits", splits.length, "nodes_featureids", features.length);
    int[] yes = references("nodes_truenodeids", "nodes_trueleafs", features.length);
    int[] no = references("nodes_falsenodeids", "nodes_falseleafs", features.length);
    long[] tracks = c.attrInts("nodes_missing_value_tracks_true");
    if (tracks.length > 0) {
      Lists.require(
          "nodes_missing_value_tracks_true", tracks.length, "nodes_featureids", features.length);
    }
    TreeEnsembleMembers members = TreeEnsembleMembers.of(c);
    var branches = new TreeEnsembleBranches(features.length, x.type().element() == ElementType.F64);
    for (int node = 0; node < features.length; node++) {
      boolean nan = tracks.length > 0 && tracks[node] != 0;
      var ways = new TreeEnsembleBranches.Ways(yes[node], no[node], nan);
      int feature = Math.toIntExact(features[node]);
      if (modes[node] == TreeEnsembleMode.BRANCH_MEMBER) {
        branches.setMember(node, feature, members.next(), ways);
      } else {
        branches.set(node, modes[node], feature, splits[node], ways);
      }
    }
    return branches;
  }

  private TreeEnsembleMode[] modes(int nodes) {
    Tensor numbers = tensor("nodes_modes");
    Lists.require("nodes_modes", numbers.elements(), "nodes_featureids", nodes);
    return Arrays.stream(SmallTensors.integers(numbers))
        .mapToObj(TreeEnsembleMode::of)
        .toArray(TreeEnsembleMode[]::new);
  }

  private Tensor tensor(String name) {
    Tensor tensor = Lists.tensor(c, name);
    if (tensor == null) {
      throw LoweringFault.of("needs attribute '" + name + "'");
    }
    return tensor;
  }

  /* What follows each branch on one side. */
  private int[] references(String places, String areLeaves, int nodes) {
    long[] place = c.attrInts(places);
    long[] isLeaf = c.attrInts(areLeaves);
    Lists.require(places, place.length, "nodes_featureids", nodes);
    Lists.require(areLeaves, isLeaf.length, "nodes_featureids", nodes);
    int leaves = c.attrInts("leaf_targetids").length;
    int[] references = new int[nodes];
    for (int node = 0; node < nodes; node++) {
      references[node] =
          isLeaf[node] != 0
              ? ~place(places, place[node], leaves)
              : place(places, place[node], nodes);
    }
    return references;
  }

  private TreeEnsembleLeaves leaves() {
    long[] ids = c.attrInts("leaf_targetids");
    double[] weights = SmallTensors.reals(tensor("leaf_weights"));
    Lists.require("leaf_weights", weights.length, "leaf_targetids", ids.length);
    int[] of = new int[ids.length];
    int[] outputs = new int[ids.length];
    for (int leaf = 0; leaf < ids.length; leaf++) {
      of[leaf] = leaf;
      outputs[leaf] = TreeEnsembleNodes.output(ids[leaf], targets);
    }
    return TreeEnsembleLeaves.of(ids.length, of, outputs, weights);
  }
}
