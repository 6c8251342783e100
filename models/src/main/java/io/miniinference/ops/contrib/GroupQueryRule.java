package io.miniinference.ops.contrib;

import static io.miniinference.ir.Exprs.add;
import static io.miniinference.ir.Exprs.and;
import static io.miniinference.ir.Exprs.arg;
import static io.miniinference.ir.Exprs.at;
import static io.miniinference.ir.Exprs.cast;
import static io.miniinference.ir.Exprs.const_;
import static io.miniinference.ir.Exprs.div;
import static io.miniinference.ir.Exprs.ge;
import static io.miniinference.ir.Exprs.index;
import static io.miniinference.ir.Exprs.lt;
import static io.miniinference.ir.Exprs.max;
import static io.miniinference.ir.Exprs.min;
import static io.miniinference.ir.Exprs.mul;
import static io.miniinference.ir.Exprs.select;
import static io.miniinference.ir.Exprs.sub;
import static io.miniinference.ir.Exprs.tanh;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.Expr;
import io.miniinference.ir.Value;
import io.miniinference.layout.Affine;
import io.miniinference.ops.draft.Ex;
import io.miniinference.ops.draft.LoweringFault;
import io.miniinference.ops.draft.Sizes;
import io.miniinference.ops.math.ActivationOps;
import io.miniinference.ops.nn.Heads;
import io.miniinference.ops.nn.RotaryRule;
import io.miniinference.ops.node.OpContext;
import io.miniinference.ops.node.OpTable;
import java.util.ArrayList;
import java.util.List;

/// GroupQueryAttention: causal attention of which several heads share a key, over what is
/// remembered of earlier calls.
///
/// How much of it each row has is data. So keys and values are put behind it element by element,
/// each row at its own place, in a result whose length is known at load.
final class GroupQueryRule {
  private static final int LENGTHS = 5;
  private static final int TOTAL = 6;

  private final OpContext c;
  private final ElementType type;
  private final long heads;
  private final long shared;
  private final Affine rows;
  private final Affine total;

  private GroupQueryRule(OpContext c) {
    this.c = c;
    type = c.element(0);
    heads = c.attrInt("num_heads");
    shared = c.attrInt("kv_num_heads");
    c.requireRank(0, 3, 3);
    c.requireRank(LENGTHS, 1, 2);
    rows = c.type(0).dim(1);
    refuseOthers();
    total = Sizes.dimension(c.size1(TOTAL), 2);
  }

  static void addTo(OpTable table) {
    table.rows(
        "com.microsoft.GroupQueryAttention",
        1,
        "7-14",
        "num_heads kv_num_heads scale=0 softcap=0 do_rotary=0 rotary_interleaved=0"
            + " smooth_softmax=0 local_window_size=-1 qk_output=0 k_quant_type=NONE"
            + " v_quant_type=NONE kv_cache_bit_width=0",
        c -> new GroupQueryRule(c).run());
  }

  private void refuseOthers() {
    if (heads < 1 || shared < 1 || heads % shared != 0) {
      throw LoweringFault.of("shares %d keys among %d heads".formatted(shared, heads));
    }
    c.attrOneOf("k_quant_type", "NONE");
    c.attrOneOf("v_quant_type", "NONE");
    if (c.attrBool("smooth_softmax") || c.has(11)) {
      throw c.unsupported("a smooth softmax");
    }
    if (!c.type(LENGTHS).elements().equals(c.type(0).dim(0))) {
      throw LoweringFault.of("has lengths %s for %s".formatted(c.type(LENGTHS), c.type(0)));
    }
  }

  private List<Value> run() {
    boolean packed = !c.has(1);
    Affine size = headSize(packed);
    Value queries = heads(0, packed ? part(Affine.ZERO, size.times(heads)) : c.in(0), heads);
    Value keys = packed ? part(size.times(heads), size.times(shared)) : c.in(1);
    Value values = packed ? part(size.times(heads + shared), size.times(shared)) : c.in(2);
    if (c.attrBool("do_rotary")) {
      queries = turned(queries);
    }
    Value newKeys = heads(1, keys, shared);
    Value present = behind(3, c.attrBool("do_rotary") ? turned(newKeys) : newKeys);
    Value presentValues = behind(4, heads(2, values, shared));
    Value weights = weights(queries, present);
    Value result = Heads.merged(c, Heads.product(c, weights, presentValues, false));
    return List.of(result, present, presentValues);
  }

