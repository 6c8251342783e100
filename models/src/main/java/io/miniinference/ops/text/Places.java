package io.miniinference.ops.text;

import static io.miniinference.ir.Exprs.add;
import static io.miniinference.ir.Exprs.and;
import static io.miniinference.ir.Exprs.arg;
import static io.miniinference.ir.Exprs.at;
import static io.miniinference.ir.Exprs.const_;
import static io.miniinference.ir.Exprs.eq;
import static io.miniinference.ir.Exprs.le;
import static io.miniinference.ir.Exprs.lt;
import static io.miniinference.ir.Exprs.min;
import static io.miniinference.ir.Exprs.not;
import static io.miniinference.ir.Exprs.select;
import static io.miniinference.ir.Exprs.sub;

import io.miniinference.ir.CodedType;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Expr;
import io.miniinference.ir.Tensor;
import io.miniinference.ir.Value;
import io.miniinference.layout.Affine;
import io.miniinference.ops.draft.Ex;
import io.miniinference.ops.draft.LoweringFault;
import io.miniinference.ops.draft.SmallTensors;
import io.miniinference.ops.node.OpContext;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/// The places of elements in a list of keys: of equal keys the first, and as many as there are keys
/// for an element that is none. Results are I64 in the shape of the elements.
///
/// Strings are looked up in a table by their codes, where those of the keys lie close together, as
/// they do where a node brings its own strings. Else, as numbers, they are searched for in the
/// sorted keys, in as many steps as their count has binary digits.
final class Places {
  /// Entries that a table may have for each key.
  private static final long MOST_PER_KEY = 8;

  /// Entries that any table may have.
  private static final long FEW_ENTRIES = 1024;

  private final OpContext c;
  private final KnownList keys;

  private Places(OpContext c, KnownList keys) {
    this.c = c;
    this.keys = keys;
  }

  /// @param x elements of the keys' type
  /// @throws LoweringFault if they are of another
  static Value of(OpContext c, Value x, KnownList keys) {
    Optional<CodedType> coded = c.facts().coded(x);
    if (!coded.equals(keys.coded()) || x.type().element() != keys.elements().element()) {
      throw LoweringFault.of(
          "has keys of %s for an input of %s"
              .formatted(
                  name(keys.coded(), keys.elements().element()), name(coded, x.type().element())));
    }
    Places places = new Places(c, keys);
    return coded.isPresent() ? places.byCode(c.numbers(x)) : places.bySearch(x);
  }

  private static String name(Optional<CodedType> coded, ElementType element) {
    return coded.map(CodedType::toString).orElse(element.toString());
  }

  private Value byCode(Value codes) {
    long[] own = SmallTensors.integers(keys.elements());
    long first = Arrays.stream(own).min().orElse(0);
    long span = Arrays.stream(own).max().orElse(-1) - first + 1;
    return span <= MOST_PER_KEY * own.length + FEW_ENTRIES
        ? byTable(codes, own, first, (int) span)
        : bySearch(codes);
  }

  /* Of codes from the smallest to the largest of the keys. All others, those of strings that only a
  request has among them, are looked up behind the table's end. */
  private Value byTable(Value codes, long[] own, long first, int span) {
    long[] table = new long[span + 1];
    Arrays.fill(table, own.length);
    for (int i = own.length - 1; i >= 0; i--) {
      table[(int) (own[i] - first)] = i;
    }
    ElementType type = CodedType.STRING.element();
    Expr isKnown = Ex.within(arg(0), const_(type, first), const_(type, first + span));
    Expr place = sub(arg(0), const_(type, first));
    Value index = c.map(select(isKnown, place, const_(type, (long) span)), codes);
    return c.cast(c.rows(c.constant(narrow(table)), index), ElementType.I64);
  }

  private static Tensor narrow(long[] numbers) {
    return SmallTensors.of(ElementType.I32, new long[] {numbers.length}, numbers);
  }

  private Value constant(long... values) {
    return c.constant(SmallTensors.of(ElementType.I64, new long[] {values.length}, values));
  }

  private Value bySearch(Value x) {
    Tensor all = keys.elements();
    int[] order = order(all);
    List<Affine> shape = x.type().shape();
    if (order.length == 0) {
      return nan(c.fill(const_(keys.size()), shape), x);
    }
    Value sorted = c.constant(taken(all, order));
    Value places = constant(Arrays.stream(order).asLongStream().toArray());
    Expr here = min(arg(0), const_(order.length - 1));
    Expr found = select(eq(at(1, here), arg(2)), at(3, here), const_(keys.size()));
    Value below = below(x, sorted, order.length);
    return nan(c.compute(found, shape, below, sorted, x, places), x);
  }

  /* How many keys are less than each element. */
  private Value below(Value x, Value sorted, int count) {
    Value below = c.fill(const_(0), x.type().shape());
    for (long step = Integer.highestOneBit(count); step > 0; step /= 2) {
      Expr more = add(arg(0), const_(step));
      Expr last = at(1, min(sub(more, const_(1)), const_(count - 1)));
      Expr fits = and(le(more, const_(count)), lt(last, arg(2)));
      below = c.compute(select(fits, more, arg(0)), x.type().shape(), below, sorted, x);
    }
    return below;
  }

  /* The places of distinct keys in ascending order, without those that are no number. */
  private static int[] order(Tensor keys) {
    boolean real = keys.element().isFloat();
    double[] reals = real ? SmallTensors.reals(keys) : new double[0];
    long[] whole = real ? new long[0] : SmallTensors.integers(keys);
    Comparator<Integer> order =
        real
            ? Comparator.comparingDouble((Integer i) -> reals[i] + 0.0)
            : Comparator.comparingLong((Integer i) -> whole[i]);
    List<Integer> sorted =
        IntStream.range(0, (int) keys.elements())
            .filter(i -> !real || !Double.isNaN(reals[i]))
            .boxed()
            .sorted(order)
            .toList();
    return IntStream.range(0, sorted.size())
        .filter(k -> k == 0 || order.compare(sorted.get(k - 1), sorted.get(k)) != 0)
        .map(sorted::get)
        .toArray();
  }

  private static Tensor taken(Tensor keys, int[] places) {
    long[] shape = {places.length};
    return keys.element().isFloat()
        ? SmallTensors.of(
            keys.element(),
            shape,
            Arrays.stream(places).mapToDouble(i -> SmallTensors.real(keys, i)).toArray())
        : SmallTensors.of(
            keys.element(),
            shape,
            Arrays.stream(places).mapToLong(i -> SmallTensors.integer(keys, i)).toArray());
  }

  /* A key that is no number is equal to all that are none. */
  private Value nan(Value places, Value x) {
    if (!x.type().element().isFloat()) {
      return places;
    }
    double[] reals = SmallTensors.reals(keys.elements());
    return IntStream.range(0, reals.length)
        .filter(i -> Double.isNaN(reals[i]))
        .boxed()
        .findFirst()
        .map(place -> c.map(select(not(eq(arg(1), arg(1))), const_(place), arg(0)), places, x))
        .orElse(places);
  }
}
