package io.miniinference.bench.contrib;

import io.miniinference.ir.Tensor;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.IntFunction;

/// Attributes of a forest as exporters write them: nodes in lists, each tree from its root on,
/// weights at leaves.
final class ForestAttributes {
  /// An entry of a leaf.
  record Entry(long output, float weight) {}

  private final Random random;
  private final int features;
  private final List<String> modes;
  private final List<Long> trees = new ArrayList<>();
  private final List<Long> nodes = new ArrayList<>();
  private final List<Long> featureIds = new ArrayList<>();
  private final List<Float> values = new ArrayList<>();
  private final List<String> kinds = new ArrayList<>();
  private final List<Long> yes = new ArrayList<>();
  private final List<Long> no = new ArrayList<>();
  private final List<Long> missing = new ArrayList<>();
  private final List<Long> entryTrees = new ArrayList<>();
  private final List<Long> entryNodes = new ArrayList<>();
  private final List<Long> entryIds = new ArrayList<>();
  private final List<Float> weights = new ArrayList<>();

  /// @param modes of branches, of which each takes one
  ForestAttributes(long seed, int features, String... modes) {
    random = new Random(seed);
    this.features = features;
    this.modes = List.of(modes);
  }

  Random random() {
    return random;
  }

  /// Adds trees.
  ///
  /// @param entries of a leaf of the tree of that number
  ForestAttributes grow(int count, int depth, IntFunction<List<Entry>> entries) {
    for (int k = 0; k < count; k++) {
      int tree = k;
      int first = nodes.size();
      node(tree, first, depth, () -> entries.apply(tree));
    }
    return this;
  }

  private interface Leaf {
    List<Entry> entries();
  }

  private long node(long tree, int first, int depth, Leaf leaf) {
    int place = nodes.size();
    long id = place - first;
    boolean ends = depth == 0 || (id > 0 && random.nextInt(6) == 0);
    trees.add(tree);
    nodes.add(id);
    featureIds.add(ends ? 0L : random.nextInt(features));
    values.add(ends ? 0 : random.nextInt(-8, 9) / 4f);
    kinds.add(ends ? "LEAF" : modes.get(random.nextInt(modes.size())));
    missing.add(ends ? 0L : random.nextInt(2));
    yes.add(0L);
    no.add(0L);
    if (ends) {
      for (Entry entry : leaf.entries()) {
        entryTrees.add(tree);
        entryNodes.add(id);
        entryIds.add(entry.output);
        weights.add(entry.weight);
      }
    } else {
      yes.set(place, node(tree, first, depth - 1, leaf));
      no.set(place, node(tree, first, depth - 1, leaf));
    }
    return id;
  }

  /// The attributes, with further ones behind them.
  ///
  /// @param kind what names of attributes of leaves begin with
  Object[] attributes(String kind, Object... more) {
    List<Object> all =
        new ArrayList<>(
            List.of(
                "nodes_treeids",
                longs(trees),
                "nodes_nodeids",
                longs(nodes),
                "nodes_featureids",
                longs(featureIds),
                "nodes_values",
                floats(values),
                "nodes_modes",
                kinds.toArray(String[]::new),
                "nodes_truenodeids",
                longs(yes),
                "nodes_falsenodeids",
                longs(no),
                "nodes_missing_value_tracks_true",
                longs(missing),
                kind + "_treeids",
                longs(entryTrees),
                kind + "_nodeids",
                longs(entryNodes)));
    all.addAll(List.of(kind + "_ids", longs(entryIds), kind + "_weights", floats(weights)));
    Collections.addAll(all, more);
    return all.toArray();
  }

  /// As [#attributes], with tensors of doubles in place of lists of floats.
  Object[] wide(String kind, Object... more) {
    Object[] all = attributes(kind, more);
    for (int i = 0; i < all.length; i += 2) {
      if (all[i + 1] instanceof float[] list) {
        double[] wide = new double[list.length];
        for (int k = 0; k < list.length; k++) {
          wide[k] = list[k];
        }
        all[i] = all[i] + "_as_tensor";
        all[i + 1] = Tensor.of(wide, wide.length);
      }
    }
    return all;
  }

  private static long[] longs(List<Long> list) {
    return list.stream().mapToLong(v -> v).toArray();
  }

  private static float[] floats(List<Float> list) {
    float[] all = new float[list.size()];
    for (int i = 0; i < all.length; i++) {
      all[i] = list.get(i);
    }
    return all;
  }
}
