package io.miniinference.ops.contrib;

import static io.miniinference.ir.Exprs.at;
import static io.miniinference.ir.Exprs.binary;
import static io.miniinference.ir.Exprs.cast;
import static io.miniinference.ir.Exprs.const_;
import static io.miniinference.ir.Exprs.div;
import static io.miniinference.ir.Exprs.index;
import static io.miniinference.ir.Exprs.mod;
import static io.miniinference.ir.Exprs.mul;
import static io.miniinference.ir.Exprs.sub;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.Expr;
import io.miniinference.ir.Expr.BinaryOp;
import io.miniinference.ir.Value;
import io.miniinference.layout.Affine;
import io.miniinference.ops.draft.Ex;
import io.miniinference.ops.draft.LoweringFault;
import io.miniinference.ops.math.MatMulOps;
import io.miniinference.ops.node.OpContext;
import io.miniinference.ops.node.OpTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Weights of few bits, several to a byte, with a scale and perhaps a zero point for each block of
/// neighbours in a row.
///
/// Constant ones become floats when the model is loaded.
final class BlockWeights {
  private final OpContext c;
  private final long bits;
  private final long blockSize;

  private BlockWeights(OpContext c) {
    this.c = c;
    this.bits = c.attrInt("bits");
    this.blockSize = c.attrInt("block_size");
    if (bits != 2 && bits != 4 && bits != 8) {
      throw LoweringFault.of("has attribute 'bits' = %d; supported are 2, 4 and 8".formatted(bits));
    }
    if (blockSize < perByte() || blockSize % perByte() != 0) {
      throw LoweringFault.of(
          "has attribute 'block_size' = %d, needs a multiple of %d"
              .formatted(blockSize, perByte()));
    }
  }

  static void addTo(OpTable table) {
    table
        .row(
            "com.microsoft.MatMulNBits",
            1,
            "3-6",
            "K N bits=4 block_size accuracy_level=0",
            c -> new BlockWeights(c).matMul())
        .row(
            "com.microsoft.GatherBlockQuantized",
            1,
            "3-4",
            "gather_axis=0 quantize_axis=1 block_size=128 bits=4",
            c -> new BlockWeights(c).gather());
  }

  private long perByte() {
    return 8 / bits;
  }

  /// The product of input 0 with the matrix whose rows are packed, turned.
  private Value matMul() {
    if (c.has(4)) {
      throw c.unsupported("an order of groups (input 4)");
    }
    Affine columns = Affine.of(size("K"));
    Affine rows = Affine.of(size("N"));
    Affine blocks = Affine.of(Math.ceilDiv(columns.constant(), blockSize));
    Value packed = matrix(1, rows, blocks.times(blockSize / perByte()));
    Optional<Value> zeros = c.optional(3).map(z -> matrix(3, rows, zeroPoints(3, blocks)));
    Value weights = numbers(packed, matrix(2, rows, blocks), zeros, columns);
    Value product = MatMulOps.matMul(c, c.in(0), weights, false, true);
    return c.has(5) ? c.plus(product, c.in(5)) : product;
  }

  private long size(String attribute) {
    long size = c.attrInt(attribute);
    if (size < 1 || size > Integer.MAX_VALUE) {
      throw LoweringFault.of("has attribute '%s' = %d".formatted(attribute, size));
    }
    return size;
  }

  /// Bytes of the zero points of a row, or numbers where they are floats.
  private Affine zeroPoints(int i, Affine blocks) {
    boolean packed = c.element(i) == ElementType.U8;
    return packed ? Affine.of(Math.ceilDiv(blocks.constant(), perByte())) : blocks;
  }

  /// Input `i`, which some files have without its axes.
  private Value matrix(int i, Affine rows, Affine columns) {
    if (!c.type(i).elements().equals(rows.times(columns))) {
      throw LoweringFault.of(
          "input %d must have %s rows of %s, is %s".formatted(i, rows, columns, c.type(i)));
    }
    return c.reshape(c.in(i), List.of(rows, columns));
  }

  /// Rows of a packed table.
  private Value gather() {
    c.requireRank(0, 2);
    int last = c.rank(0) - 1;
    if (c.attrAxis("gather_axis", c.rank(0)) != 0
        || c.attrAxis("quantize_axis", last + 1) != last) {
      throw c.unsupported("other than rows in blocks along the last axis");
    }
    Affine count = c.type(0).dim(last).times(perByte());
    Value packed = c.rows(c.in(0), c.in(1));
    Value scales = c.rows(c.in(2), c.in(1));
    Optional<Value> zeros = c.optional(3).map(z -> c.rows(z, c.in(1)));
    return numbers(packed, scales, zeros, count);
  }

  /// What rows of packed numbers stand for.
  ///
  /// @param count numbers of a row
  private Value numbers(Value packed, Value scales, Optional<Value> zeroPoints, Affine count) {
    List<Affine> shape = new ArrayList<>(packed.type().shape());
    shape.set(shape.size() - 1, count);
    ElementType real = scales.type().element();
    if (packed.type().element() != ElementType.U8 || !real.isFloat()) {
      throw LoweringFault.of(
          "has weights %s with scales %s, needs bytes and floats"
              .formatted(packed.type(), scales.type()));
    }
    List<Expr> row = Ex.here(shape.size() - 1);
    Expr place = index(shape.size() - 1);
    Expr block = div(place, const_(blockSize));
    Expr zero =
        zeroPoints
            .map(z -> zeroPoint(z.type().element(), real, row, block))
            .orElse(const_(real, (double) (1L << (bits - 1))));
    Expr number = mul(sub(cast(real, packed(0, row, place)), zero), at(1, with(row, block)));
    return zeroPoints.isPresent()
        ? c.compute(number, shape, packed, scales, zeroPoints.get())
        : c.compute(number, shape, packed, scales);
  }

  private Expr zeroPoint(ElementType type, ElementType real, List<Expr> row, Expr block) {
    return type == ElementType.U8
        ? cast(real, packed(2, row, block))
        : Ex.as(type, real, at(2, with(row, block)));
  }

  /// The number at a place of a row, the first ones of a byte in its low bits.
  private Expr packed(int operand, List<Expr> row, Expr place) {
    Expr whole = cast(ElementType.I32, at(operand, with(row, div(place, const_(perByte())))));
    if (bits == 8) {
      return whole;
    }
    Expr shift = cast(ElementType.I32, mul(mod(place, const_(perByte())), const_(bits)));
    Expr shifted = binary(BinaryOp.SHIFT_RIGHT, whole, shift);
    return binary(BinaryOp.BIT_AND, shifted, const_(ElementType.I32, (1L << bits) - 1));
  }

  private static List<Expr> with(List<Expr> row, Expr last) {
    List<Expr> coordinates = new ArrayList<>(row);
    coordinates.add(last);
    return coordinates;
  }
}
