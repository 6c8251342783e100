package io.miniinference.ops.ml;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.Value;
import io.miniinference.layout.Affine;
import io.miniinference.ops.draft.LoweringFault;
import io.miniinference.ops.node.OpContext;
import java.util.List;

/// The input of an estimator: rows of features, `[N, F]`, or one row, `[F]`.
final class Rows {
  private Rows() {}

  /// Input 0 as rows of floats: of 64 bits as they are, of all other types as 32-bit ones.
  static Value floats(OpContext c) {
    return of(c, c.element(0) == ElementType.F64 ? ElementType.F64 : ElementType.F32);
  }

  /// Input 0 as rows of 32-bit floats.
  static Value narrow(OpContext c) {
    return of(c, ElementType.F32);
  }

  private static Value of(OpContext c, ElementType type) {
    c.requireRank(0, 1, 2);
    Value x = c.cast(c.in(0), type);
    return c.rank(0) == 2 ? x : c.reshape(x, List.of(Affine.ONE, x.type().dim(0)));
  }

  /// How many features a row has.
  static long features(Value rows) {
    Affine features = rows.type().dim(1);
    if (!features.isConstant()) {
      throw LoweringFault.specialisable("takes rows of %s features; fix them".formatted(features));
    }
    if (features.isZero()) {
      throw LoweringFault.of("takes rows of no features");
    }
    return features.constant();
  }
}
