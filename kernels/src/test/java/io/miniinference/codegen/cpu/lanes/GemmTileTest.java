package io.miniinference.codegen.cpu.lanes;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.TensorType;
import io.miniinference.layout.Affine;
import java.util.List;
import org.junit.jupiter.api.Test;

final class GemmTileTest {
  private static final long DEPTH = 768;

  private static GemmTile tile(long rows, long columns, long depth) {
    List<Affine> shape = List.of(Affine.N, Affine.of(rows), Affine.of(columns));
    return GemmTile.of(new TensorType(ElementType.F32, shape), depth);
  }

  @Test
  void theTallestTileThatDividesTheRowsOfARequestLeavesNoneBehind() {
    assertThat(tile(196, 768, DEPTH)).isEqualTo(new GemmTile(14, 2));
    assertThat(tile(128, 768, DEPTH)).isEqualTo(new GemmTile(8, 2));
    assertThat(tile(100, 768, DEPTH)).isEqualTo(new GemmTile(10, 2));
    assertThat(tile(49, 768, DEPTH)).isEqualTo(new GemmTile(7, 4));
    assertThat(tile(49, 32, DEPTH)).isEqualTo(new GemmTile(14, 2));
  }

  @Test
  void rowsThatNothingDividesAreTakenByTheTallestTileAndFewByTheUsualOne() {
    assertThat(tile(197, 768, DEPTH)).isEqualTo(new GemmTile(14, 2));
    assertThat(tile(1, 128, DEPTH)).isEqualTo(new GemmTile(8, 2));
    assertThat(tile(1, 10, DEPTH)).isEqualTo(new GemmTile(8, 1));
  }

  @Test
  void rowsThatLieOnTheSamePlacesOfACacheAreTakenByFewer() {
    assertThat(tile(196, 768, 3072)).isEqualTo(new GemmTile(8, 2));
    assertThat(tile(49, 768, 3072)).isEqualTo(new GemmTile(7, 4));
  }
}
