package io.miniinference.codegen.gpu.tile;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// How a work-group shares out a convolution in Winograd's form F(2×2, 3×3): it makes `tiles` tiles
/// of 2 × 2 results with `columns` of their channels, eight input channels at a time; a work item
/// has one of the sixteen products of 8 × 8 of them.
///
/// @param tiles a multiple of 8
/// @param columns a multiple of 8
public record WinogradTile(int tiles, int columns) {
  /// Input channels at a time.
  private static final int DEPTH = 8;

  private static final int PRODUCTS = 16;

  /// Banks of local memory of one float each, on common devices.
  private static final int BANKS = 32;

  /// Columns of a tile: of those that compute the fewest in vain the first.
  private static final List<Integer> WIDTHS = List.of(32, 48, 24, 16);

  /// Sizes for larger batches one after the other: the largest of which there are enough.
  ///
  /// @param tilesPerRequest tiles that one request of a batch has
  /// @param columns output channels
  /// @param batched whether tiles grow with the batch
  public static List<ForBatch<WinogradTile>> of(
      long tilesPerRequest, long columns, boolean batched) {
    List<ForBatch<WinogradTile>> sizes = new ArrayList<>();
    for (long n = 1; n <= (batched ? ForBatch.MOST : 1); n++) {
      WinogradTile tile = of(tilesPerRequest * n, columns);
      if (sizes.isEmpty() || !sizes.getLast().tile().equals(tile)) {
        sizes.add(new ForBatch<>(sizes.isEmpty() ? 0 : n, tile));
      }
    }
    return sizes;
  }

  private static WinogradTile of(long tiles, long columns) {
    return sizes(columns).stream()
        .filter(size -> size.groups(tiles, columns) >= ForBatch.MULTIPROCESSORS)
        .findFirst()
        .orElse(sizes(columns).getLast());
  }

  /// All sizes for so many output channels, from large to small. Their local memory is no more than
  /// the 32 KiB that every device has.
  static List<WinogradTile> sizes(long columns) {
    int width =
        WIDTHS.stream()
            .min(Comparator.comparingLong(it -> Math.ceilDiv(columns, (long) it) * it))
            .orElseThrow();
    WinogradTile small = new WinogradTile(8, width == 24 ? 24 : 16);
    WinogradTile medium = new WinogradTile(16, width);
    return width == 48
        ? List.of(medium, small)
        : List.of(new WinogradTile(32, width), medium, small);
  }

  private long groups(long tiles, long columns) {
    return Math.ceilDiv(tiles, (long) this.tiles) * Math.ceilDiv(columns, (long) this.columns);
  }

  /// Work items of a work-group.
  public int items() {
    return PRODUCTS * sharers();
  }

  /// Work items that share a product.
  public int sharers() {
    return tiles / 8 * (columns / 8);
  }

  /// How often each work item transforms a tile's inputs of a channel.
  public int inputUnits() {
    return Math.ceilDiv(tiles * DEPTH, items());
  }

  /// Whether some work items have one less to transform.
  public boolean isRagged() {
    return inputUnits() * items() > tiles * DEPTH;
  }

  /// The bits of a column's number that may be swapped ([#flipped]): those of a row that is as wide
  /// as all banks.
  public int columnBits() {
    return columns == BANKS ? BANKS - 1 : 0;
  }

  /// As [#columnBits], of a tile's number: tiles of rows of any width.
  public int tileBits() {
    return tiles - 1;
  }

  /// What every other product swaps among `bits`: halves of a row, so that a warp's two products
  /// are read from other banks.
  public static int flipped(int bits) {
    return BANKS / 2 & bits;
  }

  /// How often each work item transforms a filter.
  public int filterUnits() {
    return columns * DEPTH / items();
  }

  /// Floats of transformed inputs.
  public int floatsOfInputs() {
    return DEPTH * PRODUCTS * tiles;
  }

  /// Floats of local memory.
  public int floats() {
    return DEPTH * PRODUCTS * (tiles + columns);
  }
}
