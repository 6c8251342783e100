package io.miniinference.codegen.trees;

import io.miniinference.codegen.KernelText;
import io.miniinference.codegen.OwnKernels;
import io.miniinference.codegen.Template;
import io.miniinference.device.Launch;
import io.miniinference.ir.Node;
import io.miniinference.ir.TreeEnsemble;
import io.miniinference.layout.IndexFunction;
import io.miniinference.lower.Algorithm;
import io.miniinference.lower.KernelChoice;
import io.miniinference.lower.LoweredStep;
import io.miniinference.lower.Strategy;
import java.util.List;
import java.util.function.Function;

/// A tree ensemble on GPUs. A work-group has a row: its work items take the row through a tree
/// each, and leave in local memory which leaf they came to. Then each has an output, and combines
/// what a part of these leaves say of it; parts are combined pair by pair at the end. So a row's
/// entries have one order, whatever the batch.
///
/// @param items of a work-group, a power of two
public record TreeEnsembleGroups(int items) implements OwnKernels {
  private static final int MOST_ITEMS = 256;
  private static final int FEWEST_ITEMS = 32;

  private static final Template KERNEL =
      Template.of(
          "tree ensemble",
          """
          const long row = (long)first + @groupId(0);
          @shared int leaves[$items];
          $own
          $open
          for (long from = 0; from < $trees; from += $items) {
            const long tree = from + @localId < $trees ? from + @localId : from;
            long at = $root;
            uint shut = 0;
            for (int level = 0; level < $depth && !(shut & 1); level++) {
              $branch
            }
            leaves[@localId] = (int)at;
            @barrier;
            const int count = $trees - from < $items ? (int)($trees - from) : $items;
            $combine
            @barrier;
          }
          $close
          """);

  private static final Template OPEN_FEW =
      Template.of(
          "a sum of a work item",
          """
          @shared $type sums[$items];
          const int own = (int)@localId % $outputs;
          const int part = (int)@localId / $outputs;
          $type sum = $neutral;
          """);

  private static final Template COMBINE_FEW =
      Template.of(
          "entries of a part of the leaves",
          """
          const int begin = part * $length;
          const int end = part < $parts && begin + $length < count ? begin + $length : part < $parts ? count : 0;
          for (int k = begin; k < end; k++) {
            $entries
          }
          """);

  private static final Template CLOSE_FEW =
      Template.of(
          "sums of parts",
          """
          sums[@localId] = sum;
          @barrier;
          for (int apart = $parts / 2; apart > 0; apart >>= 1) {
            if (part < apart) {
              const $type more = sums[@localId + apart * $outputs];
              sums[@localId] = $combined;
            }
            @barrier;
          }
          if (part == 0) $y = $result;
          """);

  private static final Template OVER_OUTPUTS =
      Template.of(
          "outputs of a work item",
          """
          for (long own = @localId; own < $outputs; own += $items) {
            $body
          }
          """);

  private static final Template COMBINE_MANY =
      Template.of(
          "entries of the leaves",
          """
          $type sum = $y;
          for (int k = 0; k < count; k++) {
            $entries
          }
          $y = sum;
          """);

  /// The choice for a node.
  ///
  /// @param x how the rows lie
  public static <S extends Strategy> KernelChoice<S> choice(
      Node node, IndexFunction x, Function<OwnKernels, S> strategy) {
    long trees = node.inputs().get(TreeEnsemble.ROOTS).type().dim(0).constant();
    long outputs = ((TreeEnsemble) node.op()).outputs();
    int items = FEWEST_ITEMS;
    while (items < MOST_ITEMS && items < Math.max(trees, outputs)) {
      items *= 2;
    }
    return TreeEnsembleText.choice(node, x, strategy.apply(new TreeEnsembleGroups(items)));
  }

  @Override
  public Algorithm algorithm(LoweredStep step) {
    return Algorithm.of("trees, a row by a work-group of " + items);
  }

  @Override
  public List<KernelText.Written> kernels(LoweredStep step) {
    TreeEnsembleText trees = new TreeEnsembleText(step, items);
    boolean few = trees.outputs() <= items;
    KernelText text =
        trees.text().head("A work-group takes a row through all trees, a tree a work item.");
    text.add(
        KERNEL
            .with("items", items)
            .with("trees", trees.trees())
            .with("open", few ? openFew(trees) : store(trees, trees.neutral()))
            .with("root", trees.root("tree"))
            .with("depth", trees.depth())
            .with("own", trees.declareRow("features", "row"))
            .with("branch", trees.branch("at", "features", "shut = head;"))
            .with("combine", few ? combineFew(trees) : combineMany(trees))
            .with("close", few ? closeFew(trees) : closeMany(trees)));
    Launch.Extent extent = new Launch.Extent(trees.rows().times(items), items, items);
    return List.of(new KernelText.Written(text, new Launch.Groups(List.of(extent))));
  }

  /* As many parts as there are work items for all outputs, a power of two. */
  private int parts(TreeEnsembleText trees) {
    return Integer.highestOneBit(items / (int) trees.outputs());
  }

  private String openFew(TreeEnsembleText trees) {
    return OPEN_FEW
        .with("type", trees.type())
        .with("items", items)
        .with("outputs", trees.outputs())
        .with("neutral", trees.neutral())
        .text();
  }

  private String combineFew(TreeEnsembleText trees) {
    int parts = parts(trees);
    return COMBINE_FEW
        .with("parts", parts)
        .with("length", items / parts)
        .with("entries", entries(trees))
        .text();
  }

  private static String entries(TreeEnsembleText trees) {
    String combine = "if (output == own) sum = " + trees.combined("sum", "weight") + ";";
    return trees.entries("leaves[k]", combine);
  }

  private String closeFew(TreeEnsembleText trees) {
    return CLOSE_FEW
        .with("parts", parts(trees))
        .with("type", trees.type())
        .with("outputs", trees.outputs())
        .with("combined", trees.combined("sums[@localId]", "more"))
        .with("y", trees.y("row", "own"))
        .with("result", trees.result("sums[@localId]"))
        .text();
  }

  private String combineMany(TreeEnsembleText trees) {
    return overOutputs(
        trees,
        COMBINE_MANY
            .with("type", trees.type())
            .with("y", trees.y("row", "own"))
            .with("entries", entries(trees))
            .text());
  }

  private String closeMany(TreeEnsembleText trees) {
    String sum = trees.y("row", "own");
    return trees.result("sum").equals("sum") ? "" : store(trees, trees.result(sum));
  }

  private String store(TreeEnsembleText trees, String value) {
    return overOutputs(trees, trees.y("row", "own") + " = " + value + ";");
  }

  private String overOutputs(TreeEnsembleText trees, String body) {
    return OVER_OUTPUTS
        .with("outputs", trees.outputs())
        .with("items", items)
        .with("body", body)
        .text();
  }
}
