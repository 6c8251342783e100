package io.miniinference.codegen.cpu.lanes;

import io.miniinference.ir.Node;
import io.miniinference.ir.Op;
import io.miniinference.ir.TensorType;
import io.miniinference.layout.Affine;
import java.util.List;
import java.util.stream.IntStream;

/// Sizes of attention, and how it is cut by them.
///
/// @param rows of a matrix of the result
/// @param depth size of a query and a key
/// @param size of a value
record AttentionSizes(Affine rows, Affine keys, Affine depth, Affine size) {
  private static final int LANES = VectorText.LANES;

  /// Vectors of scores of a row in a block of keys, at most.
  private static final int MOST_VECTORS = 4;

  /// Vectors of scores, or of sums, in registers.
  private static final int REGISTERS = 16;

  /// Most rows for which a work item puts keys together.
  private static final int MOST_ROWS = 128;

  /// Of a number of rows that is open.
  private static final int ROWS = 64;

  /// Largest size of a key or a value.
  private static final long MOST_SIZE = 256;

  static AttentionSizes of(Node node, Op.Attention op) {
    TensorType queries = node.inputs().get(0).type();
    TensorType keys = node.inputs().get(1).type();
    List<Affine> out = node.output().type().shape();
    return new AttentionSizes(
        out.get(out.size() - 2),
        keys.dim(keys.rank() - (op.rowsOfKeys() ? 2 : 1)),
        queries.dim(queries.rank() - 1),
        out.getLast());
  }

  boolean fit() {
    return isFixed(depth)
        && isFixed(size)
        && size.isMultipleOf(LANES)
        && rows.isConstant()
        && rows.constant() > 0
        && keys.isConstant()
        && keys.constant() > 0;
  }

  private static boolean isFixed(Affine size) {
    return size.isConstant()
        && !size.isOpen()
        && size.constant() > 0
        && size.constant() <= MOST_SIZE;
  }

  /// Vectors of scores in a block of keys.
  int vectors() {
    return keys.isOpen()
        ? MOST_VECTORS
        : (int) Math.min(MOST_VECTORS, Math.ceilDiv(keys.constant(), LANES));
  }

  /// Keys of a block.
  int block() {
    return vectors() * LANES;
  }

  /// Rows in registers at a time.
  int tile() {
    return (int) Math.min(rows.typical(), Math.min(REGISTERS / vectors(), 8));
  }

  /// Vectors of sums in registers for each of these rows.
  int columns() {
    int whole = (int) (size.constant() / LANES);
    int most = REGISTERS / tile();
    return IntStream.iterate(most, n -> n - 1).filter(n -> whole % n == 0).findFirst().orElse(1);
  }

  /// Rows of a work item: whole tiles.
  int chunk() {
    if (rows.isOpen()) {
      return ROWS;
    }
    long even = Math.ceilDiv(rows.constant(), Math.ceilDiv(rows.constant(), MOST_ROWS));
    return (int) Math.ceilDiv(even, tile()) * tile();
  }

  long chunks() {
    return Math.ceilDiv(rows.constant(), chunk());
  }
}
