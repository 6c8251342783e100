package io.miniinference.ops.nn;

import static io.miniinference.ir.Exprs.add;
import static io.miniinference.ir.Exprs.arg;
import static io.miniinference.ir.Exprs.at;
import static io.miniinference.ir.Exprs.const_;
import static io.miniinference.ir.Exprs.exp;
import static io.miniinference.ir.Exprs.index;
import static io.miniinference.ir.Exprs.mul;
import static io.miniinference.ir.Exprs.sub;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.Expr;
import io.miniinference.ir.TensorType;
import io.miniinference.ir.Value;
import io.miniinference.layout.Affine;
import io.miniinference.onnx.Quote;
import io.miniinference.ops.control.CountedLoop;
import io.miniinference.ops.draft.BodyDraft;
import io.miniinference.ops.draft.Emitter;
import io.miniinference.ops.draft.Ex;
import io.miniinference.ops.draft.LoweringFault;
import io.miniinference.ops.node.OpContext;
import io.miniinference.ops.node.OpTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// LinearAttention: a matrix of state per head that each token decays, writes to and reads from
/// ([ONNX LinearAttention](https://onnx.ai/onnx/operators/onnx__LinearAttention.html)).
///
/// The state is `[batch, heads of keys, key size, value size]`; queries, keys, values, decay and
/// rate come as `[batch, length, heads · size]`. It is a loop over the tokens, in 32 bits.
final class LinearAttentionRule {
  private static final int STATE = 3;
  private static final int DECAY = 4;
  private static final int RATE = 5;

  private final OpContext c;
  private final ElementType type;
  private final long queryHeads;
  private final long keyHeads;
  private final boolean decays;
  private final boolean corrects;

  private LinearAttentionRule(OpContext c) {
    this.c = c;
    type = c.element(0);
    queryHeads = c.attrInt("q_num_heads");
    keyHeads = c.attrInt("kv_num_heads");
    String rule = c.attrOneOf("update_rule", "linear", "gated", "delta", "gated_delta");
    decays = rule.startsWith("gated");
    corrects = rule.endsWith("delta");
    if (queryHeads < 1 || keyHeads < 1 || queryHeads % keyHeads != 0) {
      throw LoweringFault.of(
          "has %d heads of queries and %d of keys, of which the first must be a multiple"
              .formatted(queryHeads, keyHeads));
    }
    for (int i = 0; i < 3; i++) {
      c.requireRank(i, 3, 3);
    }
    requireInput(DECAY, decays, rule);
    requireInput(RATE, corrects, rule);
    requireTokens(1, "keys");
    requireTokens(2, "values");
    requireTokens(DECAY, "a decay");
    requireTokens(RATE, "rates");
  }

  static void addTo(OpTable table) {
    table.rows(
        "LinearAttention",
        27,
        "3-6",
        "chunk_size=64 kv_num_heads q_num_heads scale=0 update_rule=gated_delta",
        c -> new LinearAttentionRule(c).lower());
  }

  private void requireInput(int input, boolean needed, String rule) {
    if (c.has(input) != needed) {
      throw LoweringFault.of(
          "has update rule %s, which %s input %d"
              .formatted(Quote.of(rule), needed ? "needs" : "takes no", input));
    }
    if (needed) {
      c.requireRank(input, 3, 3);
    }
  }

  /* As many as there are queries, in as many rows: all are read at the token of a query. */
  private void requireTokens(int input, String what) {
    for (int axis = 0; c.has(input) && axis < 2; axis++) {
      Affine more = c.type(input).dim(axis).minus(c.type(0).dim(axis));
      if (!more.isZero()) {
        String fault = "has %s %s for queries %s".formatted(what, c.type(input), c.type(0));
        throw more.isConstant()
            ? LoweringFault.of(fault)
            : LoweringFault.specialisable(fault + "; fix the batch");
      }
    }
  }

  /// What the tokens bring, `[batch, heads, length, size]`.
  private record Tokens(
      Value queries, Value keys, Value values, Optional<Value> decay, Optional<Value> rate) {}

  private List<Value> lower() {
    Tokens tokens =
        new Tokens(
            heads(0, queryHeads),
            heads(1, keyHeads),
            heads(2, keyHeads),
            decays ? Optional.of(decay()) : Optional.empty(),
            corrects ? Optional.of(rate()) : Optional.empty());
    List<Affine> shape =
        List.of(
            c.type(0).dim(0),
            Affine.of(keyHeads),
            tokens.keys.type().dim(3),
            tokens.values.type().dim(3));
    if (!tokens.queries.type().dim(3).equals(shape.get(2))) {
      throw LoweringFault.of("has queries %s for keys %s".formatted(c.type(0), c.type(1)));
    }
    List<Value> results = loop(tokens, state(shape));
    return List.of(merged(results.get(1)), c.cast(results.getFirst(), stateType()));
  }

