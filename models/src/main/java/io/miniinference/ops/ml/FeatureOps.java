package io.miniinference.ops.ml;

import static io.miniinference.ir.Exprs.const_;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.IndexBounds;
import io.miniinference.ir.Op;
import io.miniinference.ir.Selection;
import io.miniinference.ir.Value;
import io.miniinference.layout.Affine;
import io.miniinference.ops.draft.LoweringFault;
import io.miniinference.ops.node.OpContext;
import io.miniinference.ops.node.OpTable;
import java.util.ArrayList;
import java.util.List;

/// What pipelines do to columns ahead of an estimator: put them beside each other, choose some. And
/// ZipMap, which exporters of scikit-learn write behind a classifier.
final class FeatureOps {
  private static final ElementType F32 = ElementType.F32;

  private FeatureOps() {}

  static void addTo(OpTable table) {
    table
        .row("ai.onnx.ml.FeatureVectorizer", 1, "1-*", "inputdimensions", FeatureOps::vectorize)
        .row("ai.onnx.ml.ArrayFeatureExtractor", 1, "2", "", FeatureOps::extract)
        .row(
            "ai.onnx.ml.ZipMap",
            1,
            "1",
            "classlabels_int64s classlabels_strings",
            FeatureOps::withoutMap);
  }

  /// A map from labels to probabilities for each row cannot be answered: the probabilities are, in
  /// the order of the labels.
  private static Value withoutMap(OpContext c) {
    return c.in(0);
  }

  private static Value vectorize(OpContext c) {
    long[] widths = c.attrInts("inputdimensions");
    Lists.require("inputdimensions", widths.length, "inputs", c.inputs());
    List<Value> columns = new ArrayList<>();
    for (int i = 0; i < widths.length; i++) {
      columns.add(columns(c, i, widths[i]));
    }
    return c.concat(1, columns);
  }

  /* As many columns as are asked for: those behind are left out, those that lack are zero. */
  private static Value columns(OpContext c, int input, long width) {
    c.requireRank(input, 1, 2);
    Value x = c.cast(c.in(input), F32);
    Value rows = c.rank(input) == 2 ? x : c.reshape(x, List.of(Affine.ONE, x.type().dim(0)));
    long own = Rows.features(rows);
    if (width < 1) {
      throw LoweringFault.of("has %d columns of input %d".formatted(width, input));
    }
    if (width <= own) {
      return c.slice(rows, 1, Affine.ZERO, Affine.of(width));
    }
    List<Affine> lacking = List.of(rows.type().dim(0), Affine.of(width - own));
    return Scores.beside(c, rows, c.fill(const_(F32, 0.0), lacking));
  }

  /* Along the last axis; of a vector one row. */
  private static Value extract(OpContext c) {
    c.requireRank(0, 1);
    Value x = c.rank(0) == 1 ? c.reshape(c.in(0), List.of(Affine.ONE, c.type(0).dim(0))) : c.in(0);
    Value places = c.reshape(c.in(1), List.of(c.type(1).elements()));
    Selection columns = new Selection.Slices(x.type().rank() - 1);
    return c.emit(new Op.Gather(columns, new IndexBounds(false, null, null)), x, places);
  }
}
