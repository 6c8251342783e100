package io.miniinference.codegen.trees;

import io.miniinference.codegen.CType;
import io.miniinference.codegen.Coordinate;
import io.miniinference.codegen.IndexText;
import io.miniinference.codegen.KernelText;
import io.miniinference.codegen.Template;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Node;
import io.miniinference.ir.TreeEnsemble;
import io.miniinference.layout.Affine;
import io.miniinference.layout.IndexFunction;
import io.miniinference.lower.KernelChoice;
import io.miniinference.lower.Layout;
import io.miniinference.lower.LoweredStep;
import io.miniinference.lower.Strategy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What the kernels of a tree ensemble have in common: pointers to its arrays, one branch of a way
/// from a root to a leaf, and what a leaf's entries do.
///
/// A branch is taken without a jump: at a leaf a way stays where it is, so that several ways can go
/// beside each other until all of them have come to a leaf. Nodes lie next to each other.
final class TreeEnsembleText {
  private static final Template BRANCH =
      Template.of(
          "branch of a tree",
          """
          {
            @global const int* node = nodes + $at * $words;
            const uint head = (uint)node[0];
            const $type value = $value;
            const $type threshold = $threshold;
            const int yes = (value <= threshold) | ((value != value) & (int)(head >> 1) & 1);
            $at = head & 1 ? $at : (long)node[1] + 1 - yes;
            $note
          }
          """);

  private static final Template ENTRIES =
      Template.of(
          "entries of a leaf",
          """
          {
            const int entries = $first;
            const int behind = entries + $count;
            for (int entry = entries; entry < behind; entry++) {
              const long output = $target;
              const $type weight = $weight;
              $combine
            }
          }
          """);

  private final LoweredStep step;
  private final TreeEnsemble op;
  private final CType type;
  private final KernelText text = new KernelText();

  /// @param group work items of a work-group
  TreeEnsembleText(LoweredStep step, int group) {
    this.step = step;
    op = (TreeEnsemble) step.node().op();
    type = CType.of(element());
    text.group(group);
    text.pointer("x", type, step.inputs().getFirst(), false);
    text.pointer("words", CType.I32, step.inputs().get(TreeEnsemble.NODES), false);
    text.pointer("roots", CType.I32, step.inputs().get(TreeEnsemble.ROOTS), false);
    text.pointer("targets", CType.I32, step.inputs().get(TreeEnsemble.TARGETS), false);
    text.pointer("weights", type, step.inputs().get(TreeEnsemble.WEIGHTS), false);
    text.pointer("y", type, step.output(), true);
    text.line("@global const int* nodes = words + " + offset(TreeEnsemble.NODES, "0", "0") + ";");
  }

  /// A choice of constants that lie as they are made, and of rows whose features are equally far
  /// apart.
  ///
  /// @param x how the rows lie
  static <S extends Strategy> KernelChoice<S> choice(Node node, IndexFunction x, S strategy) {
    KernelChoice<S> plain = KernelChoice.plain(strategy, node.inputs().size(), Layout.ROW_MAJOR);
    List<@Nullable Layout> layouts = new ArrayList<>(plain.inputs());
    layouts.set(0, x.axes().getLast().isBlocked() ? Layout.ROW_MAJOR : null);
    for (int i = TreeEnsemble.NODES; i < layouts.size(); i++) {
      layouts.set(i, Layout.ROW_MAJOR);
    }
    return new KernelChoice<>(
        strategy, layouts, plain.packings(), plain.output(), false, List.of());
  }

  KernelText text() {
    return text;
  }

  /// The type of values, thresholds and weights.
  String type() {
    return type.computed();
  }

  private ElementType element() {
    return step.node().inputs().getFirst().type().element();
  }

  Affine rows() {
    return step.node().inputs().getFirst().type().dim(0);
  }

  long trees() {
    return step.node().inputs().get(TreeEnsemble.ROOTS).type().dim(0).constant();
  }

  long outputs() {
    return op.outputs();
  }

  int depth() {
    return op.depth();
  }

  /// Statements that declare a pointer to the first feature of a row.
  String declareRow(String pointer, String row) {
    String type = "@global const " + this.type.stored() + "*";
    return "%s %s = x + %s;".formatted(type, pointer, offset(0, row, "0"));
  }

  /// Statements that take the way at `at` one branch on, or leave it where it is at a leaf.
  ///
  /// @param at a `long`, the node where it is
  /// @param row pointer to the first feature of its row
  /// @param note what to do with `head`, whose lowest bit says that it is at a leaf
  String branch(String at, String row, String note) {
    Affine apart = step.inputs().getFirst().index().axes().getLast().stride();
    String feature =
        apart.isSingle() ? "head >> 2" : "(long)(head >> 2) * " + IndexText.affine(apart);
    return BRANCH
        .with("at", at)
        .with("words", TreeEnsemble.WORDS)
        .with("type", type())
        .with("value", row + "[" + feature + "]")
        .with("threshold", threshold())
        .with("note", note)
        .text();
  }

  private String threshold() {
    return element() == ElementType.F32
        ? "@floatOf((uint)node[2])"
        : "*(@global const double*)(node + 2)";
  }

  /// Statements that do `combine` for each `output` and `weight` of a leaf.
  ///
  /// @param leaf its node
  String entries(String leaf, String combine) {
    return ENTRIES
        .with("first", "nodes[" + leaf + " * " + TreeEnsemble.WORDS + " + 1]")
        .with("count", "nodes[" + leaf + " * " + TreeEnsemble.WORDS + " + 2]")
        .with("target", "targets[" + offset(TreeEnsemble.TARGETS, "entry") + "]")
        .with("type", type())
        .with("weight", "weights[" + offset(TreeEnsemble.WEIGHTS, "entry") + "]")
        .with("combine", combine)
        .text();
  }

  /// The root of a tree.
  String root(String tree) {
    return "roots[" + offset(TreeEnsemble.ROOTS, tree) + "]";
  }

  /// The result of a row.
  String y(String row, String output) {
    return "y[" + IndexText.offset(step.output().index(), coordinates(row, output)) + "]";
  }

  private String offset(int input, String... at) {
    return IndexText.offset(step.inputs().get(input).index(), coordinates(at));
  }

  private static List<Coordinate> coordinates(String... at) {
    return Arrays.stream(at).map(Coordinate::of).toList();
  }

  /// What is there before the first entry.
  String neutral() {
    return switch (op.combination()) {
      case SUM -> "0";
      case MIN -> "INFINITY";
      case MAX -> "-INFINITY";
    };
  }

  /// What is there combined with one more.
  String combined(String there, String more) {
    return switch (op.combination()) {
      case SUM -> there + " + " + more;
      case MIN -> more + " < " + there + " ? " + more + " : " + there;
      case MAX -> more + " > " + there + " ? " + more + " : " + there;
    };
  }

  /// What is stored of all that was combined: 0 where that is nothing.
  String result(String combined) {
    return op.combination() == TreeEnsemble.Combination.SUM
        ? combined
        : combined + " == " + neutral() + " ? 0 : " + combined;
  }
}
