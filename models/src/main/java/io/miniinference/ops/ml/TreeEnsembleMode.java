package io.miniinference.ops.ml;

import io.miniinference.onnx.Quote;
import io.miniinference.ops.draft.LoweringFault;
import java.util.Arrays;

/// What a node of a tree does. The order is that of the numbers that TreeEnsemble has for them, but
/// for the leaf, which has none there.
enum TreeEnsembleMode {
  BRANCH_LEQ,
  BRANCH_LT,
  BRANCH_GTE,
  BRANCH_GT,
  BRANCH_EQ,
  BRANCH_NEQ,
  BRANCH_MEMBER,
  LEAF;

  /// The mode of a number.
  static TreeEnsembleMode of(long number) {
    if (number < 0 || number > BRANCH_MEMBER.ordinal()) {
      throw LoweringFault.of("has a node of mode %d; modes are 0 to 6".formatted(number));
    }
    return values()[(int) number];
  }

  /// The mode of a name, as files of versions 1 to 3 have it.
  static TreeEnsembleMode of(String name) {
    return Arrays.stream(values())
        .filter(mode -> mode != BRANCH_MEMBER && mode.name().equals(name))
        .findFirst()
        .orElseThrow(() -> LoweringFault.of("has a node of mode " + Quote.of(name)));
  }
}
