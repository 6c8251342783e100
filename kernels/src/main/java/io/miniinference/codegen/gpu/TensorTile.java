package io.miniinference.codegen.gpu;

import io.miniinference.codegen.Template;

/// How a work-group shares out a product of TF32 numbers among its warps of 32 work items. A warp
/// makes `warpRows` × `warpColumns` elements of the tile in fragments of 16 × 8, the size of
/// `mma.sync.m16n8k8`.
///
/// @param rows a multiple of `warpRows`
/// @param columns a multiple of `warpColumns`
/// @param depth a multiple of `8 · slices`
/// @param warpRows a multiple of 16
/// @param warpColumns a multiple of 16, since fragments of the right operand are read in pairs
/// @param slices parts of each panel's depth that different warps multiply; they add their sums up
///   in the end
/// @param products how a fragment is multiplied
record TensorTile(
    int rows,
    int columns,
    int depth,
    int warpRows,
    int warpColumns,
    int slices,
    TensorProducts products)
    implements ProductTile {
  static final int WARP = 32;
  static final int FRAGMENT_ROWS = 16;
  static final int FRAGMENT_COLUMNS = 8;
  static final int FRAGMENT_DEPTH = 8;

  /// Local memory that every device with tensor cores gives a work-group.
  private static final int LOCAL_BYTES = 48 << 10;

  /// Products that are not worth the fragments that they would leave half empty.
  private static final int FEWEST_ROWS = 16;

  private static final int FEWEST_COLUMNS = 16;
  private static final int LEAST_DEPTH = 32;

  /// Below so many rows per request of a batch the depth is shared out too.
  private static final long FEW_ROWS = 512;

  private static final Template PLACE =
      Template.of(
          "tensor product, work item",
          """
          const int t = @localId;
          const int lane = t % 32, warp = t / 32 % $warps, slice = t / $sliceItems;
          const int rowOfWarp = warp % $down * $warpRows, columnOfWarp = warp / $down * $warpColumns;
          """);

  TensorTile {
    boolean whole =
        rows % warpRows == 0
            && columns % warpColumns == 0
            && warpRows % FRAGMENT_ROWS == 0
            && warpColumns % (2 * FRAGMENT_COLUMNS) == 0
            && depth % (FRAGMENT_DEPTH * slices) == 0;
    int bytes = 2 * (rows + columns) * (depth + 4) * Float.BYTES;
    boolean fits = bytes <= LOCAL_BYTES && (slices - 1) * columns <= 2 * (depth + 4);
    if (!whole || !fits) {
      throw new IllegalArgumentException(
          "%d x %d x %d by warps of %d x %d in %d slices, %d bytes of local memory"
              .formatted(rows, columns, depth, warpRows, warpColumns, slices, bytes));
    }
  }

  /// Whether a product fills enough of its fragments.
  ///
  /// @param rowsPerRequest rows of the result that one request of a batch has
  static boolean suits(long rowsPerRequest, long columns, long depth) {
    return rowsPerRequest >= FEWEST_ROWS && columns >= FEWEST_COLUMNS && depth >= LEAST_DEPTH;
  }

  /// A tile for a product that [#suits].
  static TensorTile of(long rowsPerRequest, long columns, long depth, TensorProducts products) {
    if (rowsPerRequest < FEW_ROWS) {
      return columns <= 32 || depth >= 512
          ? new TensorTile(32, 32, 64, 32, 32, 4, products)
          : new TensorTile(64, 64, 32, 32, 32, 1, products);
    }
    if (columns <= 32) {
      return new TensorTile(128, 32, 16, 32, 32, 1, products);
    }
    return columns % 128 == 0 && rowsPerRequest >= 4 * FEW_ROWS
        ? new TensorTile(128, 128, 16, 64, 32, 1, products)
        : new TensorTile(128, 64, 16, 32, 32, 1, products);
  }

  /// Warps one below the other.
  int down() {
    return rows / warpRows;
  }

  /// Work items of one slice.
  int sliceItems() {
    return WARP * down() * (columns / warpColumns);
  }

  @Override
  public int items() {
    return sliceItems() * slices;
  }

  @Override
  public Panel.Form form() {
    return Panel.Form.TF32;
  }

  @Override
  public String about() {
    return "tiles on tensor cores, operands rounded to TF32";
  }

  @Override
  public String place() {
    return PLACE
        .with("warps", sliceItems() / WARP)
        .with("sliceItems", sliceItems())
        .with("down", down())
        .with("warpRows", warpRows)
        .with("warpColumns", warpColumns)
        .text();
  }
}
