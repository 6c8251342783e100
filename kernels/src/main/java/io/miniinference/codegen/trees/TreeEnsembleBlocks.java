package io.miniinference.codegen.trees;

import io.miniinference.codegen.IndexText;
import io.miniinference.codegen.KernelText;
import io.miniinference.codegen.OwnKernels;
import io.miniinference.codegen.Template;
import io.miniinference.device.Launch;
import io.miniinference.ir.Node;
import io.miniinference.lower.Algorithm;
import io.miniinference.lower.KernelChoice;
import io.miniinference.lower.LoweredStep;
import io.miniinference.lower.Strategy;
import java.util.List;
import java.util.function.Function;

/// A tree ensemble on CPUs. A work item takes eight rows through one tree after the other, so that
/// a tree is in the first cache for seven of them, and a core has eight ways to go at once, which
/// hides what each waits for. Where there are fewer rows, each goes through eight trees at once.
/// Either way a row's entries are combined in the order of the trees.
public record TreeEnsembleBlocks() implements OwnKernels {
  /// Ways beside each other: with fewer a core waits, with more it runs out of registers.
  private static final int WAYS = 8;

  private static final double NANOS_PER_BRANCH = 1.5;

  /// Work that is worth a worker of its own.
  private static final double WORTH_NANOS = 20_000;

  /// Few ways through a deep tree are as long as its longest one.
  private static final int USUAL_DEPTH = 12;

  private static final String HEAD =
      """
      A work item takes %d rows through one tree after the other, or each of fewer rows through %d trees at once.
      """
          .formatted(WAYS, WAYS);

  private static final Template KERNEL =
      Template.of(
          "tree ensemble",
          """
          const long item = (long)@globalId + first;
          const long from = item * $ways;
          if (from >= $rows) return;
          const long left = $rows - from;
          if (left >= $ways) {
            $block
          } else {
            for (long row = from; row < $rows; row++) {
              $single
            }
          }
          """);

  private static final Template BLOCK =
      Template.of(
          "rows through a tree",
          """
          $open
          for (long tree = 0; tree < $trees; tree++) {
            int at[$ways];
            const int root = $root;
            for (int k = 0; k < $ways; k++) at[k] = root;
            $descend
            for (int k = 0; k < $ways; k++) {
              $combine
            }
          }
          $close
          """);

  private static final Template SINGLE =
      Template.of(
          "a row through trees",
          """
          $open
          for (long tree = 0; tree < $trees; tree += $ways) {
            int at[$ways];
            for (int k = 0; k < $ways; k++) {
              const long one = tree + k < $trees ? tree + k : tree;
              at[k] = $root;
            }
            $descend
            for (int k = 0; k < $ways && tree + k < $trees; k++) {
              $combine
            }
          }
          $close
          """);

  private static final Template DESCEND =
      Template.of(
          "ways to leaves",
          """
          int open = 1;
          for (int level = 0; level < $depth && open; level++) {
            open = 0;
            for (int k = 0; k < $ways; k++) {
              int leaf;
              $branch
              open |= !leaf;
            }
          }
          """);

  private static final Template FOR_OUTPUTS =
      Template.of(
          "outputs of a row",
          """
          for (long output = 0; output < $outputs; output++) {
            $body
          }
          """);

  private static final Template FOR_ROWS =
      Template.of(
          "rows of a block",
          """
          for (int k = 0; k < $ways; k++) {
            $body
          }
          """);

  /// The choice for a node.
  public static <S extends Strategy> KernelChoice<S> choice(
      Node node, Function<OwnKernels, S> strategy) {
    return TreeEnsembleText.choice(node, strategy.apply(new TreeEnsembleBlocks()));
  }

  @Override
  public Algorithm algorithm(LoweredStep step) {
    return Algorithm.of("trees, %d rows or trees at a time".formatted(WAYS));
  }

