package io.miniinference.conformance;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.Tensor;
import io.miniinference.ir.TreeEnsemble;
import io.miniinference.ir.TreeEnsemble.Combination;
import io.miniinference.ir.Value;
import io.miniinference.layout.Affine;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/// Tree ensembles: each combination, one output, some and many, trees of one leaf and deep ones, as
/// many as a kernel takes at once and more, NaN and infinities, and blocks of rows that are full or
/// not.
final class TreeEnsembleCases {
  private static final int FEATURES = 5;

  private TreeEnsembleCases() {}

  static List<Sheet> sheets() {
    return List.of(kinds(ElementType.F32), kinds(ElementType.F64), sizes(), turned());
  }

  private static Sheet kinds(ElementType type) {
    Sheet s = new Sheet("tree ensembles of " + type, 780 + type.ordinal()).batches(19L, 0L, 1L);
    Value edges = s.input(Data.EDGES, type, Sheet.batch(FEATURES));
    for (Combination combination : Combination.values()) {
      check(s, "one output, " + combination, edges, combination, new Size(11, 6, 1));
      check(s, "three outputs, " + combination, edges, combination, new Size(11, 6, 3));
    }
    return s;
  }

  private static Sheet sizes() {
    Sheet s = new Sheet("sizes of tree ensembles", 790).batches(9L, 8L, 1L);
    Value x = s.input(Data.TIES, ElementType.F32, Sheet.batch(FEATURES));
    check(s, "a leaf", x, Combination.SUM, new Size(1, 0, 1));
    check(s, "leaves", x, Combination.MAX, new Size(9, 0, 2));
    check(s, "many trees", x, Combination.SUM, new Size(300, 3, 1));
    check(s, "many trees of some outputs", x, Combination.SUM, new Size(270, 2, 7));
    check(s, "many outputs", x, Combination.MIN, new Size(40, 4, 300));
    check(s, "deep trees", x, Combination.SUM, new Size(3, 40, 2));
    return s;
  }

  private static Sheet turned() {
    Sheet s = new Sheet("views of rows of trees", 791).batches(17L, 2L);
    Value x = s.input(Data.NORMAL, ElementType.F32, Sheet.batch(FEATURES + 3));
    Value part = s.at("p").slice(x, 1, Affine.of(2), Affine.of(FEATURES));
    check(s, "a part", part, Combination.SUM, new Size(5, 5, 2));
    Value columns = s.input(Data.NORMAL, ElementType.F32, Sheet.dims(FEATURES, 11));
    Value turned = s.at("t").transpose(columns, List.of(1, 0));
    check(s, "turned", turned, Combination.MAX, new Size(5, 5, 1));
    return s;
  }

  /// @param depth of each tree at most
  private record Size(int trees, int depth, int outputs) {}

  private static void check(Sheet s, String label, Value x, Combination combination, Size size) {
    ElementType type = x.type().element();
    Forest forest = new Forest(s.random(), type, size);
    var op = new TreeEnsemble(combination, size.outputs, size.depth);
    s.check(
        label,
        s.at("t")
            .op(
                op,
                x,
                s.constant(forest.nodes()),
                s.constant(whole(forest.roots)),
                s.constant(whole(forest.targets)),
                s.constant(forest.weights())));
  }

  private static Tensor whole(List<Integer> values) {
    return Tensor.of(values.stream().mapToInt(v -> v).toArray(), values.size());
  }

  /// Trees at random: a branch is followed by two more or by leaves.
  private static final class Forest {
    private final Random random;
    private final ElementType type;
    private final Size size;
    private final List<int[]> nodes = new ArrayList<>();
    private final List<Integer> roots = new ArrayList<>();
    private final List<Integer> targets = new ArrayList<>();
    private final List<Double> weights = new ArrayList<>();

    Forest(Random random, ElementType type, Size size) {
      this.random = random;
      this.type = type;
      this.size = size;
      for (int tree = 0; tree < size.trees; tree++) {
        roots.add(nodes.size());
        nodes.add(new int[TreeEnsemble.WORDS]);
        grow(nodes.size() - 1, size.depth);
      }
    }

    /* The first way is as deep as may be, the other one ends soon. */
    private void grow(int root, int depth) {
      int at = root;
      for (int level = 0; level < depth; level++) {
        int next = nodes.size();
        nodes.add(new int[TreeEnsemble.WORDS]);
        nodes.add(new int[TreeEnsemble.WORDS]);
        branch(nodes.get(at), next);
        int other = random.nextInt(2);
        int left = depth - level - 1;
        grow(next + other, left > 0 && left < 7 && random.nextInt(3) > 0 ? left - 1 : 0);
        at = next + 1 - other;
      }
      leaf(nodes.get(at));
    }

    private void branch(int[] node, int next) {
      node[0] = random.nextInt(FEATURES) << TreeEnsemble.FEATURE_SHIFT;
      node[0] |= random.nextBoolean() ? TreeEnsemble.NAN_IS_TRUE : 0;
      node[1] = next;
      double threshold = random.nextInt(8) == 0 ? odd() : random.nextInt(-3, 4) / 2.0;
      long bits =
          type == ElementType.F32
              ? Float.floatToRawIntBits((float) threshold)
              : Double.doubleToRawLongBits(threshold);
      node[2] = (int) bits;
      node[3] = type == ElementType.F32 ? 0 : (int) (bits >> 32);
    }

    private double odd() {
      double[] odd = {Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, 1e9};
      return odd[random.nextInt(odd.length)];
    }

    private void leaf(int[] node) {
      node[0] = TreeEnsemble.LEAF;
      node[1] = targets.size();
      int entries = random.nextInt(1 + Math.min(3, size.outputs));
      node[2] = entries;
      for (int entry = 0; entry < entries; entry++) {
        targets.add(random.nextInt(size.outputs));
        weights.add(random.nextInt(-8, 9) / 4.0);
      }
    }

    Tensor nodes() {
      int[] words = nodes.stream().flatMapToInt(java.util.Arrays::stream).toArray();
      return Tensor.of(words, nodes.size(), TreeEnsemble.WORDS);
    }

    Tensor weights() {
      double[] all = weights.stream().mapToDouble(w -> w).toArray();
      if (type == ElementType.F64) {
        return Tensor.of(all, all.length);
      }
      float[] narrow = new float[all.length];
      for (int i = 0; i < all.length; i++) {
        narrow[i] = (float) all[i];
      }
      return Tensor.of(narrow, narrow.length);
    }
  }
}
