package io.miniinference.codegen.cpu.lanes;

import io.miniinference.ir.TensorType;
import io.miniinference.layout.Affine;
import java.util.List;
import java.util.stream.IntStream;

/// The register tile of a product with packed columns: rows × vectors of sixteen columns, whose
/// sums are all in registers.
///
/// A taller tile loads fewer weights for each product. One that divides the rows leaves none
/// behind, and needs no text for such.
///
/// @param rows of the result
/// @param vectors of columns
public record GemmTile(int rows, int vectors) {
  /// Where there are only a few rows of a request: as many as are taken at once of a batch that
  /// goes row by row.
  private static final int USUAL_ROWS = 8;

  /// Two vectors a row take 28 of 32 registers, and two are for weights.
  private static final int MOST_ROWS = 14;

  /// A tile of as many sums, where rows come in sevens.
  private static final GemmTile SEVEN = new GemmTile(7, 4);

  /// Rows so long lie on the same few places of a first cache, which holds twelve there.
  private static final int CROWDED_DEPTH = 1024;

  /// The tile for a product of some type.
  ///
  /// @param depth length of the rows that are multiplied
  public static GemmTile of(TensorType product, long depth) {
    List<Affine> shape = product.shape();
    long columns = shape.getLast().constant();
    if (columns <= VectorText.LANES) {
      return new GemmTile(USUAL_ROWS, 1);
    }
    long rows = rows(shape.subList(0, shape.size() - 1));
    boolean isSeven =
        rows > 0 && rows % 7 == 0 && rows % 14 != 0 && columns % (4 * VectorText.LANES) == 0;
    boolean isCrowded = depth % CROWDED_DEPTH == 0;
    return isSeven ? SEVEN : new GemmTile(isCrowded ? USUAL_ROWS : tallest(rows), 2);
  }

  /* Rows of a request, or of each of its images. */
  private static long rows(List<Affine> shape) {
    Affine product = Affine.ONE;
    for (Affine size : shape) {
      product = product.times(size);
    }
    return product.isConstant() || product.isOpen() ? product.typical() : product.perBatch();
  }

  private static int tallest(long rows) {
    int even =
        IntStream.rangeClosed(USUAL_ROWS, MOST_ROWS).filter(r -> rows % r == 0).max().orElse(0);
    return even > 0 ? even : rows < MOST_ROWS ? USUAL_ROWS : MOST_ROWS;
  }
}
