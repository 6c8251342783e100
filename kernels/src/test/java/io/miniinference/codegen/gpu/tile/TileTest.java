package io.miniinference.codegen.gpu.tile;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Tiles of 32-bit floats.
final class TileTest {
  private static List<ForBatch<ProductTile>> tiles(long rows, long columns, long depth) {
    return TileChoice.of(Tile.candidates(rows, columns, depth), rows, columns, true);
  }

  @ParameterizedTest(name = "{0} rows x {1} columns x {2}: {3} for one request, {4} for {5}")
  @CsvSource({
    "197, 192, 768, 32x32, 64x64, 32",
    "197, 576, 192, 32x32, 64x64, 8",
    "130, 576, 40, 32x32, 64x64, 9",
    "196, 256, 2304, 32x32, 64x64, 32",
    "3136, 256, 576, 64x64, 64x64, 32",
    "196, 24, 288, 32x24, 128x24, 128",
    "784, 48, 432, 32x32, 128x48, 128",
    "7100, 48, 40, 32x32, 128x48, 9"
  })
  void smallTilesGoBeforeLargeOnes(
      long rows, long columns, long depth, String first, String last, long batch) {
    List<ForBatch<ProductTile>> tiles = tiles(rows, columns, depth);
    assertThat(text(tiles.getFirst())).isEqualTo(first);
    assertThat(text(tiles.getLast())).isEqualTo(last);
    assertThat(tiles.getLast().from()).isLessThanOrEqualTo(batch);
  }

  /// A tall tile waits for its own panels where a multiprocessor has few of them.
  @Test
  void tilesOf48ColumnsGetTallerWithTheBatch() {
    assertThat(tiles(784, 48, 432))
        .extracting(TileTest::text)
        .containsExactly("32x32", "64x48", "96x48", "128x48");
    assertThat(tiles(784, 48, 32)).extracting(TileTest::text).containsExactly("64x48");
  }

  private static String text(ForBatch<ProductTile> tile) {
    return tile.tile().rows() + "x" + tile.tile().columns();
  }

  /// A sum of slices is rounded otherwise than one in the order of the depth.
  @Test
  void tilesOfSeveralBatchesAddUpInOneOrder() {
    for (long rows : new long[] {49, 127, 128, 197, 3136}) {
      List<TileChoice.Candidate> candidates = Tile.candidates(rows, 192, 768);
      assertThat(candidates)
          .extracting(candidate -> ((Tile) candidate.tile()).slices())
          .allMatch(slices -> candidates.size() == 1 || slices == 1);
    }
  }

  @Test
  void oneSmallTileIsAllThatFewRowsHave() {
    assertThat(tiles(49, 512, 768)).hasSize(1);
  }

  /// Of 128 products, panels of 56 would leave 40 for nothing.
  @ParameterizedTest(name = "panels of {1} for a depth of {0}")
  @CsvSource({"40, 44", "64, 44", "112, 56", "128, 44", "512, 52", "768, 56"})
  void panelsOfFewRowsAreOfOneSize(long depth, int panel) {
    assertThat(Tile.of(49, 512, depth).depth()).isEqualTo(panel);
  }
}
