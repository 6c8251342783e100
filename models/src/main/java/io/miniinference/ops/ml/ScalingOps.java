package io.miniinference.ops.ml;

import static io.miniinference.ir.Exprs.abs;
import static io.miniinference.ir.Exprs.arg;
import static io.miniinference.ir.Exprs.const_;
import static io.miniinference.ir.Exprs.div;
import static io.miniinference.ir.Exprs.eq;
import static io.miniinference.ir.Exprs.gt;
import static io.miniinference.ir.Exprs.mul;
import static io.miniinference.ir.Exprs.select;
import static io.miniinference.ir.Exprs.sqrt;
import static io.miniinference.ir.Exprs.sub;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.Expr;
import io.miniinference.ir.Expr.UnaryOp;
import io.miniinference.ir.Exprs;
import io.miniinference.ir.Op.ReduceKind;
import io.miniinference.ir.Value;
import io.miniinference.layout.Affine;
import io.miniinference.ops.draft.Ex;
import io.miniinference.ops.draft.LoweringFault;
import io.miniinference.ops.draft.SmallTensors;
import io.miniinference.ops.node.OpContext;
import io.miniinference.ops.node.OpTable;
import java.util.List;

/// What pipelines do to numbers ahead of an estimator: expressions with a number for each feature
/// or for all. Numbers of 64 bits are computed with as they are, also where the result has 32.
final class ScalingOps {
  private static final ElementType F32 = ElementType.F32;

  private ScalingOps() {}

  static void addTo(OpTable table) {
    table
        .row("ai.onnx.ml.Scaler", 1, "1", "offset scale", ScalingOps::scale)
        .row("ai.onnx.ml.Normalizer", 1, "1", "norm=MAX", ScalingOps::normalize)
        .row("ai.onnx.ml.Binarizer", 1, "1", "threshold=0", ScalingOps::binarize)
        .row(
            "ai.onnx.ml.Imputer",
            1,
            "1",
            "imputed_value_floats imputed_value_int64s replaced_value_float=0"
                + " replaced_value_int64=0",
            ScalingOps::impute);
  }

  private static Value scale(OpContext c) {
    Value x = c.cast(c.in(0), c.element(0) == ElementType.F64 ? ElementType.F64 : F32);
    Value offset = perFeature(c, x, "offset", Lists.reals(c, "offset"));
    Value scale = perFeature(c, x, "scale", Lists.reals(c, "scale"));
    return c.cast(c.map(mul(sub(arg(0), arg(1)), arg(2)), x, offset, scale), F32);
  }

  /* One number for all, or one for each along the last axis. */
  private static Value perFeature(OpContext c, Value x, String name, double[] values) {
    requirePerFeature(x, name, values.length);
    ElementType type = x.type().element();
    return values.length == 1
        ? c.scalar(type, values[0])
        : Lists.constant(c, type, values, values.length);
  }

  private static void requirePerFeature(Value x, String name, int count) {
    boolean fits =
        count == 1 || (x.type().rank() > 0 && x.type().shape().getLast().equals(Affine.of(count)));
    if (!fits || count == 0) {
      throw LoweringFault.of(
          "has %d numbers in '%s', needs one, or one for each feature of %s"
              .formatted(count, name, x.type()));
    }
  }

  private static Value binarize(OpContext c) {
    ElementType type = c.element(0);
    Expr isAbove = gt(Ex.as(type, F32, Ex.x()), const_(F32, c.attrFloat("threshold")));
    if (type == ElementType.F64) {
      isAbove = gt(Ex.x(), const_(type, (double) c.attrFloat("threshold")));
    }
    return c.map(select(isAbove, const_(type, 1.0), const_(type, 0.0)), c.in(0));
  }

  /* Rows whose measure is zero stay as they are. */
  private static Value normalize(OpContext c) {
    String norm = c.attrOneOf("norm", "MAX", "L1", "L2");
    Value x = Rows.floats(c);
    Value measure =
        switch (norm) {
          case "MAX" -> rows(c, ReduceKind.MAX, Ex.x(), x);
          case "L1" -> rows(c, ReduceKind.SUM, abs(Ex.x()), x);
          default -> rows(c, ReduceKind.SUM, mul(Ex.x(), Ex.x()), x);
        };
    Expr size = norm.equals("L2") ? sqrt(arg(1)) : arg(1);
    Expr isZero = eq(arg(1), const_(x.type().element(), 0.0));
    Value y = c.map(select(isZero, arg(0), div(arg(0), size)), x, measure);
    return c.reshape(c.cast(y, F32), c.type(0).shape());
  }

  private static Value rows(OpContext c, ReduceKind kind, Expr map, Value x) {
    return c.reduce(kind, List.of(1), true, map, x);
  }

  private static Value impute(OpContext c) {
    Value x = c.in(0);
    ElementType type = x.type().element();
    if (!type.isFloat() && type != ElementType.I64) {
      throw c.unsupported("an input of " + type);
    }
    if (type.isFloat()) {
      double missing = c.attrFloat("replaced_value_float");
      Value with = perFeature(c, x, "imputed_value_floats", Lists.reals(c, "imputed_value_floats"));
      Expr isMissing =
          Double.isNaN(missing)
              ? Exprs.unary(UnaryOp.IS_NAN, arg(0))
              : eq(arg(0), const_(type, missing));
      return c.map(select(isMissing, arg(1), arg(0)), x, with);
    }
    long[] values = c.attrInts("imputed_value_int64s");
    requirePerFeature(x, "imputed_value_int64s", values.length);
    long[] shape = values.length == 1 ? new long[0] : new long[] {values.length};
    Value with = c.constant(SmallTensors.of(type, shape, values));
    Expr isMissing = eq(arg(0), const_(c.attrInt("replaced_value_int64")));
    return c.map(select(isMissing, arg(1), arg(0)), x, with);
  }
}
