package io.miniinference.codegen.gpu.tile;

import java.util.List;

/// How a work-group shares out a product: it makes `rows` × `columns` elements, `depth` products at
/// a time from panels in local memory; a work item makes `rowsPerItem` × 4 of them.
///
/// @param rows a multiple of `rowsPerItem`
/// @param columns a multiple of 4
/// @param depth a multiple of 4
/// @param rowsPerItem a multiple of 4
/// @param slices parts of each panel's depth that different work items multiply; they add their
///   sums up in the end. A divisor of `depth`; 1, or `rowsPerItem`, so that each finishes one row
public record Tile(int rows, int columns, int depth, int rowsPerItem, int slices)
    implements ProductTile {
  /// Widths of tiles, narrow ones for convolutions with few channels.
  private static final int[] WIDTHS = {4, 8, 12, 16, 24, 32, 48, 64};

  private static final int WIDEST = 64;
  private static final int DEPTH = 16;

  /// Most products per element that are one panel.
  private static final int SHALLOW = 32;

  /// Below so many rows per request of a batch, small tiles keep more of a device busy.
  public static final long FEW_ROWS = 128;

  /// A small tile's work items would be too few to hide how long local memory takes: four times as
  /// many share the depth. The panels are as deep as two buffers of 32 × 32 allow in 32 KiB, the
  /// least local memory that a device has.
  private static final int FEW_SLICES = 4;

  private static final int FEW_DEPTH = 56;

  /// So deep that the sums of all slices but one have room in the left panel.
  private static final int LEAST_FEW_DEPTH = 44;

  /* Nanoseconds per product of an element ([TileChoice.Candidate]), of one of 64 x 64 and of a small
  one, on an H200. */
  private static final double ALONE = 44;
  private static final double AMONG_MANY = 30;
  private static final double SMALL_ALONE = 20;
  private static final double SMALL_AMONG_MANY = 11;

  /// The width of tiles that are made taller for large batches: work items of eight rows and four
  /// columns wait for local memory, those of sixteen read less for each product. Of 64 columns,
  /// tiles are not faster so.
  private static final int TALLER_COLUMNS = 48;

  private static final int TALL_ROWS_OF_ITEM = 12;
  private static final int TALLEST_ROWS_OF_ITEM = 16;

  /* As above; of few such tiles a multiprocessor has too few work items to go on with meanwhile. */
  private static final double TALL_ALONE = 88;
  private static final double TALL_AMONG_MANY = 33.2;
  private static final double TALLEST_ALONE = 140;
  private static final double TALLEST_AMONG_MANY = 42.7;

  public Tile {
    if (depth % slices != 0
        || (slices != 1 && slices != rowsPerItem)
        || (slices - 1) * rows * columns > 2 * depth * (rows + 4)) {
      throw new IllegalArgumentException(
          "%d slices of a panel of %d x %d for a tile of %d x %d"
              .formatted(slices, rows, depth, rows, columns));
    }
  }

  /// A tile for a product.
  ///
  /// @param rowsPerRequest rows of the result that one request of a batch has
  /// @param columns columns of the result
  /// @param depth products per element
  public static Tile of(long rowsPerRequest, long columns, long depth) {
    boolean few = rowsPerRequest < FEW_ROWS;
    int wide = width(columns, few ? 32 : WIDEST);
    int across = wide / 4;
    int rowsPerItem = few || across <= 3 ? 4 : 8;
    int down = few ? 8 : across <= 3 ? 32 : across <= 7 ? 16 : 8;
    boolean shallow = depth <= SHALLOW;
    return new Tile(
        down * rowsPerItem,
        wide,
        few ? fewDepth(depth) : depth(depth, DEPTH),
        rowsPerItem,
        few && !shallow ? FEW_SLICES : 1);
  }

  /// Tiles for a product, from small to large. All add its products up in one order.
  ///
  /// @param rowsPerRequest rows of the result that one request of a batch has
  /// @param columns columns of the result
  /// @param depth products per element
  public static List<TileChoice.Candidate> candidates(
      long rowsPerRequest, long columns, long depth) {
    Tile usual = of(rowsPerRequest, columns, depth);
    double share = (double) usual.rows * usual.columns / (WIDEST * WIDEST);
    var large = new TileChoice.Candidate(usual, ALONE, share * AMONG_MANY);
    if (usual.slices > 1 || depth <= SHALLOW || usual.rows <= 32) {
      return List.of(large);
    }
    var small =
        new TileChoice.Candidate(
            new Tile(32, width(columns, 32), 32, 4, 1), SMALL_ALONE, SMALL_AMONG_MANY);
    return usual.columns == TALLER_COLUMNS
        ? List.of(
            small,
            large,
            new TileChoice.Candidate(usual.taller(TALL_ROWS_OF_ITEM), TALL_ALONE, TALL_AMONG_MANY),
            new TileChoice.Candidate(
                usual.taller(TALLEST_ROWS_OF_ITEM), TALLEST_ALONE, TALLEST_AMONG_MANY))
        : List.of(small, large);
  }

  /* With as many work items. */
  private Tile taller(int rowsOfItem) {
    return new Tile(down() * rowsOfItem, columns, depth, rowsOfItem, slices);
  }

  /* The narrowest that holds all columns, or of wide ones that which computes fewest in vain. */
  private static int width(long columns, int widest) {
    int best = widest;
    for (int width : WIDTHS) {
      if (width > widest) {
        break;
      }
      if (width >= columns) {
        return width;
      }
      boolean wide = width >= 32;
      long wasted = Math.ceilDiv(columns, (long) width) * width;
      if (wide && wasted < Math.ceilDiv(columns, (long) best) * best) {
        best = width;
      }
    }
    return best;
  }

  /* Panels of one size, so that the last one has little to multiply in vain. */
  private static int fewDepth(long depth) {
    long even = Math.ceilDiv(depth, Math.ceilDiv(depth, (long) FEW_DEPTH));
    return depth(depth, (int) Math.max(LEAST_FEW_DEPTH, Math.ceilDiv(even, 4L) * 4));
  }

  private static int depth(long depth, int usual) {
    return depth <= SHALLOW ? (int) Math.max(4, Math.ceilDiv(depth, 4L) * 4) : usual;
  }

  /// Work items side by side.
  int across() {
    return columns / 4;
  }

  /// Work items one below the other.
  int down() {
    return rows / rowsPerItem;
  }

  /// Work items of one slice.
  int sliceItems() {
    return across() * down();
  }

  @Override
  public int items() {
    return sliceItems() * slices;
  }

  @Override
  public Panel.Form form() {
    return Panel.Form.F32;
  }

  @Override
  public String place() {
    return TiledProduct.item(this);
  }

  @Override
  public String about() {
    return "tiles through local memory";
  }

  /// Floats from one depth to the next in the left panel: four more than its rows, so that
  /// neighbours in depth lie in different banks.
  int pitch() {
    return rows + 4;
  }
}
