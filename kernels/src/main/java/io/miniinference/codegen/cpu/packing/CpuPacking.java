package io.miniinference.codegen.cpu.packing;

import io.miniinference.codegen.cpu.lanes.GroupWindows;
import io.miniinference.ir.Tensor;
import io.miniinference.lower.Packing;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.function.IntUnaryOperator;

/// The orders in which the CPU kernels want `f32` weights.
public sealed interface CpuPacking extends Packing {
  ValueLayout.OfFloat FLOAT = ValueLayout.JAVA_FLOAT_UNALIGNED;

  private static float get(Tensor weight, long index) {
    return weight.data().get(FLOAT, index * 4);
  }

  private static void set(MemorySegment target, long index, float value) {
    target.set(FLOAT, index * 4, value);
  }

  /* Filters `[M, own channels, KD, KH, KW]` as `[blocks of lanes of M][KD][KH][inputs][KW][lanes]`, the
  channels of each output from its first one on; `KD` and `KH` are 1 for fewer spatial axes. */
  private static void packFilters(
      Tensor weight, MemorySegment target, int lanes, int inputs, IntUnaryOperator first) {
    long[] s = weight.shape();
    int kw = (int) s[s.length - 1];
    int rows = (int) (s.length == 5 ? s[2] * s[3] : s.length == 4 ? s[2] : 1);
    long perOutput = s[1] * rows * kw;
    for (int m = 0; m < s[0]; m++) {
      int start = first.applyAsInt(m);
      for (int i = 0; i < perOutput; i++) {
        int ky = i / kw % rows;
        int channel = start + i / (kw * rows);
        long row = (((long) m / lanes * rows + ky) * inputs + channel) * kw + i % kw;
        set(target, row * lanes + m % lanes, get(weight, m * perOutput + i));
      }
    }
  }

  /// Convolution weights `[M, C, KH, KW]` (`KH` = 1 for one spatial axis) as `[blocks of lanes of
  /// M][KH][C][KW][lanes]`, missing output channels zero.
  record ConvWeights(int lanes) implements CpuPacking {
    @Override
    public long bytes(Tensor weight) {
      long perOutput = weight.elements() / Math.max(1, weight.shape()[0]);
      return Math.ceilDiv(weight.shape()[0], lanes) * lanes * perOutput * 4;
    }

    @Override
    public void pack(Tensor weight, MemorySegment target) {
      packFilters(weight, target, lanes, (int) weight.shape()[1], _ -> 0);
    }
  }

  /// Weights `[M, C / groups, KH, KW]` of a convolution with groups as those that [ConvWeights]
  /// makes of one without: `[blocks of lanes of M][KH][channels of a window][KW][lanes]`, zero
  /// between one group and another.
  record GroupedWeights(GroupWindows windows) implements CpuPacking {
    @Override
    public long bytes(Tensor weight) {
      long[] s = weight.shape();
      long taps = weight.elements() / Math.max(1, s[0] * s[1]);
      int lanes = windows.lanes();
      return Math.ceilDiv(s[0], lanes) * lanes * taps * windows.width() * 4;
    }

    @Override
    public void pack(Tensor weight, MemorySegment target) {
      packFilters(weight, target, windows.lanes(), windows.width(), this::first);
    }

    /* Within the window of its work item. */
    private int first(int output) {
      int group = output / windows.outputs();
      return group * windows.inputs() - windows.first(output / windows.lanes());
    }
  }

  /// Transposed convolution weights `[C, M / groups, KH, KW]`, or of one axis without `KH`, as
  /// `[blocks of lanes of M][KH][KW][channels of a window][lanes]`, zero between one group and
  /// another.
  record TransposedConvWeights(GroupWindows windows) implements CpuPacking {
    @Override
    public long bytes(Tensor weight) {
      long[] s = weight.shape();
      long outputs = s[0] / windows.inputs() * s[1];
      int lanes = windows.lanes();
      return Math.ceilDiv(outputs, lanes) * lanes * taps(s) * windows.width() * 4;
    }

    private static int taps(long[] shape) {
      return Math.toIntExact(Arrays.stream(shape).skip(2).reduce(1, (a, b) -> a * b));
    }

    @Override
    public void pack(Tensor weight, MemorySegment target) {
      long[] s = weight.shape();
      int lanes = windows.lanes();
      int taps = taps(s);
      for (int c = 0; c < s[0]; c++) {
        for (int m = 0; m < s[1]; m++) {
          int output = c / windows.inputs() * (int) s[1] + m;
          int block = output / lanes;
          for (int k = 0; k < taps; k++) {
            long row = ((long) block * taps + k) * windows.width() + c - windows.first(block);
            set(target, row * lanes + output % lanes, get(weight, (c * s[1] + m) * taps + k));
          }
        }
      }
    }
  }

  /// A matrix `[K, columns]` (or `[columns, K]` if `transposed`) as `[blocks of lanes of
  /// columns][K][lanes]`, missing columns zero.
  record MatrixColumns(int lanes, boolean transposed) implements CpuPacking {
    @Override
    public long bytes(Tensor weight) {
      long columns = weight.shape()[transposed ? 0 : 1];
      long depth = weight.shape()[transposed ? 1 : 0];
      return Math.ceilDiv(columns, lanes) * lanes * depth * 4;
    }

    @Override
    public void pack(Tensor weight, MemorySegment target) {
      long columns = weight.shape()[transposed ? 0 : 1];
      long depth = weight.shape()[transposed ? 1 : 0];
      for (long k = 0; k < depth; k++) {
        for (long j = 0; j < columns; j++) {
          float value = get(weight, transposed ? j * depth + k : k * columns + j);
          set(target, (j / lanes * depth + k) * lanes + j % lanes, value);
        }
      }
    }
  }

  /// One value per channel or column, padded with zeros to whole vectors.
  record PaddedVector(int lanes) implements CpuPacking {
    @Override
    public long bytes(Tensor weight) {
      return Math.ceilDiv(weight.elements(), lanes) * lanes * 4;
    }

    @Override
    public void pack(Tensor weight, MemorySegment target) {
      MemorySegment.copy(weight.data(), 0, target, 0, weight.data().byteSize());
    }
  }
}
