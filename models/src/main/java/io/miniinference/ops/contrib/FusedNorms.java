package io.miniinference.ops.contrib;

import static io.miniinference.ir.Exprs.add;
import static io.miniinference.ir.Exprs.arg;
import static io.miniinference.ir.Exprs.cast;
import static io.miniinference.ir.Exprs.const_;
import static io.miniinference.ir.Exprs.eq;
import static io.miniinference.ir.Exprs.select;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.Expr;
import io.miniinference.ir.Op.ReduceKind;
import io.miniinference.ir.Value;
import io.miniinference.layout.Affine;
import io.miniinference.ops.draft.Ex;
import io.miniinference.ops.draft.LoweringFault;
import io.miniinference.ops.nn.NormOps;
import io.miniinference.ops.node.OpContext;
import io.miniinference.ops.node.OpTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Normalisations with the sums before them, and those that the optimiser writes into ONNX's own
/// domain, whatever the file's opset.
final class FusedNorms {
  private FusedNorms() {}

  static void addTo(OpTable table) {
    table
        .rows("LayerNormalization", 1, "2-3", NormOps.LAYER, NormOps::layer)
        .row("SimplifiedLayerNormalization", 1, "2", NormOps.LAYER, NormOps::rootMeanSquare)
        .rows(
            "com.microsoft.SkipLayerNormalization",
            1,
            "3-5",
            "epsilon=1e-12",
            FusedNorms::skipLayer)
        .rows(
            "com.microsoft.SkipSimplifiedLayerNormalization",
            1,
            "3-4",
            "epsilon=1e-12",
            FusedNorms::skipSimplified)
        .rows(
            "com.microsoft.EmbedLayerNormalization",
            1,
            "7-9",
            "epsilon=1e-12 mask_index_type=0",
            FusedNorms::embedded);
  }

  /// Inputs 0 and 1, which may lack the batch, and a bias where there is one.
  private static Value sum(OpContext c, int bias) {
    List<Affine> shape = c.type(0).shape();
    Expr sum = add(arg(0), arg(1));
    return c.has(bias)
        ? c.compute(add(sum, arg(2)), shape, c.in(0), c.in(1), c.in(bias))
        : c.compute(sum, shape, c.in(0), c.in(1));
  }

  private static List<Value> skipLayer(OpContext c) {
    c.requireRank(0, 1);
    Value sum = sum(c, 4);
    return withSum(c, NormOps.layer(c, sum, c.in(2), c.optional(3)), sum);
  }

  private static List<Value> skipSimplified(OpContext c) {
    c.requireRank(0, 1);
    Value sum = sum(c, 3);
    return withSum(c, NormOps.rootMeanSquare(c, sum, c.in(2)), sum);
  }

  private static List<Value> withSum(OpContext c, Value y, Value sum) {
    if (c.outputs() < 2) {
      return List.of(y);
    }
    List<Value> statistics = NormOps.statistics(c, sum);
    return List.of(y, statistics.get(0), statistics.get(1), sum);
  }

  /// Words, positions and segments, each a row of a table, summed and normalised.
  private static List<Value> embedded(OpContext c) {
    c.requireRank(0, 2, 2);
    List<Value> parts = new ArrayList<>(List.of(c.rows(c.in(2), c.in(0))));
    parts.add(positions(c));
    if (c.has(1)) {
      parts.add(c.rows(c.in(4), c.in(1)));
    }
    Value sum = parts.getFirst();
    for (Value part : parts.subList(1, parts.size())) {
      sum = c.plus(sum, part);
    }
    return List.of(NormOps.layer(c, sum, c.in(5), Optional.of(c.in(6))), lengths(c), sum);
  }

  private static Value positions(OpContext c) {
    if (c.has(8)) {
      return c.rows(c.in(3), c.in(8));
    }
    Affine length = c.type(0).dim(1);
    c.requireRank(3, 2, 2);
    if (!length.isConstant() || !c.type(3).dim(0).isConstant()) {
      throw LoweringFault.specialisable("takes %s positions; fix the batch".formatted(length));
    }
    if (length.constant() > c.type(3).dim(0).constant()) {
      throw LoweringFault.of("takes %s positions of a table of %s".formatted(length, c.type(3)));
    }
    return c.slice(c.in(3), 0, Affine.ZERO, length);
  }

  /// How many words the mask leaves in each row, or 0 without a mask.
  private static Value lengths(OpContext c) {
    if (!c.has(7)) {
      return c.fill(const_(ElementType.I32, 0), List.of(c.type(0).dim(0)));
    }
    c.requireRank(7, 2, 2);
    ElementType type = c.element(7);
    Expr isWord = select(eq(Ex.x(), const_(type, 0)), const_(type, 0), const_(type, 1));
    Value count = c.reduce(ReduceKind.SUM, List.of(1), false, isWord, c.in(7));
    return c.map(cast(ElementType.I32, Ex.x()), count);
  }
}
