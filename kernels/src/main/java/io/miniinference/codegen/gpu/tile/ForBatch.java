package io.miniinference.codegen.gpu.tile;

/// A tile for batches from `from` on, of tiles for larger batches one after the other.
///
/// @param <T> the kind of tile
public record ForBatch<T>(long from, T tile) {
  /// Batches beyond have the tile of this one.
  public static final long MOST = 256;

  /// Multiprocessors of a large GPU: an H200 has 132.
  public static final long MULTIPROCESSORS = 132;
}
