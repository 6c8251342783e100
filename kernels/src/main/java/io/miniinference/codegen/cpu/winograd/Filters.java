package io.miniinference.codegen.cpu.winograd;

import io.miniinference.ir.Tensor;
import io.miniinference.lower.Packing;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// Filters `[M, C, 3, 3]` as the factors of Winograd's products, `[blocks of lanes of
/// M][products][C][lanes]`, missing output channels zero: four times the memory of the filters, or
/// 16 ninths.
///
/// @param lanes output channels of a block
public record Filters(Form form, int lanes) implements Packing {
  private static final ValueLayout.OfFloat FLOAT = ValueLayout.JAVA_FLOAT_UNALIGNED;
  private static final int TAPS = 9;

  @Override
  public long bytes(Tensor weight) {
    return floats(weight.shape()[0], weight.shape()[1]) * Float.BYTES;
  }

  /// Elements of packed filters.
  public long floats(long outputs, long channels) {
    return Math.ceilDiv(outputs, lanes) * lanes * channels * form.products();
  }

  @Override
  public void pack(Tensor weight, MemorySegment target) {
    long[] s = weight.shape();
    for (long m = 0; m < s[0]; m++) {
      for (long c = 0; c < s[1]; c++) {
        double[] factors = form.ofFilter(taps(weight, m * s[1] + c));
        for (int f = 0; f < factors.length; f++) {
          long row = (m / lanes * form.products() + f) * s[1] + c;
          target.set(FLOAT, (row * lanes + m % lanes) * 4, (float) factors[f]);
        }
      }
    }
  }

  private static double[] taps(Tensor weight, long filter) {
    double[] taps = new double[TAPS];
    for (int i = 0; i < TAPS; i++) {
      taps[i] = weight.data().get(FLOAT, (filter * TAPS + i) * 4);
    }
    return taps;
  }
}
