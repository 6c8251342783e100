package io.miniinference.codegen.cpu.winograd;

import java.util.Arrays;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// How a Winograd convolution is cut into work items, with what it costs beside the direct form.
///
/// @param form of its tiles
/// @param tiles of an image that a work item has at most
/// @param together tiles whose sums are in registers at a time; they divide the tiles
/// @param blocks of sixteen output channels whose sums are in registers at a time
/// @param passes over such blocks that a work item makes
/// @param percent of the direct form's time that it is expected to take
public record Tiling(Form form, int tiles, int together, int blocks, int passes, int percent) {
  /// Time of a vector that comes from the first cache, in multiply-adds of vectors.
  private static final double LOAD = 1.75;

  /// Time in multiply-adds of vectors until the next 64 bytes of factors come from a core's own
  /// cache.
  private static final double NEAR_LINE = 1;

  /// As [#NEAR_LINE], from where all cores' caches or memory are.
  private static final double FAR_LINE = 6;

  /// Time between two sums over all input channels, in multiply-adds of vectors.
  private static final double BETWEEN = 40;

  /// Factors that stay in a core's own cache.
  private static final long CACHE_BYTES = 1 << 20;

  /// Sums in registers beside the factors of one input channel.
  private static final int MOST_SUMS = 21;

  /// Sums without which multiply-adds wait for each other.
  private static final int FEWEST_SUMS = 8;

  /// Bytes of a work item's transformed inputs and products, on its stack and in its core's cache.
  private static final long MOST_ITEM_BYTES = 512 << 10;

  /// Tiles in registers that a work item has one after the other.
  private static final int MOST_GROUPS = 16;

  /// Workers that each have as many items, where there are more items than one.
  private static final int WORKERS = 2;

  /// Below which share of the direct form's time this one is taken: it is less exact, and has more
  /// weights.
  private static final int WORTH_PERCENT = 65;

  /// Tiles of an image below which what a work item does once takes too large a part.
  private static final int FEWEST_TILES = 12;

  /// A convolution 3×3 with stride one.
  ///
  /// @param channels of the input
  /// @param outputs channels of the result
  /// @param height of the result in pixels
  /// @param width of the result in pixels
  public record Sizes(long channels, long outputs, long height, long width) {
    /// Tiles of an image.
    public long tiles(Form form) {
      return Math.ceilDiv(height, form.results()) * tilesAcross(form);
    }

    /// Tiles of a row.
    public long tilesAcross(Form form) {
      return Math.ceilDiv(width, form.results());
    }

    private long outputBlocks() {
      return Math.ceilDiv(outputs, 16L);
    }

    private long inputBlocks() {
      return Math.ceilDiv(channels, 16L);
    }

    private long direct() {
      return 9 * channels * outputBlocks() * height * width;
    }
  }

  /// The cut that costs least, whether it is worth it or not; empty if a work item would have to
  /// hold too much.
  public static Optional<Tiling> of(Sizes sizes) {
    return Arrays.stream(Form.values())
        .flatMap(form -> cuts(sizes, form))
        .min(Comparator.comparingDouble(cut -> cut.timeOfWorkers(sizes)))
        .map(cut -> cut.with(sizes));
  }

  private static Stream<Tiling> cuts(Sizes sizes, Form form) {
    return IntStream.rangeClosed(1, 4)
        .boxed()
        .flatMap(blocks ->
            IntStream.rangeClosed(4, MOST_SUMS / blocks)
                .filter(together -> together * blocks >= FEWEST_SUMS)
                .boxed()
                .flatMap(together -> cuts(sizes, form, together, blocks)))
        .filter(cut -> cut.bytes(sizes) <= MOST_ITEM_BYTES);
  }

  private static Stream<Tiling> cuts(Sizes sizes, Form form, int together, int blocks) {
    int groups = (int) Math.min(MOST_GROUPS, Math.ceilDiv(sizes.tiles(form), together));
    int passes = (int) Math.ceilDiv(sizes.outputBlocks(), blocks);
    return IntStream.rangeClosed(1, groups)
        .boxed()
        .flatMap(each ->
            IntStream.rangeClosed(1, passes)
                .filter(own -> passes % own == 0)
                .mapToObj(own -> new Tiling(form, each * together, together, blocks, own, 0)));
  }

  /// Floats between two of the matrices of transformed inputs: no power of two, whose lines would
  /// share a few places of the cache.
  public long inputPitch(Sizes sizes) {
    return tiles * sizes.inputBlocks() * 16 + 16;
  }

  /// Floats between two of the matrices of products.
  public long productPitch() {
    return tiles * blocks * 16L + 16;
  }

  private long bytes(Sizes sizes) {
    return 4 * form.products() * (inputPitch(sizes) + productPitch());
  }

  private long groups(Sizes sizes) {
    return Math.ceilDiv(sizes.tiles(form), tiles);
  }

  private long passesOfAll(Sizes sizes) {
    return Math.ceilDiv(sizes.outputBlocks(), blocks);
  }

  /// Work items that share a group of tiles.
  public long parts(Sizes sizes) {
    return Math.ceilDiv(passesOfAll(sizes), passes);
  }

  private double time(Sizes sizes) {
    long products = form.products();
    long held = passesOfAll(sizes) * blocks;
    double loads = (double) (together + blocks) / (together * blocks);
    double multiplied = products * sizes.channels() * held * Math.max(1, LOAD * loads);
    double between = products * held / blocks * (BETWEEN / together);
    double transforms =
        (double) form.costOfInputs() * sizes.inputBlocks() * parts(sizes)
            + (double) form.costOfResults() * held;
    long whole = Math.ceilDiv(sizes.tiles(form), together) * together;
    return whole * (multiplied + between + transforms) + groups(sizes) * factors(sizes, held);
  }

  private double factors(Sizes sizes, long held) {
    long bytes = form.products() * sizes.channels() * held * 64;
    return bytes / 64.0 * (bytes <= CACHE_BYTES ? NEAR_LINE : FAR_LINE);
  }

  /* Where items do not come out even, workers wait for the last. */
  private double timeOfWorkers(Sizes sizes) {
    long items = groups(sizes) * parts(sizes);
    return time(sizes) * Math.ceilDiv(items, WORKERS) * WORKERS / items;
  }

  private Tiling with(Sizes sizes) {
    int percent = (int) Math.ceil(100 * time(sizes) / sizes.direct());
    return new Tiling(form, tiles, together, blocks, passes, percent);
  }

  /// Whether it is faster than the direct form for images of other sizes than those it was made
  /// for.
  public boolean suits(Sizes sizes) {
    return sizes.tiles(form) >= FEWEST_TILES && with(sizes).isWorthIt();
  }

  /// Whether it is enough faster than the direct form.
  public boolean isWorthIt() {
    return percent < WORTH_PERCENT;
  }
}
