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
import io.miniinference.ir.Value;
import io.miniinference.layout.Affine;
import io.miniinference.ops.draft.Emitter;
import io.miniinference.ops.draft.Ex;
import io.miniinference.ops.draft.LoweringFault;
import io.miniinference.ops.draft.Sizes;
import io.miniinference.ops.node.OpContext;
import java.util.ArrayList;
import java.util.List;

/// RotaryEmbedding: pairs of a head's elements turned by an angle that grows with the position
/// ([ONNX RotaryEmbedding](https://onnx.ai/onnx/operators/onnx__RotaryEmbedding.html)).
public final class RotaryRule {
  private final Emitter c;
  private final Value x;
  private final boolean interleaved;
  private final long rotated;

  /// Axis of the positions in the four axes that are computed on.
  private final int positions;

  private RotaryRule(Emitter c, Value x, int positions, boolean interleaved, long rotated) {
    this.c = c;
    this.x = x;
    this.positions = positions;
    this.interleaved = interleaved;
    long size = x.type().dim(3).asConstant();
    this.rotated = rotated == 0 ? size : rotated;
    if (this.rotated < 2 || this.rotated > size || this.rotated % 2 != 0) {
      throw LoweringFault.of("turns %d of %d elements of a head".formatted(this.rotated, size));
    }
  }

  static Value lower(OpContext c) {
    Value cosines = c.has(3) ? c.rows(c.in(1), c.in(3)) : c.in(1);
    Value sines = c.has(3) ? c.rows(c.in(2), c.in(3)) : c.in(2);
    if (c.rank(0) == 4) {
      return turned(c, c.in(0), cosines, sines);
    }
    c.requireRank(0, 3, 3);
    return turned(c, c.attrInt("num_heads"), cosines, sines);
  }

  /// Input 0, `[batch, length, heads · size]`, by the node's attributes.
  public static Value turned(OpContext c, long heads, Value cosines, Value sines) {
    List<Affine> shape = c.type(0).shape();
    Affine size =
        Sizes.quotient(shape.get(2), Affine.of(heads))
            .orElseThrow(
                () -> LoweringFault.of("splits %s into %d heads".formatted(c.type(0), heads)));
    Value parted = c.reshape(c.in(0), List.of(shape.get(0), shape.get(1), Affine.of(heads), size));
    boolean interleaved = c.attrBool("interleaved");
    long rotated = c.attrInt("rotary_embedding_dim");
    Value y = new RotaryRule(c, parted, 1, interleaved, rotated).run(cosines, sines);
    return c.reshape(y, shape);
  }

  /// `x`, `[batch, heads, length, size]`, by the node's attributes.
  ///
  /// @param cosines per row and position, as `sines`
  public static Value turned(OpContext c, Value x, Value cosines, Value sines) {
    long rotated = c.attrInt("rotary_embedding_dim");
    return turned(c, x, cosines, sines, c.attrBool("interleaved"), rotated);
  }

  /// `x`, `[batch, heads, length, size]`.
  ///
  /// @param rotated elements of a head that are turned, 0 for all
  public static Value turned(
      Emitter c, Value x, Value cosines, Value sines, boolean interleaved, long rotated) {
    return new RotaryRule(c, x, 2, interleaved, rotated).run(cosines, sines);
  }

  private Value run(Value cosines, Value sines) {
    check(cosines);
    check(sines);
    return c.compute(element(), x.type().shape(), x, cosines, sines);
  }

  private void check(Value table) {
    List<Affine> shape = x.type().shape();
    List<Affine> expected = List.of(shape.get(0), shape.get(positions), Affine.of(rotated / 2));
    if (!table.type().shape().equals(expected)) {
      throw LoweringFault.of("has a table of %s, needs %s".formatted(table.type(), expected));
    }
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