  private Value heads(int input, long count) {
    return Heads.split(c, c.cast(c.in(input), ElementType.F32), count);
  }

  /// Of each head, or of each element of its keys.
  private Value decay() {
    Value decay = heads(DECAY, keyHeads);
    Affine size = decay.type().dim(3);
    Affine keySize = heads(1, keyHeads).type().dim(3);
    if (!size.equals(Affine.ONE) && !size.equals(keySize)) {
      throw LoweringFault.of("has a decay %s for keys %s".formatted(c.type(DECAY), c.type(1)));
    }
    return decay;
  }

  /// Of each head, or of all.
  private Value rate() {
    Affine count = c.type(RATE).dim(2);
    if (!count.equals(Affine.ONE) && !count.equals(Affine.of(keyHeads))) {
      throw LoweringFault.of("has rates %s for %d heads".formatted(c.type(RATE), keyHeads));
    }
    return heads(RATE, count.constant());
  }

  private Value state(List<Affine> shape) {
    if (!c.has(STATE)) {
      return c.fill(const_(ElementType.F32, 0.0), shape);
    }
    if (!c.type(STATE).shape().equals(shape)) {
      throw LoweringFault.of("has a state %s, needs the shape %s".formatted(c.type(STATE), shape));
    }
    return c.cast(c.in(STATE), ElementType.F32);
  }

  private ElementType stateType() {
    return c.has(STATE) ? c.element(STATE) : type;
  }

  /* The last state, and what each token reads, along axis 0. */
  private List<Value> loop(Tokens tokens, Value first) {
    BodyDraft body = new BodyDraft(c.draft().inner());
    Emitter e = c.into(body.draft());
    Value token = body.parameter("token", TensorType.of(ElementType.I64));
    Value before = body.parameter("state", first.type());
    Value after = after(e, before, tokens, token);
    List<Value> results = List.of(after, read(e, after, row(e, tokens.queries, token)));
    return CountedLoop.emit(c, body, results, List.of(first), tokens.queries.type().dim(2));
  }

  /* Decayed, then with the outer product of key and value added. */
  private Value after(Emitter e, Value before, Tokens tokens, Value token) {
    Value state =
        tokens
            .decay
            .map(decay -> e.map(mul(arg(0), exp(arg(1))), before, column(e, decay, token)))
            .orElse(before);
    Value key = column(e, tokens.keys, token);
    Value value = row(e, tokens.values, token);
    Value written =
        tokens.rate.map(rate -> corrected(e, state, key, value, row(e, rate, token))).orElse(value);
    return e.map(add(arg(0), mul(arg(1), arg(2))), state, key, written);
  }

  /* What is new in a value, `rate · (value − keyᵀ · state)`. */
  private static Value corrected(Emitter e, Value state, Value key, Value value, Value rate) {
    Value known = e.matMul(key, state, true, false);
    return e.map(mul(arg(2), sub(arg(0), arg(1))), value, known, rate);
  }

  /* Heads of queries that share a state are rows of one product. */
  private Value read(Emitter e, Value state, Value query) {
    Value read = Heads.product(e, query, state, false);
    double size = Math.max(1, query.type().dim(3).asConstant());
    double scale = c.attrFloat("scale") == 0 ? 1 / Math.sqrt(size) : c.attrFloat("scale");
    return e.map(mul(Ex.x(), const_(ElementType.F32, scale)), read);
  }

  /* Of one token, `[batch, heads, 1, size]`. */
  private static Value row(Emitter e, Value x, Value token) {
    return of(e, x, token, Affine.ONE, x.type().dim(3), index(3));
  }

  /* Of one token, `[batch, heads, size, 1]`. */
  private static Value column(Emitter e, Value x, Value token) {
    return of(e, x, token, x.type().dim(3), Affine.ONE, index(2));
  }

  private static Value of(
      Emitter e, Value x, Value token, Affine rows, Affine columns, Expr place) {
    List<Affine> shape = List.of(x.type().dim(0), x.type().dim(1), rows, columns);
    return e.compute(at(0, index(0), index(1), arg(1), place), shape, x, token);
  }

  /* `[length, batch, heads, 1, size]` by tokens. */
  private Value merged(Value rows) {
    Value byBatch = c.transpose(rows, List.of(1, 0, 2, 4, 3));
    List<Affine> shape = new ArrayList<>(byBatch.type().shape().subList(0, 2));
    shape.add(byBatch.type().dim(2).times(byBatch.type().dim(3)));
    return c.cast(c.reshape(byBatch, shape), type);
  }
}
