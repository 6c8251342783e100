package io.miniinference.codegen.trees;

import io.miniinference.codegen.IndexText;
import io.miniinference.codegen.KernelText;
import io.miniinference.codegen.OwnKernels;
import io.miniinference.codegen.Template;
import io.miniinference.device.Launch;
import io.miniinference.ir.Node;
import io.miniinference.layout.IndexFunction;
import io.miniinference.lower.Algorithm;
import io.miniinference.lower.KernelChoice;
import io.miniinference.lower.LoweredStep;
import io.miniinference.lower.Strategy;
import java.util.List;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

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
          $rows
          $open
          for (long tree = 0; tree < $trees; tree++) {
            const long root = $root;
            $ways
            $descend
            $combine
          }
          $close
          """);

  private static final Template SINGLE =
      Template.of(
          "a row through trees",
          """
          $own
          $open
          long tree = 0;
          for (; tree + $count <= $trees; tree += $count) {
            $ways
            $descend
            $combine
          }
          for (; tree < $trees; tree++) {
            long at0 = $root;
            $descendOne
            $combineOne
          }
          $close
          """);

  private static final Template DESCEND =
      Template.of(
          "ways to leaves",
          """
          uint shut = 0;
          for (int level = 0; level < $depth && !(shut & 1); level++) {
            shut = 1;
            $branches
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

  /// The choice for a node.
  ///
  /// @param x how the rows lie
  public static <S extends Strategy> KernelChoice<S> choice(
      Node node, IndexFunction x, Function<OwnKernels, S> strategy) {
    return TreeEnsembleText.choice(node, x, strategy.apply(new TreeEnsembleBlocks()));
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
        .with("rows", each(k -> trees.declareRow("row" + k, "(from + " + k + ")")))
        .with("open", each(k -> sums.open("(from + " + k + ")", k)))
        .with("trees", trees.trees())
        .with("root", trees.root("tree"))
        .with("ways", each(k -> "long at" + k + " = root;"))
        .with("descend", descend(trees, each(k -> branch(trees, k, "row" + k))))
        .with("combine", each(k -> combine(trees, sums, k, "(from + " + k + ")", k)))
        .with("close", each(k -> sums.close("(from + " + k + ")", k)));
  }

  private static Template.Filling single(TreeEnsembleText trees, Sums sums) {
    return SINGLE
        .with("own", trees.declareRow("own", "row"))
        .with("open", sums.open("row", 0))
        .with("count", WAYS)
        .with("trees", trees.trees())
        .with("ways", each(k -> "long at" + k + " = " + trees.root("(tree + " + k + ")") + ";"))
        .with("descend", descend(trees, each(k -> branch(trees, k, "own"))))
        .with("combine", each(k -> combine(trees, sums, k, "row", 0)))
        .with("root", trees.root("tree"))
        .with("descendOne", descend(trees, branch(trees, 0, "own")))
        .with("combineOne", combine(trees, sums, 0, "row", 0))
        .with("close", sums.close("row", 0));
  }

  private static String each(IntFunction<String> text) {
    return IntStream.range(0, WAYS)
        .mapToObj(text)
        .filter(lines -> !lines.isEmpty())
        .collect(Collectors.joining("\n"));
  }

  private static String branch(TreeEnsembleText trees, int way, String row) {
    return trees.branch("at" + way, row, "shut &= head;");
  }

  private static Template.Filling descend(TreeEnsembleText trees, String branches) {
    return DESCEND.with("depth", trees.depth()).with("branches", branches);
  }

  private static String combine(TreeEnsembleText trees, Sums sums, int way, String row, int sum) {
    return trees.entries("at" + way, sums.combine(row, sum));
  }

  /// Where entries of a row are combined.
  private sealed interface Sums {
    String open(String row, int sum);

    String combine(String row, int sum);

    String close(String row, int sum);
  }

  /// In a register each, of one output.
  private record OneSum(TreeEnsembleText trees) implements Sums {
    @Override
    public String open(String row, int sum) {
      return "%s sum%d = %s;".formatted(trees.type(), sum, trees.neutral());
    }

    @Override
    public String combine(String row, int sum) {
      return "sum" + sum + " = " + trees.combined("sum" + sum, "weight") + ";";
    }

    @Override
    public String close(String row, int sum) {
      return trees.y(row, "0") + " = " + trees.result("sum" + sum) + ";";
    }
  }

  /// In the result.
  private record SumsInPlace(TreeEnsembleText trees) implements Sums {
    @Override
    public String open(String row, int sum) {
      return overOutputs(trees.y(row, "output") + " = " + trees.neutral() + ";");
    }

    @Override
    public String combine(String row, int sum) {
      String there = trees.y(row, "output");
      return there + " = " + trees.combined(there, "weight") + ";";
    }

    @Override
    public String close(String row, int sum) {
      String there = trees.y(row, "output");
      boolean isDone = trees.result(there).equals(there);
      return isDone ? "" : overOutputs(there + " = " + trees.result(there) + ";");
    }

    private String overOutputs(String body) {
      return FOR_OUTPUTS.with("outputs", trees.outputs()).with("body", body).text();
    }
  }
}
