package io.miniinference.codegen.gpu;

import io.miniinference.ir.Tensor;
import io.miniinference.lower.Packing;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// The orders in which the GPU writer's kernels want weights of floats: rows of depth, output
/// channels innermost and padded to whole `float4`s.
sealed interface GpuPacking extends Packing {
  /// Lanes of a `float4`.
  int LANES = 4;

  ValueLayout.OfFloat FLOAT = ValueLayout.JAVA_FLOAT_UNALIGNED;
  ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT_UNALIGNED;

  /// `count` rounded up to whole `float4`s.
  static long padded(long count) {
    return Math.ceilDiv(count, LANES) * LANES;
  }

  /// The nearest TF32 number, of two the one further from zero (`cvt.rna.tf32` of PTX).
  static float tf32(float value) {
    int bits = Float.floatToRawIntBits(value);
    return Float.isNaN(value) ? value : Float.intBitsToFloat((bits + 0x1000) & 0xffffe000);
  }

  /// Convolution weights `[M, C, K…]` as `[M][K…][C]`, or a matrix `[K, M]` as `[M][K]`, each row
  /// padded to whole 16 bytes: the right operand of tensor cores. 32-bit floats become TF32
  /// numbers.
  ///
  /// @param channels extent whose elements become the innermost; 1 where the order is kept
  /// @param transposed whether a matrix is given as `[K, M]`
  record Lined(long channels, boolean transposed) implements GpuPacking {
    @Override
    public long bytes(Tensor weight) {
      return rows(weight) * pitch(weight) * weight.element().bytes();
    }

    private long pitch(Tensor weight) {
      long lanes = 16 / weight.element().bytes();
      return Math.ceilDiv(depth(weight), lanes) * lanes;
    }

    private long rows(Tensor weight) {
      return weight.shape()[transposed ? 1 : 0];
    }

    private long depth(Tensor weight) {
      return weight.elements() / Math.max(1, rows(weight));
    }

    @Override
    public void pack(Tensor weight, MemorySegment target) {
      long rows = rows(weight);
      long depth = depth(weight);
      long taps = depth / channels;
      long pitch = pitch(weight);
      for (long m = 0; m < rows; m++) {
        for (long k = 0; k < depth; k++) {
          long from = transposed ? k * rows + m : m * depth + k % channels * taps + k / channels;
          put(weight, from, target, m * pitch + k);
        }
      }
    }

    private static void put(Tensor weight, long from, MemorySegment target, long to) {
      if (weight.element().bytes() == Short.BYTES) {
        copy(weight, from, target, to);
      } else {
        float rounded = tf32(weight.data().get(FLOAT, from * Float.BYTES));
        target.set(FLOAT, to * Float.BYTES, rounded);
      }
    }
  }

  private static void copy(Tensor weight, long from, MemorySegment target, long to) {
    int bytes = weight.element().bytes();
    if (bytes == Short.BYTES) {
      target.set(SHORT, to * bytes, weight.data().get(SHORT, from * bytes));
    } else {
      target.set(FLOAT, to * bytes, weight.data().get(FLOAT, from * bytes));
    }
  }

  /// Convolution weights `[M, C, K…]` as `[K…][C][M padded]`.
  ///
  /// @param transposed whether they are those of a transposed convolution, `[C, M, K…]`
  record ConvWeights(boolean transposed) implements GpuPacking {
    @Override
    public long bytes(Tensor weight) {
      long outputs = weight.shape()[transposed ? 1 : 0];
      return weight.elements() / Math.max(1, outputs) * padded(outputs) * weight.element().bytes();
    }

    @Override
    public void pack(Tensor weight, MemorySegment target) {
      long outputs = weight.shape()[transposed ? 1 : 0];
      long channels = weight.shape()[transposed ? 0 : 1];
      long taps = weight.elements() / Math.max(1, outputs * channels);
      for (long m = 0; m < outputs; m++) {
        for (long c = 0; c < channels; c++) {
          long pair = transposed ? c * outputs + m : m * channels + c;
          for (long k = 0; k < taps; k++) {
            copy(weight, pair * taps + k, target, (k * channels + c) * padded(outputs) + m);
          }
        }
      }
    }
  }

  /// Recurrent weights `[gates · hidden, hidden]` as `[quad][gate][part · hidden + element][4]`: of
  /// each part of the states four after the other, and zeros behind the last.
  ///
  /// @param parts of the states
  /// @param quads of a part
  record Quads(int gates, int parts, int quads) implements GpuPacking {
    @Override
    public long bytes(Tensor weight) {
      return (long) quads * gates * parts * weight.shape()[1] * LANES * Float.BYTES;
    }

    @Override
    public void pack(Tensor weight, MemorySegment target) {
      long hidden = weight.shape()[1];
      for (long row = 0; row < gates * hidden; row++) {
        for (long k = 0; k < hidden; k++) {
          copy(weight, row * hidden + k, target, place(row, k, hidden));
        }
      }
    }

    private long place(long row, long k, long hidden) {
      long part = k / (quads * LANES);
      long within = k % (quads * LANES);
      long line = within / LANES * gates + row / hidden;
      return ((line * parts + part) * hidden + row % hidden) * LANES + within % LANES;
    }
  }

  /// A matrix `[K, columns]` as `[K][columns padded]`.
  ///
  /// @param transposed whether it is given as `[columns, K]`
  record Matrix(boolean transposed) implements GpuPacking {
    @Override
    public long bytes(Tensor weight) {
      return weight.shape()[transposed ? 1 : 0]
          * padded(weight.shape()[transposed ? 0 : 1])
          * weight.element().bytes();
    }

    @Override
    public void pack(Tensor weight, MemorySegment target) {
      long depth = weight.shape()[transposed ? 1 : 0];
      long columns = weight.shape()[transposed ? 0 : 1];
      for (long k = 0; k < depth; k++) {
        for (long j = 0; j < columns; j++) {
          copy(
              weight,
              transposed ? j * depth + k : k * columns + j,
              target,
              k * padded(columns) + j);
        }
      }
    }
  }
}
