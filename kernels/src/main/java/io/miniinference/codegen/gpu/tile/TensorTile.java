package io.miniinference.codegen.gpu.tile;

import io.miniinference.codegen.Template;
import java.util.List;

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
public record TensorTile(
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

  private static final Template PLACE =
      Template.of(
          "tensor product, work item",
          """
          const int t = @localId;
          const int lane = t % 32, warp = t / 32 % $warps, slice = t / $sliceItems;
          const int rowOfWarp = warp % $down * $warpRows, columnOfWarp = warp / $down * $warpColumns;
          """);

  public TensorTile {
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
  public static boolean suits(long rowsPerRequest, long columns, long depth) {
    return rowsPerRequest >= FEWEST_ROWS && columns >= FEWEST_COLUMNS && depth >= LEAST_DEPTH;
  }

  /// Tiles from small to large, with what was measured of them on an H200, over the convolutions of
  /// ResNet-50 at batches of 1 to 32. They add products up in one order, whatever the tile.
  public static List<TileChoice.Candidate> candidates(TensorProducts products) {
    return List.of(
        new TileChoice.Candidate(new TensorTile(32, 32, 64, 16, 16, 1, products), 13, 5.4),
        new TileChoice.Candidate(new TensorTile(64, 64, 32, 32, 32, 1, products), 25, 12.4),
        new TileChoice.Candidate(new TensorTile(128, 64, 16, 64, 32, 1, products), 52, 26),
        new TileChoice.Candidate(new TensorTile(128, 128, 16, 64, 32, 1, products), 52, 35));
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
    return place(sliceItems(), sliceItems() / WARP, down(), warpRows, warpColumns);
  }

  /// Text of a work item's place.
  ///
  /// @param sliceItems work items of a slice
  /// @param warps of a slice
  /// @param down warps one below the other
  static String place(int sliceItems, int warps, int down, int warpRows, int warpColumns) {
    return PLACE
        .with("warps", warps)
        .with("sliceItems", sliceItems)
        .with("down", down)
        .with("warpRows", warpRows)
        .with("warpColumns", warpColumns)
        .text();
  }
}
