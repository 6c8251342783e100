package io.miniinference.codegen.gpu.tile;

import io.miniinference.codegen.CType;
import java.util.List;

/// How a work-group shares out a product of 16-bit floats among its warps of 32 work items. A warp
/// makes `warpRows` × `warpColumns` elements of the tile in fragments of 16 × 8, the size of
/// `mma.sync.m16n8k16`.
///
/// @param rows a multiple of `warpRows`
/// @param columns a multiple of `warpColumns`
/// @param depth a multiple of 16
/// @param warpRows a multiple of 16
/// @param warpColumns a multiple of 16, since fragments of the right operand are read in pairs
/// @param stages panels in local memory: one is multiplied while the others are on their way
/// @param numbers [CType#F16] or [CType#BF16]
/// @param products how a fragment is multiplied, [TensorProducts#PTX] or [TensorProducts#PORTABLE]
public record HalfTile(
    int rows,
    int columns,
    int depth,
    int warpRows,
    int warpColumns,
    int stages,
    CType numbers,
    TensorProducts products)
    implements ProductTile {
  static final int FRAGMENT_DEPTH = 16;

  /// Local memory that every device with tensor cores gives a work-group, but for a table of taps.
  private static final int LOCAL_BYTES = 46 << 10;

  public HalfTile {
    boolean whole =
        rows % warpRows == 0
            && columns % warpColumns == 0
            && warpRows % TensorTile.FRAGMENT_ROWS == 0
            && warpColumns % (2 * TensorTile.FRAGMENT_COLUMNS) == 0
            && depth % FRAGMENT_DEPTH == 0;
    int bytes = stages * (rows + columns) * pitch(depth) * Short.BYTES;
    if (!whole || stages < 2 || bytes > LOCAL_BYTES) {
      throw new IllegalArgumentException(
          "%d stages of %d x %d x %d by warps of %d x %d, %d bytes of local memory"
              .formatted(stages, rows, columns, depth, warpRows, warpColumns, bytes));
    }
  }

  /// Tiles from small to large, with what was measured of them on an H200, over the convolutions of
  /// ResNet-50 at batches of 1 to 32. They add products up in one order, whatever the tile.
  public static List<TileChoice.Candidate> candidates(CType numbers, TensorProducts products) {
    return List.of(
        new TileChoice.Candidate(new HalfTile(32, 32, 64, 16, 16, 4, numbers, products), 4.8, 4.6),
        new TileChoice.Candidate(new HalfTile(64, 64, 32, 32, 32, 4, numbers, products), 9.5, 9),
        new TileChoice.Candidate(new HalfTile(128, 64, 32, 64, 32, 3, numbers, products), 14.5, 12),
        new TileChoice.Candidate(new HalfTile(128, 128, 32, 64, 32, 2, numbers, products), 28, 20));
  }

  /// Elements from one line of a panel to the next: sixteen bytes more than its depth, so that the
  /// eight lines of 16 bytes which one read of a fragment takes are in banks of their own.
  int pitch() {
    return pitch(depth);
  }

  private static int pitch(int depth) {
    return depth + 8;
  }

  /// Panels that are on their way while one is multiplied.
  int ahead() {
    return stages - 1;
  }

  @Override
  public int items() {
    return TensorTile.WARP * (rows / warpRows) * (columns / warpColumns);
  }

  @Override
  public Panel.Form form() {
    return Panel.Form.HALF;
  }

  @Override
  public String about() {
    return "tiles on tensor cores, operands in 16 bits";
  }

  @Override
  public String place() {
    return TensorTile.place(
        items(), items() / TensorTile.WARP, rows / warpRows, warpRows, warpColumns);
  }
}
