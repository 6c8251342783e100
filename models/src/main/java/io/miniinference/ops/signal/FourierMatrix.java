package io.miniinference.ops.signal;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.Tensor;
import io.miniinference.ops.draft.LoweringFault;
import io.miniinference.ops.draft.SmallTensors;
import io.miniinference.ops.node.OpContext;

/// A discrete Fourier transform as a real matrix, which a row of a signal is multiplied with: rows
/// are its elements, columns those of the spectrum (or the other way round, if `inverse`), the real
/// part of each before the imaginary one.
///
/// @param length points of the transform; a shorter signal is followed by zeros
/// @param elements of the signal that count
/// @param parts of each of them: 1 if it is real, 2 if it is complex
/// @param results elements of the result
/// @param resultParts of each of them
/// @param inverse whether a spectrum becomes a signal
/// @param half whether the elements are the first half of the spectrum of a real signal, whose
///   second half mirrors it
record FourierMatrix(
    long length,
    long elements,
    int parts,
    long results,
    int resultParts,
    boolean inverse,
    boolean half) {

  long rows() {
    return elements * parts;
  }

  long columns() {
    return results * resultParts;
  }

  /// The matrix, of `rows` times `columns`.
  ///
  /// @throws LoweringFault if it is larger than loading may compute
  Tensor tensor(OpContext c, ElementType type) {
    long most = Math.min(c.maxFoldedBytes(), Integer.MAX_VALUE) / Double.BYTES;
    if (rows() > most / Math.max(1, columns())) {
      throw LoweringFault.of(
          "transforms %d elements to %d by a matrix, which is larger than loading may compute (%,d bytes)"
              .formatted(elements, results, c.maxFoldedBytes()));
    }
    double[] matrix = new double[(int) (rows() * columns())];
    for (int i = 0; i < matrix.length; i++) {
      matrix[i] = entry(i / (int) columns(), i % (int) columns());
    }
    return SmallTensors.of(type, new long[] {rows(), columns()}, matrix);
  }

  private double entry(int row, int column) {
    long element = row / parts;
    int part = row % parts;
    long result = column / resultParts;
    int resultPart = column % resultParts;
    double turns = (double) (element * result % length) / length;
    double angle = (inverse ? 2 : -2) * Math.PI * turns;
    double factor = part == resultPart ? Math.cos(angle) : sign(part) * Math.sin(angle);
    return factor * mirrored(element) / (inverse ? length : 1);
  }

  /* What a real part adds to an imaginary one, and an imaginary part to a real one. */
  private static int sign(int part) {
    return part == 0 ? 1 : -1;
  }

  /* How often an element stands in the whole spectrum. */
  private int mirrored(long element) {
    if (!half) {
      return 1;
    }
    boolean single = element == 0 || 2 * element == length;
    return single ? 1 : 2 * element > length ? 0 : 2;
  }
}
