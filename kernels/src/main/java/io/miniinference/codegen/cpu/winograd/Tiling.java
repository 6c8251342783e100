package io.miniinference.codegen.cpu.winograd;

import java.util.Comparator;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// How a Winograd convolution is cut into work items, with what it costs beside the direct form.
///
/// @param tiles of 4×4 results that a work item has
/// @param blocks of sixteen output channels that it sums up at a time
/// @param percent of the direct form's time that it is expected to take
public record Tiling(int tiles, int blocks, int percent) {
  /// Time of both transforms of a tile, for sixteen channels, in multiply-adds of vectors: measured
  /// with PoCL on cores with 512-bit vectors.
  private static final long TRANSFORM = 480;

  /// Time of a vector that comes from the first cache, in multiply-adds of vectors.
  private static final double LOAD = 1.5;

  /// Time in multiply-adds of vectors until the next 64 bytes of factors come from a core's own
  /// cache.
  private static final long NEAR_LINE = 1;

  /// As [#NEAR_LINE], from where all cores' caches or memory are.
  private static final long FAR_LINE = 8;

  /// Factors that stay in a core's own cache.
  private static final long CACHE_BYTES = 1 << 20;

  /// Sums in registers beside the factors of one input channel.
  private static final int MOST_SUMS = 21;

  /// Sums without which multiply-adds wait for each other.
  private static final int FEWEST_SUMS = 8;

  /// Bytes of a work item's transformed inputs, on its stack and in its core's cache.
  private static final long MOST_INPUT_BYTES = 256 << 10;

  /// Bytes of factors, all of which a work item reads: more of them come too slowly from where a
  /// core's own cache ends.
  private static final long MOST_FACTOR_BYTES = 2560 << 10;

  /// Below which share of the direct form's time this one is taken: it is less exact, and has four
  /// times the weights.
  private static final int WORTH_PERCENT = 65;

  /// A convolution 3×3 with stride one.
  ///
  /// @param channels of the input
  /// @param outputs channels of the result
  /// @param height of the result in pixels
  /// @param width of the result in pixels
  public record Sizes(long channels, long outputs, long height, long width) {
    /// Tiles of an image.
    public long tiles() {
      return tilesDown() * tilesAcross();
    }

    /// Tiles from the first row to the last.
    public long tilesDown() {
      return Math.ceilDiv(height, Transforms.RESULTS);
    }

    /// Tiles of a row.
    public long tilesAcross() {
      return Math.ceilDiv(width, Transforms.RESULTS);
    }

    private long outputBlocks() {
      return Math.ceilDiv(outputs, 16L);
    }

    private long inputBlocks() {
      return Math.ceilDiv(channels, 16L);
    }

    private long factorBytes() {
      return Transforms.PRODUCTS * channels * outputBlocks() * 16 * 4;
    }

    private long direct() {
      return 9 * channels * outputBlocks() * height * width;
    }
  }

  /// The cut that costs least, whether it is worth it or not; empty if a work item or a core's
  /// cache would have to hold too much.
  public static Optional<Tiling> of(Sizes sizes) {
    return sizes.factorBytes() > MOST_FACTOR_BYTES
        ? Optional.empty()
        : IntStream.rangeClosed(1, 4)
            .boxed()
            .flatMap(blocks -> cuts(sizes, blocks))
            .min(Comparator.comparingInt(Tiling::percent).thenComparingInt(Tiling::tiles));
  }

  private static Stream<Tiling> cuts(Sizes sizes, int blocks) {
    return IntStream.rangeClosed(4, MOST_SUMS / blocks)
        .filter(tiles -> tiles * blocks >= FEWEST_SUMS)
        .filter(tiles -> inputBytes(sizes, tiles) <= MOST_INPUT_BYTES)
        .mapToObj(tiles -> new Tiling(tiles, blocks, share(sizes, tiles, blocks)));
  }

  private static long inputBytes(Sizes sizes, long tiles) {
    return Transforms.PRODUCTS * tiles * sizes.inputBlocks() * 16 * 4;
  }

  private static int share(Sizes sizes, long tiles, long blocks) {
    long items = Math.ceilDiv(sizes.tiles(), tiles);
    long held = Math.ceilDiv(sizes.outputBlocks(), blocks) * blocks;
    double loads = (double) (tiles + blocks) / (tiles * blocks);
    double products = Transforms.PRODUCTS * sizes.channels() * held * Math.max(1, LOAD * loads);
    double transforms = (double) TRANSFORM * (sizes.inputBlocks() + held);
    double time = items * (tiles * (products + transforms) + factors(sizes.factorBytes()));
    return (int) Math.ceil(100 * time / sizes.direct());
  }

  private static long factors(long bytes) {
    return bytes / 64 * (bytes <= CACHE_BYTES ? NEAR_LINE : FAR_LINE);
  }

  /// Whether it is enough faster than the direct form.
  public boolean isWorthIt() {
    return percent < WORTH_PERCENT;
  }
}
