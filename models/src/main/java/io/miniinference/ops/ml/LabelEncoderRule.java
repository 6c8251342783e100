package io.miniinference.ops.ml;

import static io.miniinference.ir.Exprs.add;
import static io.miniinference.ir.Exprs.and;
import static io.miniinference.ir.Exprs.arg;
import static io.miniinference.ir.Exprs.at;
import static io.miniinference.ir.Exprs.const_;
import static io.miniinference.ir.Exprs.eq;
import static io.miniinference.ir.Exprs.le;
import static io.miniinference.ir.Exprs.lt;
import static io.miniinference.ir.Exprs.min;
import static io.miniinference.ir.Exprs.select;
import static io.miniinference.ir.Exprs.unary;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.Expr;
import io.miniinference.ir.Tensor;
import io.miniinference.ir.Value;
import io.miniinference.ops.draft.LoweringFault;
import io.miniinference.ops.draft.SmallTensors;
import io.miniinference.ops.node.OpContext;
import io.miniinference.ops.node.OpTable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Numbers in place of numbers
/// ([LabelEncoder](https://onnx.ai/onnx/operators/onnx_aionnxml_LabelEncoder.html)): a search among
/// the sorted keys, one step for each bit of their count. Of equal keys the first counts; NaN is a
/// key like others.
final class LabelEncoderRule {
  private static final String LISTS =
      "default_float=-0 default_int64=-1 default_string=_Unused keys_floats keys_int64s keys_strings"
          + " values_floats values_int64s values_strings";

  private final OpContext c;
  private final Tensor keys;
  private final Tensor values;

  private LabelEncoderRule(OpContext c) {
    this.c = c;
    keys = table("keys");
    values = table("values");
    Lists.require("keys", keys.elements(), "values", values.elements());
    if (c.element(0) != keys.element()) {
      throw LoweringFault.of("has keys of %s for %s".formatted(keys.element(), c.type(0)));
    }
  }

  static void addTo(OpTable table) {
    table
        .row(
            "ai.onnx.ml.LabelEncoder",
            1,
            "1",
            "classes_strings default_int64=-1 default_string=_Unused",
            _ -> {
              throw strings();
            })
        .row("ai.onnx.ml.LabelEncoder", 2, "1", LISTS, c -> new LabelEncoderRule(c).lower())
        .row(
            "ai.onnx.ml.LabelEncoder",
            4,
            "1",
            LISTS + " default_tensor keys_tensor values_tensor",
            c -> new LabelEncoderRule(c).lower());
  }

  private static LoweringFault strings() {
    return LoweringFault.of(
        "encodes strings, which are not supported: encode them before the request");
  }

  private Tensor table(String kind) {
    if (c.hasAttr(kind + "_strings")) {
      throw strings();
    }
    Tensor tensor = Lists.tensor(c, kind + "_tensor");
    if (tensor != null) {
      return tensor;
    }
    if (c.hasAttr(kind + "_int64s")) {
      long[] all = c.attrInts(kind + "_int64s");
      return Tensor.of(all, all.length);
    }
    if (c.hasAttr(kind + "_floats")) {
      double[] all = Lists.reals(c, kind + "_floats");
      return SmallTensors.of(ElementType.F32, new long[] {all.length}, all);
    }
    throw LoweringFault.of("needs attribute '%s_int64s' or '%s_floats'".formatted(kind, kind));
  }

  private Value lower() {
    Sorted sorted = Sorted.of(keys);
    Expr otherwise = missing();
    Value x = c.in(0);
    Expr known = sorted.count() == 0 ? otherwise : select(isFound(), at(3, arg(1)), otherwise);
    Expr y =
        sorted.nan < 0
            ? known
            : select(unary(Expr.UnaryOp.IS_NAN, arg(0)), value(sorted.nan), known);
    if (sorted.count() == 0) {
      return c.compute(y, x.type().shape(), x);
    }
    Value table = c.constant(taken(keys, sorted.places));
    Value place = place(x, table, sorted.count());
    return c.compute(
        y, x.type().shape(), x, place, table, c.constant(taken(values, sorted.places)));
  }

  private static Expr isFound() {
    return eq(at(2, arg(1)), arg(0));
  }

  private Expr value(int place) {
    ElementType type = values.element();
    return type.isFloat()
        ? const_(type, SmallTensors.real(values, place))
        : const_(type, SmallTensors.integer(values, place));
  }

  private Expr missing() {
    ElementType type = values.element();
    Tensor given = Lists.tensor(c, "default_tensor");
    if (given != null && given.elements() == 1) {
      return type.isFloat()
          ? const_(type, SmallTensors.real(given, 0))
          : const_(type, SmallTensors.integer(given, 0));
    }
    return type.isFloat()
        ? const_(type, (double) c.attrFloat("default_float"))
        : const_(type, c.attrInt("default_int64"));
  }

  /* The place of the last key that is not above the element, 0 if there is none. */
  private Value place(Value x, Value table, int count) {
    Value place = c.fill(const_(0), x.type().shape());
    for (long step = Long.highestOneBit(count); step > 0; step >>= 1) {
      Expr next = add(arg(1), const_(step));
      Expr inside = min(next, const_(count - 1L));
      Expr isThere = and(lt(next, const_((long) count)), le(at(2, inside), arg(0)));
      place = c.compute(select(isThere, next, arg(1)), x.type().shape(), x, place, table);
    }
    return place;
  }

  private static Tensor taken(Tensor tensor, List<Integer> places) {
    long[] shape = {places.size()};
    return tensor.element().isFloat()
        ? SmallTensors.of(
            tensor.element(),
            shape,
            places.stream().mapToDouble(i -> SmallTensors.real(tensor, i)).toArray())
        : SmallTensors.of(
            tensor.element(),
            shape,
            places.stream().mapToLong(i -> SmallTensors.integer(tensor, i)).toArray());
  }

  /// Places of keys in ascending order, none twice, and that of NaN, −1 where it is no key.
  private record Sorted(List<Integer> places, int nan) {
    int count() {
      return places.size();
    }

    static Sorted of(Tensor keys) {
      int count = Math.toIntExact(keys.elements());
      Integer[] order = new Integer[count];
      Arrays.setAll(order, i -> i);
      Arrays.sort(order, (a, b) -> compare(keys, a, b)); // equal keys stay in their order
      int nan = -1;
      List<Integer> places = new ArrayList<>();
      @Nullable Integer last = null;
      for (Integer place : order) {
        if (isNan(keys, place)) {
          nan = nan < 0 ? place : nan;
        } else if (last == null || compare(keys, last, place) != 0) {
          places.add(place);
          last = place;
        }
      }
      return new Sorted(places, nan);
    }

    private static boolean isNan(Tensor keys, int place) {
      return keys.element().isFloat() && Double.isNaN(SmallTensors.real(keys, place));
    }

    private static int compare(Tensor keys, int a, int b) {
      return keys.element().isFloat()
          ? Double.compare(SmallTensors.real(keys, a) + 0.0, SmallTensors.real(keys, b) + 0.0)
          : Long.compare(SmallTensors.integer(keys, a), SmallTensors.integer(keys, b));
    }
  }
}
