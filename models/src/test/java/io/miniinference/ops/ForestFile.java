package io.miniinference.ops;

import static io.miniinference.ops.TestModel.attribute;
import static io.miniinference.ops.TestModel.integers;
import static io.miniinference.ops.TestModel.reals;
import static io.miniinference.ops.TestModel.strings;

import io.miniinference.onnx.wire.AttributeProto;
import java.util.ArrayList;
import java.util.List;

/// The lists that a regression forest of versions 1 and 3 has, node by node, to be bent by a test.
final class ForestFile {
  private final List<Long> trees = new ArrayList<>();
  private final List<Long> ids = new ArrayList<>();
  private final List<Long> features = new ArrayList<>();
  private final List<Long> yes = new ArrayList<>();
  private final List<Long> no = new ArrayList<>();
  private final List<Float> values = new ArrayList<>();
  private final List<String> modes = new ArrayList<>();
  private final List<Long> leafTrees = new ArrayList<>();
  private final List<Long> leaves = new ArrayList<>();
  private final List<Long> targets = new ArrayList<>();
  private final List<Float> weights = new ArrayList<>();

  ForestFile branch(long tree, long id, long feature, long whenTrue, long whenFalse) {
    return node(tree, id, feature, "BRANCH_LEQ", whenTrue, whenFalse);
  }

  ForestFile leaf(long tree, long id, float weight) {
    leafTrees.add(tree);
    leaves.add(id);
    targets.add(0L);
    weights.add(weight);
    return node(tree, id, 0, "LEAF", 0, 0);
  }

  ForestFile node(long tree, long id, long feature, String mode, long whenTrue, long whenFalse) {
    trees.add(tree);
    ids.add(id);
    features.add(feature);
    yes.add(whenTrue);
    no.add(whenFalse);
    values.add(0.5f);
    modes.add(mode);
    return this;
  }

  /// A tree of one branch.
  static ForestFile stump() {
    return new ForestFile().branch(0, 0, 1, 1, 2).leaf(0, 1, 3).leaf(0, 2, 5);
  }

  /// The lists as attributes, some of them in place of others of their name.
  AttributeProto[] attributes(AttributeProto... instead) {
    List<AttributeProto> all =
        new ArrayList<>(
            List.of(
                integers("nodes_treeids", longs(trees)),
                integers("nodes_nodeids", longs(ids)),
                integers("nodes_featureids", longs(features)),
                integers("nodes_truenodeids", longs(yes)),
                integers("nodes_falsenodeids", longs(no)),
                reals("nodes_values", values),
                strings("nodes_modes", modes),
                integers("target_treeids", longs(leafTrees))));
    all.add(integers("target_nodeids", longs(leaves)));
    all.add(integers("target_ids", longs(targets)));
    all.add(reals("target_weights", weights));
    all.add(attribute("n_targets", 1));
    for (AttributeProto other : instead) {
      all.removeIf(own -> own.getName().equals(other.getName()));
      all.add(other);
    }
    return all.toArray(AttributeProto[]::new);
  }

  private static long[] longs(List<Long> list) {
    return list.stream().mapToLong(v -> v).toArray();
  }

  /// A model of rows of three features.
  TestModel model(AttributeProto... instead) {
    return TestModel.opset(17)
        .floats("x", "N", "3")
        .node("ai.onnx.ml.TreeEnsembleRegressor", "x", "y", attributes(instead))
        .output("y");
  }
}
