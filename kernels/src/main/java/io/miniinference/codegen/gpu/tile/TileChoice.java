package io.miniinference.codegen.gpu.tile;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// The choice of tiles for a product by a model of their time: a multiprocessor that has one tile
/// waits for each of its panels, and one that has many is as fast as what they share.
public final class TileChoice {
  private TileChoice() {}

  /// A tile and what it takes.
  ///
  /// @param alone nanoseconds per product of an element where a multiprocessor has no other tile
  /// @param amongMany nanoseconds per product of an element where it has many
  public record Candidate(ProductTile tile, double alone, double amongMany) {
    /* Nanoseconds per product of an element of the busiest multiprocessor. */
    private double time(long rows, long columns) {
      long tiles =
          Math.ceilDiv(rows, (long) tile.rows()) * Math.ceilDiv(columns, (long) tile.columns());
      return Math.max(alone, Math.ceilDiv(tiles, ForBatch.MULTIPROCESSORS) * amongMany);
    }
  }

  /// Tiles for larger batches one after the other. No smaller one follows a larger one, so that
  /// there are few.
  ///
  /// @param candidates from small to large
  /// @param rowsPerRequest rows of the result that one request of a batch has
  /// @param batched whether rows grow with the batch
  public static List<ForBatch<ProductTile>> of(
      List<Candidate> candidates, long rowsPerRequest, long columns, boolean batched) {
    List<ForBatch<ProductTile>> tiles = new ArrayList<>();
    int best = best(candidates, 0, rowsPerRequest, columns);
    tiles.add(new ForBatch<>(0, candidates.get(best).tile()));
    for (long n = 2; batched && n <= ForBatch.MOST; n++) {
      int next = best(candidates, best, rowsPerRequest * n, columns);
      if (next != best) {
        tiles.add(new ForBatch<>(n, candidates.get(next).tile()));
        best = next;
      }
    }
    return tiles;
  }

  private static int best(List<Candidate> candidates, int least, long rows, long columns) {
    Candidate best =
        candidates.subList(least, candidates.size()).stream()
            .min(Comparator.comparingDouble(candidate -> candidate.time(rows, columns)))
            .orElseThrow();
    return candidates.indexOf(best);
  }
}
