package io.miniinference.ops.nn;

import static io.miniinference.ir.Exprs.add;
import static io.miniinference.ir.Exprs.and;
import static io.miniinference.ir.Exprs.arg;
import static io.miniinference.ir.Exprs.at;
import static io.miniinference.ir.Exprs.bool;
import static io.miniinference.ir.Exprs.const_;
import static io.miniinference.ir.Exprs.div;
import static io.miniinference.ir.Exprs.eq;
import static io.miniinference.ir.Exprs.ge;
import static io.miniinference.ir.Exprs.index;
import static io.miniinference.ir.Exprs.le;
import static io.miniinference.ir.Exprs.lt;
import static io.miniinference.ir.Exprs.mul;
import static io.miniinference.ir.Exprs.select;
import static io.miniinference.ir.Exprs.sub;
import static io.miniinference.ir.Exprs.tanh;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.Expr;
import io.miniinference.ir.Op;
import io.miniinference.ir.Op.ReduceKind;
import io.miniinference.ir.Value;
import io.miniinference.layout.Affine;
import io.miniinference.ops.draft.Ex;
import io.miniinference.ops.draft.LoweringFault;
import io.miniinference.ops.node.OpContext;
import io.miniinference.ops.node.OpTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Attention as the standard's function body has it: scaled products of queries and keys, soft cap,
/// bias, softmax, products with the values ([ONNX
/// Attention](https://onnx.ai/onnx/operators/onnx__Attention.html)).
///
/// Heads that share a key are rows of one matrix, so that keys and values are not repeated. A row
/// that the bias masks as a whole gives zeros. The softmax of half types is computed in 32 bits and
/// rounded once. That is more exact than the standard's own implementation, which rounds each step
/// and the sum of `BF16` after each summand, so that beyond 256 keys of one score it grows no more.
public final class AttentionRule {
  private final OpContext c;
  private final ElementType type;
  private final Value queries;
  private final Value keys;
  private final Value values;

  /// Rows and columns of the matrix of scores.
  private final Affine rows;

  private final Affine columns;

  public static void addTo(OpTable table) {
    String attributes =
        "is_causal=0 kv_num_heads q_num_heads qk_matmul_output_mode=0 scale softcap=0"
            + " softmax_precision=0";
    String windows = " left_window_size=-1 right_window_size=-1";
    FlexAttentionRule.addTo(table);
    LinearAttentionRule.addTo(table);
    CausalConvRule.addTo(table);
    table
        .row(
            "RotaryEmbedding",
            23,
            "3-4",
            "interleaved=0 num_heads rotary_embedding_dim=0",
            RotaryRule::lower)
        .rows("Attention", 23, "3-6", attributes, c -> new AttentionRule(c).run())
        .rows("Attention", 24, "3-7", attributes, c -> new AttentionRule(c).run())
        .rows("Attention", 25, "3-7", attributes + windows, c -> new AttentionRule(c).run());
  }

  private AttentionRule(OpContext c) {
    this.c = c;
    this.type = c.element(0);
    this.queries = heads(0, "q_num_heads");
    this.keys = appended(4, heads(1, "kv_num_heads"));
    this.values = appended(5, heads(2, "kv_num_heads"));
    this.rows = queries.type().dim(2);
    this.columns = keys.type().dim(2);
  }

  /// An input as `[batch, heads, length, size]`.
  private Value heads(int input, String attribute) {
    if (c.rank(input) == 4) {
      return c.in(input);
    }
    c.requireRank(input, 3, 3);
    return Heads.split(c, c.in(input), c.attrInt(attribute));
  }

  /// What is remembered of earlier calls, then `x`.
  private Value appended(int past, Value x) {
    if (!c.has(past)) {
      return x;
    }
    c.requireRank(past, 4, 4);
    return c.concat(2, List.of(c.in(past), x));
  }

  private List<Value> run() {
    Optional<Value> bias = bias();
    Value products = products();
    Value capped = capped(products);
    Value scores = bias.map(b -> c.add(capped, b)).orElse(capped);
    Value weights = weights(scores, bias);
    Value result = Heads.product(c, weights, values, false);
    return List.of(
        c.rank(0) == 4 ? result : Heads.merged(c, result),
        keys,
        values,
        switch ((int) c.attrInt("qk_matmul_output_mode")) {
          case 0 -> products;
          case 1 -> capped;
          case 2 -> scores;
          case 3 -> weights;
          default -> throw c.unsupported("this 'qk_matmul_output_mode'");
        });
  }

  /// Half types are scaled before the product, half on each side, so that it does not overflow.
  private Value products() {
    double size = Math.max(1, queries.type().dim(3).asConstant());
    double scale = c.hasAttr("scale") ? c.attrFloat("scale") : 1 / Math.sqrt(size);
    boolean half = type == ElementType.F16 || type == ElementType.BF16;
    if (half && scale >= 0) {
      Expr root = mul(Ex.x(), const_(type, Math.sqrt(scale)));
      return Heads.product(c, c.map(root, queries), c.map(root, keys), true);
    }
    return c.map(mul(Ex.x(), const_(type, scale)), Heads.product(c, queries, keys, true));
  }