  private Affine headSize(boolean packed) {
    Affine all = c.type(0).dim(2);
    long count = packed ? heads + 2 * shared : heads;
    return Sizes.quotient(all, Affine.of(count))
        .orElseThrow(() -> LoweringFault.of("splits %s into %d heads".formatted(c.type(0), count)));
  }

  private Value part(Affine start, Affine extent) {
    return c.slice(c.in(0), 2, start, extent);
  }

  private Value heads(int input, Value x, long count) {
    if (x.type().rank() != 3) {
      throw LoweringFault.of("input %d must have 3 axes, is %s".formatted(input, x.type()));
    }
    return Heads.split(c, x, count);
  }

  /// Whether nothing is remembered yet: the rows are all that there is.
  private boolean isFirst() {
    return rows.equals(total);
  }

  /// How many keys row `index(0)` has, the new ones with it.
  private static Expr length(int operand) {
    return add(cast(ElementType.I64, at(operand, index(0))), const_(1));
  }

  /// How many of them are remembered.
  private Expr before(int operand) {
    return isFirst() ? const_(0) : sub(length(operand), Ex.size(rows));
  }

  private Value lengths() {
    return c.reshape(c.in(LENGTHS), List.of(c.type(0).dim(0)));
  }

  private Value turned(Value x) {
    Value positions = c.has(9) ? c.in(9) : positions();
    Value cosines = c.rows(c.in(7), positions);
    Value sines = c.rows(c.in(8), positions);
    long rotated = 2 * c.type(7).dim(1).asConstant();
    boolean interleaved = c.attrBool("rotary_interleaved");
    return RotaryRule.turned(c, x, cosines, sines, interleaved, rotated);
  }

  /// Behind what is remembered; any will do for rows that are padding.
  private Value positions() {
    Expr position = add(before(0), index(1));
    Expr element = select(lt(position, length(0)), position, const_(1));
    return c.compute(element, List.of(c.type(0).dim(0), rows), lengths());
  }

  /// What input `past` remembers, then `x`, then zeros.
  private Value behind(int past, Value x) {
    Affine extent = total;
    List<Value> operands = new ArrayList<>(List.of(lengths(), x));
    boolean remembers = c.has(past) && !c.type(past).elements().isZero();
    if (remembers) {
      c.requireRank(past, 4, 4);
      extent = Sizes.clamp(total, c.type(past).dim(2), Affine.of(Integer.MAX_VALUE));
      operands.add(c.in(past));
    }
    List<Affine> shape = new ArrayList<>(x.type().shape());
    shape.set(2, extent);
    Expr place = sub(index(2), before(0));
    Expr fresh = element(1, within(place, x.type().dim(2)));
    Expr none = const_(type, 0.0);
    Expr isFresh = and(ge(place, const_(0)), lt(place, Ex.size(x.type().dim(2))));
    Expr other =
        remembers
            ? select(lt(place, const_(0)), element(2, within(index(2), c.type(past).dim(2))), none)
            : none;
    return c.compute(select(isFresh, fresh, other), shape, operands.toArray(Value[]::new));
  }

  private static Expr element(int operand, Expr place) {
    return at(operand, index(0), index(1), place, index(3));
  }

  private static Expr within(Expr place, Affine extent) {
    return max(const_(0), min(place, sub(Ex.size(extent), const_(1))));
  }

  private Value weights(Value queries, Value keys) {
    double size = Math.max(1, queries.type().dim(3).asConstant());
    double scale = c.attrFloat("scale") == 0 ? 1 / Math.sqrt(size) : c.attrFloat("scale");
    Value scores = Heads.product(c, queries, keys, true);
    scores = c.map(capped(mul(Ex.x(), const_(type, scale))), scores);
    if (c.has(10)) {
      scores = c.plus(scores, c.in(10));
    }
    ElementType wide = type == ElementType.F64 ? type : ElementType.F32;
    Expr hidden = const_(wide, -Float.MAX_VALUE);
    Expr masked = select(seen(), Ex.as(type, wide, arg(0)), hidden);
    Value shown = c.compute(masked, scores.type().shape(), scores, lengths());
    return c.cast(ActivationOps.softmax(c, shown, 3), type);
  }

  private Expr capped(Expr score) {
    double cap = c.attrFloat("softcap");
    return cap == 0 ? score : mul(tanh(div(score, const_(type, cap))), const_(type, cap));
  }

  /// Keys up to the query's own, and no further back than the window.
  private Expr seen() {
    Expr own = add(before(1), index(2));
    Expr seen = lt(index(3), add(own, const_(1)));
    long window = c.attrInt("local_window_size");
    return window > 0 ? and(seen, lt(sub(own, index(3)), const_(window))) : seen;
  }
}
