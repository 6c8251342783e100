package io.miniinference.ops.text;

import static io.miniinference.ir.Exprs.arg;
import static io.miniinference.ir.Exprs.cast;
import static io.miniinference.ir.Exprs.const_;
import static io.miniinference.ir.Exprs.eq;
import static io.miniinference.ir.Exprs.index;
import static io.miniinference.ir.Exprs.isNan;
import static io.miniinference.ir.Exprs.select;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.Expr;
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

/// Categories that a file lists: their numbers, and columns of zeros and ones.
public final class CategoryOps {
  private static final String CATEGORIES = "cats_int64s cats_strings ";

  private CategoryOps() {}

  static void addTo(OpTable table) {
    table
        .row(
            "ai.onnx.ml.CategoryMapper",
            1,
            "1",
            CATEGORIES + "default_string=_Unused default_int64=-1",
            CategoryOps::mapped)
        .row("ai.onnx.ml.OneHotEncoder", 1, "1", CATEGORIES + "zeros=1", CategoryOps::oneHot);
  }

  /// [CategoryMapper](https://onnx.ai/onnx/operators/onnx_aionnxml_CategoryMapper.html): numbers of
  /// strings, or strings of numbers.
  private static Value mapped(OpContext c) {
    KnownList strings = KnownList.strings(c, c.attributes().strings("cats_strings"));
    KnownList numbers = KnownList.longs(c.attrInts("cats_int64s"));
    return c.coded(0).isPresent()
        ? LabelEncoderRule.mapped(c, strings, numbers, LabelEncoderRule.ofInts(c))
        : LabelEncoderRule.mapped(c, numbers, strings, LabelEncoderRule.ofStrings(c));
  }

  /// [OneHotEncoder](https://onnx.ai/onnx/operators/onnx_aionnxml_OneHotEncoder.html): a further
  /// axis with a 1 in the column of the element's category. An element that is of none, as one that
  /// is no number, has zeros, or fails its row where `zeros` is 0.
  private static Value oneHot(OpContext c) {
    boolean strings = c.hasAttr("cats_strings");
    if (strings == c.hasAttr("cats_int64s")) {
      throw LoweringFault.of("takes one of 'cats_strings' and 'cats_int64s'");
    }
    KnownList categories = KnownList.of(c, "cats");
    Value x = strings ? c.in(0) : c.cast(c.in(0), ElementType.I64);
    Value places = Places.of(c, x, categories);
    if (c.element(0).isFloat()) {
      Expr none = const_(categories.size());
      places = c.map(select(isNan(arg(1)), none, arg(0)), places, c.in(0));
    }
    if (!c.attrBool("zeros")) {
      places = checked(c, places, categories.size());
    }
    int axis = c.rank(0);
    List<Affine> shape = new ArrayList<>(c.type(0).shape());
    shape.add(Affine.of(categories.size()));
    return c.compute(
        cast(ElementType.F32, eq(index(axis), arg(0))), shape, c.unsqueeze(places, axis, 1));
  }

  /* The places, each of which is found to be one: what a Gather finds in the places themselves. */
  private static Value checked(OpContext c, Value places, int count) {
    Value all = c.compute(index(0), List.of(Affine.of(count)));
    return c.emit(
        new Op.Gather(new Selection.Slices(0), new IndexBounds(false, null)), all, places);
  }
}
