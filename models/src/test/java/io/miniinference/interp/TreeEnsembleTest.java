package io.miniinference.interp;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.Graph;
import io.miniinference.ir.Tensor;
import io.miniinference.ir.TensorType;
import io.miniinference.ir.TreeEnsemble;
import io.miniinference.ir.TreeEnsemble.Combination;
import io.miniinference.ir.Value;
import io.miniinference.ir.build.GraphBuilder;
import io.miniinference.ir.text.GraphText;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Tree ensembles of the interpreter, held to trees of objects that are walked node by node.
class TreeEnsembleTest {
  private static final int FEATURES = 3;
  private static final int OUTPUTS = 4;
  private static final int DEPTH = 6;

  private sealed interface Tree {}

  private record Branch(int feature, float threshold, boolean nan, Tree yes, Tree no)
      implements Tree {}

  private record Leaf(int[] outputs, float[] weights) implements Tree {}

  private final Random random = new Random(31);

  private Tree tree(int depth) {
    if (depth == 0 || random.nextInt(5) == 0) {
      int entries = random.nextInt(3);
      int[] outputs = random.ints(entries, 0, OUTPUTS).toArray();
      float[] weights = new float[entries];
      for (int i = 0; i < entries; i++) {
        weights[i] = random.nextInt(-9, 10);
      }
      return new Leaf(outputs, weights);
    }
    float threshold = random.nextInt(-2, 3);
    return new Branch(
        random.nextInt(FEATURES),
        threshold,
        random.nextBoolean(),
        tree(depth - 1),
        tree(depth - 1));
  }

  private static Leaf leaf(Tree tree, float[] row) {
    return switch (tree) {
      case Leaf leaf -> leaf;
      case Branch b -> {
        float x = row[b.feature];
        boolean yes = Float.isNaN(x) ? b.nan : x <= b.threshold;
        yield leaf(yes ? b.yes : b.no, row);
      }
    };
  }

  private static float[] expected(List<Tree> trees, float[] row, Combination combination) {
    float[] all = new float[OUTPUTS];
    boolean[] named = new boolean[OUTPUTS];
    for (Tree tree : trees) {
      Leaf leaf = leaf(tree, row);
      for (int i = 0; i < leaf.outputs.length; i++) {
        int output = leaf.outputs[i];
        float weight = leaf.weights[i];
        all[output] =
            !named[output]
                ? weight
                : switch (combination) {
                  case SUM -> all[output] + weight;
                  case MIN -> Math.min(all[output], weight);
                  case MAX -> Math.max(all[output], weight);
                };
        named[output] = true;
      }
    }
    return all;
  }

  /// Trees as the operation takes them, depth first.
  private static final class Constants {
    private final List<int[]> nodes = new ArrayList<>();
    private final List<Integer> targets = new ArrayList<>();
    private final List<Float> weights = new ArrayList<>();
    private final int[] roots;

    Constants(List<Tree> trees) {
      roots = new int[trees.size()];
      for (int i = 0; i < roots.length; i++) {
        roots[i] = nodes.size();
        nodes.add(new int[4]);
        put(roots[i], trees.get(i));
      }
    }

    private void put(int place, Tree tree) {
      int[] node = nodes.get(place);
      switch (tree) {
        case Leaf leaf -> {
          node[0] = TreeEnsemble.LEAF;
          node[1] = targets.size();
          node[2] = leaf.outputs.length;
          for (int i = 0; i < leaf.outputs.length; i++) {
            targets.add(leaf.outputs[i]);
            weights.add(leaf.weights[i]);
          }
        }
        case Branch branch -> {
          int next = nodes.size();
          nodes.add(new int[4]);
          nodes.add(new int[4]);
          node[0] = branch.feature * 4 + (branch.nan ? TreeEnsemble.NAN_IS_TRUE : 0);
          node[1] = next;
          node[2] = Float.floatToIntBits(branch.threshold);
          put(next, branch.yes);
          put(next + 1, branch.no);
        }
      }
    }

