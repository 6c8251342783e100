package io.miniinference.codegen.gpu.tile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The choice of tiles against what each of them took for the convolutions of ResNet-50 on an H200.
final class TensorTileTest {
  private static final List<TileChoice.Candidate> TILES =
      TensorTile.candidates(TensorProducts.PORTABLE);

  private static List<ForBatch<ProductTile>> tiles(long rows, long columns) {
    return TileChoice.of(TILES, rows, columns, true);
  }

  private static String at(long batch, long rows, long columns) {
    ProductTile tile =
        tiles(rows, columns).stream()
            .filter(t -> t.from() <= batch)
            .reduce((_, later) -> later)
            .orElseThrow()
            .tile();
    return tile.rows() + "x" + tile.columns();
  }

  @ParameterizedTest(name = "{0} images of {1} pixels, {2} channels: {3}")
  @CsvSource({
    "1, 3136, 64, 32x32",
    "8, 3136, 64, 64x64",
    "1, 49, 512, 32x32",
    "8, 49, 512, 32x32",
    "8, 49, 2048, 64x64",
    "8, 196, 256, 32x32",
    "8, 196, 1024, 64x64",
    "32, 196, 256, 64x64",
    "32, 49, 2048, 128x128"
  })
  void tilesAreThoseThatWereFastest(long batch, long pixels, long channels, String tile) {
    assertThat(at(batch, pixels, channels)).isEqualTo(tile);
  }

  @Test
  void largerBatchesNeverHaveSmallerTiles() {
    for (long columns : new long[] {16, 64, 100, 512, 2048}) {
      for (long rows : new long[] {16, 49, 196, 784, 3136}) {
        List<ForBatch<ProductTile>> tiles = tiles(rows, columns);
        assertThat(tiles.getFirst().from()).isZero();
        assertThat(tiles).isSortedAccordingTo((a, b) -> Long.compare(a.from(), b.from()));
        assertThat(tiles.stream().mapToInt(t -> t.tile().rows() * t.tile().columns()).toArray())
            .as("%d x %d", rows, columns)
            .isSorted();
      }
    }
  }

  @Test
  void rowsThatDoNotGrowHaveOneTile() {
    assertThat(TileChoice.of(TILES, 3136, 64, false)).hasSize(1);
  }

  @Test
  void panelsThatDoNotFitAreRefused() {
    assertThatThrownBy(() -> new TensorTile(128, 128, 64, 64, 32, 1, TensorProducts.PORTABLE))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("bytes of local memory");
  }
}
