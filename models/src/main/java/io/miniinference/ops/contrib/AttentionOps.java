package io.miniinference.ops.contrib;

import static io.miniinference.ir.Exprs.add;
import static io.miniinference.ir.Exprs.at;
import static io.miniinference.ir.Exprs.const_;
import static io.miniinference.ir.Exprs.index;

import io.miniinference.ir.Expr;
import io.miniinference.ir.Value;
import io.miniinference.layout.Affine;
import io.miniinference.ops.draft.LoweringFault;
import io.miniinference.ops.nn.Heads;
import io.miniinference.ops.nn.RotaryRule;
import io.miniinference.ops.node.OpContext;
import io.miniinference.ops.node.OpTable;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// Attention as the optimiser writes it, with the products or biases before it, and the turning of
/// queries and keys.
final class AttentionOps {
  private static final String MASKED =
      "num_heads mask_filter_value=-10000 scale=0 unidirectional=0";

  private AttentionOps() {}

  static void addTo(OpTable table) {
    table
        .rows(
            "com.microsoft.Attention",
            1,
            "2-7",
            MASKED
                + " qkv_hidden_sizes do_rotary=0 rotary_embedding_dim=0"
                + " past_present_share_buffer=0",
            AttentionOps::attention)
        .rows("com.microsoft.MultiHeadAttention", 1, "1-10", MASKED, AttentionOps::multiHead)
        .row(
            "com.microsoft.RotaryEmbedding",
            1,
            "4",
            "interleaved=0 num_heads=0 rotary_embedding_dim=0 scale=1 is_packed_batching=0",
            AttentionOps::rotary);
  }

  private static void refuse(OpContext c, String attribute) {
    if (c.attrBool(attribute)) {
      throw c.unsupported("attribute '%s' = %d".formatted(attribute, c.attrInt(attribute)));
    }
  }

  private static void refuse(OpContext c, int input, String what) {
    if (c.has(input)) {
      throw c.unsupported("%s (input %d)".formatted(what, input));
    }
  }

  /// Queries, keys and values are parts of one product of input 0.
  private static List<Value> attention(OpContext c) {
    refuse(c, "do_rotary");
    refuse(c, "past_present_share_buffer");
    refuse(c, 6, "a length of what is remembered");
    c.requireRank(0, 3, 3);
    c.requireRank(1, 2, 2);
    Value product = c.matMul(c.in(0), c.in(1), false, false);
    if (c.has(2)) {
      product = c.plus(product, c.in(2));
    }
    List<Affine> sizes = sizes(c);
    Value queries = part(c, product, sizes, 0);
    Value keys = remembered(c, 0, part(c, product, sizes, 1));
    Value values = remembered(c, 1, part(c, product, sizes, 2));
    Value y = new MaskedAttention(c, queries, keys, values).run(3, 5);
    if (c.outputs() < 2) {
      return List.of(y);
    }
    return List.of(y, c.concat(0, List.of(c.unsqueeze(keys, 0, 1), c.unsqueeze(values, 0, 1))));
  }

  private static List<Affine> sizes(OpContext c) {
    Affine columns = c.type(1).dim(1);
    long[] given = c.attrInts("qkv_hidden_sizes");
    if (given.length == 0 && columns.isMultipleOf(3)) {
      Affine third = columns.dividedBy(3);
      return List.of(third, third, third);
    }
    List<Affine> sizes = Arrays.stream(given).mapToObj(Affine::of).toList();
    boolean whole = sizes.stream().reduce(Affine.ZERO, Affine::plus).equals(columns);
    if (sizes.size() != 3 || !whole || Arrays.stream(given).anyMatch(size -> size < 0)) {
      throw LoweringFault.of(
          "has attribute 'qkv_hidden_sizes' = %s for weights %s, needs three whose sum is its last axis"
              .formatted(Arrays.toString(given), c.type(1)));
    }
    return sizes;
  }

  private static Value part(OpContext c, Value product, List<Affine> sizes, int i) {
    Affine start = sizes.subList(0, i).stream().reduce(Affine.ZERO, Affine::plus);
    return Heads.split(c, c.slice(product, 2, start, sizes.get(i)), c.attrInt("num_heads"));
  }

  /// Keys (0) or values (1) of earlier calls, then `x`.
  private static Value remembered(OpContext c, int which, Value x) {
    if (!c.has(4)) {
      return x;
    }
    c.requireRank(4, 5, 5);
    Value past = c.slice(c.in(4), 0, Affine.of(which), Affine.ONE);
    return c.concat(2, List.of(c.reshape(past, past.type().shape().subList(1, 5)), x));
  }

  private static List<Value> multiHead(OpContext c) {
    refuse(c, 8, "a length of what is remembered");
    refuse(c, 9, "the indirection of a beam search");
    if (!c.has(1) || !c.has(2) || c.rank(0) != 3) {
      throw c.unsupported("queries, keys and values in one tensor");
    }
    Value queries = heads(c, 0, Affine.ZERO);
    Value keys = after(c, 6, heads(c, 1, c.type(0).dim(2)));
    Value values = after(c, 7, heads(c, 2, c.type(0).dim(2).plus(c.type(1).dim(c.rank(1) - 1))));
    return List.of(new MaskedAttention(c, queries, keys, values).run(4, 5), keys, values);
  }

  /// Input `i` by heads, plus its part of the bias.
  private static Value heads(OpContext c, int i, Affine start) {
    if (i > 0 && c.rank(i) == 4) {
      return c.in(i);
    }
    c.requireRank(i, 3, 3);
    Value x = c.in(i);
    if (c.has(3)) {
      c.requireRank(3, 1, 1);
      Value bias = c.slice(c.in(3), 0, start, x.type().dim(2));
      x = c.plus(x, bias);
    }
    return Heads.split(c, x, c.attrInt("num_heads"));
  }

  private static Value after(OpContext c, int past, Value x) {
    if (!c.has(past)) {
      return x;
    }
    c.requireRank(past, 4, 4);
    return c.concat(2, List.of(c.in(past), x));
  }

  /// Positions are a number for each, or the first one.
  private static Value rotary(OpContext c) {
    refuse(c, "is_packed_batching");
    c.requireRank(0, 3, 4);
    c.requireRank(2, 2, 2);
    boolean byHeads = c.rank(0) == 4;
    Value positions = positions(c, c.type(0).dim(byHeads ? 2 : 1));
    Value cosines = c.rows(c.in(2), positions);
    Value sines = c.rows(c.in(3), positions);
    return byHeads
        ? RotaryRule.turned(c, c.in(0), cosines, sines)
        : RotaryRule.turned(c, headCount(c), cosines, sines);
  }

  private static Value positions(OpContext c, Affine length) {
    Affine batch = c.type(0).dim(0);
    if (c.rank(1) == 2 || !c.type(1).elements().equals(Affine.ONE)) {
      return c.in(1);
    }
    Expr position = add(at(0, const_(0)), index(1));
    Value first = c.reshape(c.in(1), 1);
    return c.compute(position, List.of(batch, length), first);
  }

  /// By the attribute, or by the tables, which then are for whole heads.
  private static long headCount(OpContext c) {
    long given = c.attrInt("num_heads");
    if (given != 0) {
      return given;
    }
    long size = 2 * c.type(2).dim(1).asConstant();
    long all = c.type(0).dim(2).asConstant();
    return Optional.of(size)
        .filter(s -> s > 0 && all % s == 0)
        .map(s -> all / s)
        .orElseThrow(
            () -> LoweringFault.of("splits %s into heads of %d".formatted(c.type(0), size)));
  }
}
