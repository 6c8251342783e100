package io.miniinference.ir;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// What the leaves of decision trees say of each row, combined by output: operands X `[N, F]`
/// (`F32` or `F64`), nodes `I32[n, 4]`, roots `I32[t]`, targets `I32[e]` and weights `[e]` of X's
/// type; the result is `[N, outputs]` of that type.
///
/// A node is four words. Word 0 is `feature · 4 + (NaN is true) · 2 + (is a leaf)`. Of a branch,
/// word 1 is the node that follows where `x[feature] ≤ threshold` is true, behind which lies the
/// one that follows where it is false; words 2 and 3 are the bits of the threshold, the lower ones
/// first. Of a leaf, word 1 is its first entry, and word 2 how many it has. An entry is an output
/// (target) and what the leaf weighs there. Entries are combined in the order of the trees and, in
/// a leaf, in their own; an output that no entry names is 0.
///
/// Who makes the constants answers for them: places in them are not checked.
///
/// @param depth branches on the longest way from a root to a leaf
public record TreeEnsemble(Combination combination, long outputs, int depth)
    implements Op.Positional {
  /// Words of a node.
  public static final int WORDS = 4;

  /// In word 0 of a node, that it is a leaf.
  public static final int LEAF = 1;

  /// In word 0 of a node, that NaN is taken for true.
  public static final int NAN_IS_TRUE = 2;

  /// How far the feature is shifted in word 0.
  public static final int FEATURE_SHIFT = 2;

  /// The place of the nodes among the operands.
  public static final int NODES = 1;

  /// The place of the roots among the operands.
  public static final int ROOTS = 2;

  /// The place of the entries' targets among the operands.
  public static final int TARGETS = 3;

  /// The place of the entries' weights among the operands.
  public static final int WEIGHTS = 4;

  /// How entries of one output are combined.
  public enum Combination {
    SUM(0),
    MIN(Double.POSITIVE_INFINITY),
    MAX(Double.NEGATIVE_INFINITY);

    private final double neutral;

    Combination(double neutral) {
      this.neutral = neutral;
    }

    /// What is there before the first entry.
    public double neutral() {
      return neutral;
    }
  }

  @Override
  public List<Integer> rowAxes() {
    return List.of(1);
  }

  @Override
  public boolean staysWide() {
    return true;
  }

  @Override
  public String name() {
    return "tree_ensemble_" + ExprText.lower(combination);
  }

  @Override
  public Map<String, Object> attributes() {
    Map<String, Object> shown = new LinkedHashMap<>(Map.of("outputs", outputs));
    shown.put("depth", depth);
    return shown;
  }
}