  private Value capped(Value scores) {
    Expr cap = const_(type, c.attrFloat("softcap"));
    return c.attrFloat("softcap") == 0 ? scores : c.map(mul(tanh(div(Ex.x(), cap)), cap), scores);
  }

  private Value weights(Value scores, Optional<Value> bias) {
    long precision = c.attrInt("softmax_precision");
    boolean half = type == ElementType.F16 || type == ElementType.BF16;
    ElementType usual = half ? ElementType.F32 : type;
    ElementType wide = precision == 0 ? usual : OpContext.elementType(precision);
    Value soft = c.cast(c.emit(new Op.Softmax(3, false), c.cast(scores, wide)), type);
    if (bias.isEmpty()) {
      return soft;
    }
    int last = bias.get().type().rank() - 1;
    Value largest = c.reduce(ReduceKind.MAX, List.of(last), true, Ex.x(), bias.get());
    return c.map(select(eq(arg(1), lowest()), const_(type, 0.0), arg(0)), soft, largest);
  }

  private Expr lowest() {
    return const_(type, Double.NEGATIVE_INFINITY);
  }

  /// Mask, causality, window and padding as one summand of the scores, if there is any.
  private Optional<Value> bias() {
    List<Affine> shape = List.of(rows, columns);
    List<Value> operands = new ArrayList<>();
    if (c.has(6)) {
      checkLengths();
      shape = List.of(c.type(0).dim(0), Affine.ONE, rows, columns);
      operands.add(c.in(6));
    }
    if (c.has(3)) {
      c.requireRank(3, 0, 4);
      List<Affine> mask = new ArrayList<>(c.type(3).shape());
      if (!mask.isEmpty() && !mask.getLast().equals(Affine.ONE)) {
        mask.set(mask.size() - 1, columns);
      }
      shape = c.broadcast(shape, mask);
      requireLengths(shape);
      operands.add(c.in(3));
    }
    Expr allowed = allowed(shape.size());
    if (!c.has(3) && allowed.equals(bool(true))) {
      return Optional.empty();
    }
    Expr mask = c.has(3) ? mask(operands.size() - 1, shape.size()) : const_(type, 0.0);
    Expr bias = allowed.equals(bool(true)) ? mask : select(allowed, mask, lowest());
    return Optional.of(c.compute(bias, shape, operands.toArray(Value[]::new)));
  }

  private void checkLengths() {
    c.requireRank(6, 1, 1);
    if (c.element(6) != ElementType.I64 || !c.type(6).dim(0).equals(c.type(0).dim(0))) {
      throw LoweringFault.of("has lengths %s for %s".formatted(c.type(6), c.type(0)));
    }
  }

  /* Lengths are read at a row of the scores, so that a mask may not bring more rows. */
  private void requireLengths(List<Affine> scores) {
    if (c.has(6) && !scores.getFirst().equals(c.type(0).dim(0))) {
      throw LoweringFault.of("has a mask %s for lengths %s".formatted(c.type(3), c.type(6)));
    }
  }

  /// The mask's element, −∞ behind its end.
  private Expr mask(int operand, int rank) {
    List<Affine> shape = c.type(3).shape();
    List<Expr> coordinates = new ArrayList<>();
    for (int axis = 0; axis < shape.size(); axis++) {
      boolean single = shape.get(axis).equals(Affine.ONE);
      coordinates.add(single ? const_(0) : index(rank - shape.size() + axis));
    }
    boolean truths = c.element(3) == ElementType.BOOL;
    Expr element = at(operand, coordinates);
    Expr summand =
        truths ? select(element, const_(type, 0.0), lowest()) : Ex.as(c.element(3), type, element);
    Affine extent = shape.isEmpty() ? Affine.ONE : shape.getLast();
    boolean whole = extent.equals(columns) || extent.equals(Affine.ONE);
    return whole ? summand : select(lt(index(rank - 1), Ex.size(extent)), summand, lowest());
  }

  /// Whether a query may look at a key.
  private Expr allowed(int rank) {
    Expr row = index(rank - 2);
    Expr column = index(rank - 1);
    Expr length = at(0, index(0));
    Expr offset =
        c.has(6) ? sub(length, Ex.size(rows)) : Ex.size(c.has(4) ? c.type(4).dim(2) : Affine.ZERO);
    Expr distance = sub(add(row, offset), column);
    Expr allowed = bool(true);
    if (c.attrBool("is_causal")) {
      allowed = ge(distance, const_(0));
    }
    if (c.opset() >= 25 && c.attrInt("left_window_size") >= 0) {
      allowed = both(allowed, le(distance, const_(c.attrInt("left_window_size"))));
    }
    if (c.opset() >= 25 && c.attrInt("right_window_size") >= 0) {
      allowed = both(allowed, ge(distance, const_(-c.attrInt("right_window_size"))));
    }
    return c.has(6) ? both(allowed, lt(column, length)) : allowed;
  }

  private static Expr both(Expr a, Expr b) {
    return a.equals(bool(true)) ? b : and(a, b);
  }
}