    Value[] operands(GraphBuilder g, Value x) {
      int[] words = nodes.stream().flatMapToInt(IntStream::of).toArray();
      float[] all = new float[weights.size()];
      for (int i = 0; i < all.length; i++) {
        all[i] = weights.get(i);
      }
      int[] outputs = targets.stream().mapToInt(i -> i).toArray();
      return new Value[] {
        x,
        g.constant("nodes", Tensor.of(words, nodes.size(), 4)),
        g.constant("roots", Tensor.of(roots, roots.length)),
        g.constant("targets", Tensor.of(outputs, outputs.length)),
        g.constant("weights", Tensor.of(all, all.length))
      };
    }
  }

  private static Graph graph(List<Tree> trees, Combination combination) {
    return graph(trees, combination, OUTPUTS);
  }

  private static Graph graph(List<Tree> trees, Combination combination, int outputs) {
    GraphBuilder g = new GraphBuilder("trees");
    Value x = g.input("x", TensorType.of(ElementType.F32, 21, FEATURES));
    Value y =
        g.lowering("t", "Test")
            .op(new TreeEnsemble(combination, outputs, DEPTH), new Constants(trees).operands(g, x));
    return g.build(List.of(y));
  }

  /* So many that they are combined where they are stored. */
  @ParameterizedTest
  @EnumSource
  void outputsThatNoLeafNamesAreZero(Combination combination) {
    int outputs = 20_000;
    List<Tree> trees = IntStream.range(0, 5).mapToObj(_ -> tree(DEPTH)).toList();
    Tensor x = Tensor.of(new float[21 * FEATURES], 21, FEATURES);
    float[] expected = expected(trees, new float[FEATURES], combination);
    Graph graph = graph(trees, combination, outputs);
    float[] y = Interpreter.run(graph, List.of(x)).getFirst().floats();
    for (int row = 0; row < 21; row++) {
      float[] actual = Arrays.copyOfRange(y, row * outputs, (row + 1) * outputs);
      assertThat(actual).containsExactly(Arrays.copyOf(expected, outputs));
    }
  }

  @Test
  void entriesAndOutputsCost() {
    Leaf leaf = new Leaf(new int[100], new float[100]);
    List<Tree> trees = List.of(new Branch(0, 0, false, leaf, leaf));
    double few = Cost.nanosPerItem(graph(trees, Combination.SUM).nodes().getFirst());
    double many = Cost.nanosPerItem(graph(trees, Combination.SUM, 1 << 20).nodes().getFirst());
    assertThat(few).isGreaterThan(100);
    assertThat(many).isGreaterThan(1 << 20);
  }

  @ParameterizedTest
  @EnumSource
  void eachRowGetsWhatItsLeavesSay(Combination combination) {
    List<Tree> trees = IntStream.range(0, 13).mapToObj(_ -> tree(DEPTH)).toList();
    float[] rows = new float[21 * FEATURES];
    for (int i = 0; i < rows.length; i++) {
      rows[i] = random.nextInt(9) == 0 ? Float.NaN : random.nextInt(-3, 4);
    }
    Tensor x = Tensor.of(rows, 21, FEATURES);
    float[] y = Interpreter.run(graph(trees, combination), List.of(x)).getFirst().floats();
    for (int row = 0; row < 21; row++) {
      float[] own = Arrays.copyOfRange(rows, row * FEATURES, (row + 1) * FEATURES);
      float[] actual = Arrays.copyOfRange(y, row * OUTPUTS, (row + 1) * OUTPUTS);
      assertThat(actual).containsExactly(expected(trees, own, combination));
    }
  }

  @Test
  void aPrintedEnsembleIsReadBack() {
    Graph graph = graph(List.of(tree(2)), Combination.MAX);
    String text = GraphText.print(graph);
    assertThat(text).contains("tree_ensemble_max");
    assertThat(GraphText.print(GraphText.parse(text))).isEqualTo(text);
  }
}
