package io.miniinference.ops.nn;

import static io.miniinference.ir.Exprs.add;
import static io.miniinference.ir.Exprs.at;
import static io.miniinference.ir.Exprs.const_;
import static io.miniinference.ir.Exprs.div;
import static io.miniinference.ir.Exprs.eq;
import static io.miniinference.ir.Exprs.index;
import static io.miniinference.ir.Exprs.lt;
import static io.miniinference.ir.Exprs.mod;
import static io.miniinference.ir.Exprs.mul;
import static io.miniinference.ir.Exprs.select;
import static io.miniinference.ir.Exprs.sub;

import io.miniinference.ir.Expr;
import io.miniinference.ir.Op;
import io.miniinference.ir.Selection;
import io.miniinference.ir.Value;
import io.miniinference.layout.Affine;
import io.miniinference.ops.draft.Ex;
import io.miniinference.ops.draft.LoweringFault;
import io.miniinference.ops.draft.Sizes;
import io.miniinference.ops.node.OpContext;
import java.util.ArrayList;
import java.util.List;

/// RotaryEmbedding: pairs of a head's elements turned by an angle that grows with the position
/// ([ONNX RotaryEmbedding](https://onnx.ai/onnx/operators/onnx__RotaryEmbedding.html)).
final class RotaryRule {
  private final OpContext c;
  private final boolean interleaved;
  private final long rotated;

  /// Axis of the positions in the four axes that are computed on.
  private final int positions;

  private RotaryRule(OpContext c) {
    this.c = c;
    this.interleaved = c.attrBool("interleaved");
    this.positions = c.rank(0) == 4 ? 2 : 1;
    long size = input().type().dim(3).asConstant();
    this.rotated =
        c.attrInt("rotary_embedding_dim") == 0 ? size : c.attrInt("rotary_embedding_dim");
    if (rotated < 2 || rotated > size || rotated % 2 != 0) {
      throw LoweringFault.of("turns %d of %d elements of a head".formatted(rotated, size));
    }
  }

  static Value lower(OpContext c) {
    var rule = new RotaryRule(c);
    Value x = rule.input();
    Value y = c.compute(rule.element(), x.type().shape(), x, rule.cached(1), rule.cached(2));
    return c.reshape(y, c.type(0).shape());
  }

  private Value input() {
    if (c.rank(0) == 4) {
      return c.in(0);
    }
    c.requireRank(0, 3, 3);
    List<Affine> shape = c.type(0).shape();
    long heads = c.attrInt("num_heads");
    Affine size =
        Sizes.quotient(shape.get(2), Affine.of(heads))
            .orElseThrow(
                () -> LoweringFault.of("splits %s into %d heads".formatted(c.type(0), heads)));
    return c.reshape(c.in(0), List.of(shape.get(0), shape.get(1), Affine.of(heads), size));
  }

  /// Cosines or sines per row and position.
  private Value cached(int i) {
    Value table =
        c.has(3) ? c.emit(new Op.Gather(new Selection.Slices(0)), c.in(i), c.in(3)) : c.in(i);
    List<Affine> shape = input().type().shape();
    List<Affine> expected = List.of(shape.get(0), shape.get(positions), Affine.of(rotated / 2));
    if (!table.type().shape().equals(expected)) {
      throw LoweringFault.of("has a table of %s, needs %s".formatted(table.type(), expected));
    }
    return table;
  }

  private Expr element() {
    Expr place = index(3);
    Expr half = const_(rotated / 2);
    Expr pair = interleaved ? div(place, const_(2)) : mod(place, half);
    Expr first = interleaved ? mul(pair, const_(2)) : pair;
    Expr second = add(first, interleaved ? const_(1) : half);
    Expr cosine = at(1, index(0), index(positions), pair);
    Expr sine = at(2, index(0), index(positions), pair);
    Expr x1 = x(first);
    Expr x2 = x(second);
    Expr real = sub(mul(cosine, x1), mul(sine, x2));
    Expr imaginary = add(mul(sine, x1), mul(cosine, x2));
    Expr isReal = interleaved ? eq(place, first) : lt(place, half);
    return select(lt(place, const_(rotated)), select(isReal, real, imaginary), x(place));
  }

  private static Expr x(Expr place) {
    List<Expr> coordinates = new ArrayList<>(Ex.here(3));
    coordinates.add(place);
    return at(0, coordinates);
  }
}