  @Override
  public List<KernelText.Written> kernels(LoweredStep step) {
    TreeEnsembleText trees = new TreeEnsembleText(step, 1);
    Sums sums = trees.outputs() == 1 ? new OneSum(trees) : new SumsInPlace(trees);
    KernelText text = trees.text().head(HEAD);
    text.add(
        KERNEL
            .with("ways", WAYS)
            .with("rows", IndexText.affine(trees.rows()))
            .with("block", block(trees, sums))
            .with("single", single(trees, sums)));
    return List.of(
        new KernelText.Written(text, new Launch.Items(trees.rows(), WAYS, 1, grain(trees))));
  }

  private static int grain(TreeEnsembleText trees) {
    int branches = Math.min(trees.depth() + 1, USUAL_DEPTH);
    double nanos = NANOS_PER_BRANCH * WAYS * branches * Math.max(1, trees.trees());
    return (int) Math.max(1, WORTH_NANOS / nanos);
  }

  private static Template.Filling block(TreeEnsembleText trees, Sums sums) {
    return BLOCK
        .with("open", sums.open(true))
        .with("trees", trees.trees())
        .with("ways", WAYS)
        .with("root", trees.root("tree"))
        .with("descend", descend(trees, "(from + k)"))
        .with("combine", trees.entries("at[k]", sums.combine("(from + k)", "k")))
        .with("close", sums.close(true));
  }

  private static Template.Filling single(TreeEnsembleText trees, Sums sums) {
    return SINGLE
        .with("open", sums.open(false))
        .with("trees", trees.trees())
        .with("ways", WAYS)
        .with("root", trees.root("one"))
        .with("descend", descend(trees, "row"))
        .with("combine", trees.entries("at[k]", sums.combine("row", "0")))
        .with("close", sums.close(false));
  }

  private static Template.Filling descend(TreeEnsembleText trees, String row) {
    return DESCEND
        .with("depth", trees.depth())
        .with("ways", WAYS)
        .with("branch", trees.branch("at[k]", row));
  }

  /// Where entries are combined, of a whole block of rows or of one `row`.
  private sealed interface Sums {
    String open(boolean block);

    String combine(String row, String way);

    String close(boolean block);
  }

  /// In registers, of one output.
  private record OneSum(TreeEnsembleText trees) implements Sums {
    @Override
    public String open(boolean block) {
      String declared = trees.type() + " sums[" + (block ? WAYS : 1) + "];\n";
      String cleared = "sums[%s] = " + trees.neutral() + ";";
      return declared
          + (block
              ? FOR_ROWS.with("ways", WAYS).with("body", cleared.formatted("k")).text()
              : cleared.formatted("0"));
    }

    @Override
    public String combine(String row, String way) {
      String sum = "sums[" + way + "]";
      return sum + " = " + trees.combined(sum, "weight") + ";";
    }

    @Override
    public String close(boolean block) {
      return block
          ? FOR_ROWS.with("ways", WAYS).with("body", store("(from + k)", "sums[k]")).text()
          : store("row", "sums[0]");
    }

    private String store(String row, String sum) {
      return trees.y(row, "0") + " = " + trees.result(sum) + ";";
    }
  }

  /// In the result.
  private record SumsInPlace(TreeEnsembleText trees) implements Sums {
    @Override
    public String open(boolean block) {
      return each(block, row -> trees.y(row, "output") + " = " + trees.neutral() + ";");
    }

    @Override
    public String combine(String row, String way) {
      String sum = trees.y(row, "output");
      return sum + " = " + trees.combined(sum, "weight") + ";";
    }

    @Override
    public String close(boolean block) {
      boolean isDone = trees.result("sum").equals("sum");
      return isDone
          ? ""
          : each(
              block,
              row -> {
                String sum = trees.y(row, "output");
                return sum + " = " + trees.result(sum) + ";";
              });
    }

    private String each(boolean block, Function<String, String> body) {
      String row = block ? "(from + k)" : "row";
      String outputs =
          FOR_OUTPUTS.with("outputs", trees.outputs()).with("body", body.apply(row)).text();
      return block ? FOR_ROWS.with("ways", WAYS).with("body", outputs).text() : outputs;
    }
  }
}
