package io.miniinference.codegen.gpu.tile;

import io.miniinference.codegen.Template;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
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

  /// Of a large GPU; an H200 has 132.
  private static final long MULTIPROCESSORS = 132;

  /// Batches beyond have the tile of this one.
  private static final long MOST_BATCHES = 256;

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

  /// A tile for batches from `from` on.
  public record ForBatch(long from, TensorTile tile) {}

  /// Tiles for a product that [#suits], for larger batches one after the other; each is the one
  /// with the least time by a model of it ([Size#time]). They add products up in one order,
  /// whatever the tile.
  ///
  /// @param rowsPerRequest rows of the result that one request of a batch has
  /// @param batched whether rows grow with the batch
  public static List<ForBatch> of(
      long rowsPerRequest, long columns, boolean batched, TensorProducts products) {
    List<ForBatch> tiles = new ArrayList<>();
    Size best = Size.best(rowsPerRequest, columns, Size.SMALL);
    tiles.add(new ForBatch(0, best.tile(products)));
    for (long n = 2; batched && n <= MOST_BATCHES; n++) {
      Size size = Size.best(rowsPerRequest * n, columns, best);
      if (size != best) {
        tiles.add(new ForBatch(n, size.tile(products)));
        best = size;
      }
    }
    return tiles;
  }

  /// Tiles from small to large, with what was measured of them on an H200, over the convolutions of
  /// ResNet-50 at batches of 1 to 32.
  private enum Size {
    SMALL(32, 32, 64, 16, 16, 13, 5.4),
    MIDDLE(64, 64, 32, 32, 32, 25, 12.4),
    TALL(128, 64, 16, 64, 32, 52, 26),
    LARGE(128, 128, 16, 64, 32, 52, 35);

    private final int rows;
    private final int columns;
    private final int depth;
    private final int warpRows;
    private final int warpColumns;

    /// Nanoseconds per product of an element where a multiprocessor has one tile: until the next
    /// panel is there.
    private final double alone;

    /// Nanoseconds per product of an element where it has many, which wait beside each other.
    private final double amongMany;

    Size(
        int rows,
        int columns,
        int depth,
        int warpRows,
        int warpColumns,
        double alone,
        double amongMany) {
      this.rows = rows;
      this.columns = columns;
      this.depth = depth;
      this.warpRows = warpRows;
      this.warpColumns = warpColumns;
      this.alone = alone;
      this.amongMany = amongMany;
    }

    TensorTile tile(TensorProducts products) {
      return new TensorTile(rows, columns, depth, warpRows, warpColumns, 1, products);
    }

    /* No smaller one follows a larger one, so that there are few variants. */
    static Size best(long allRows, long allColumns, Size least) {
      return Arrays.stream(values())
          .filter(size -> size.compareTo(least) >= 0)
          .min(Comparator.comparingDouble(size -> size.time(allRows, allColumns)))
          .orElse(least);
    }

    /* Nanoseconds per product of an element of the busiest multiprocessor. */
    private double time(long allRows, long allColumns) {
      long tiles = Math.ceilDiv(allRows, (long) rows) * Math.ceilDiv(allColumns, (long) columns);
      return Math.max(alone, Math.ceilDiv(tiles, MULTIPROCESSORS) * amongMany);
    }
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
