package io.miniinference.ops.signal;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.Value;
import io.miniinference.ops.draft.LoweringFault;
import io.miniinference.ops.draft.SmallTensors;
import io.miniinference.ops.node.OpContext;
import io.miniinference.ops.node.OpTable;

/// Weights that fold a spectrum into bands of the mel scale, overlapping triangles in which the ear
/// hears steps of the same size
/// ([MelWeightMatrix](https://onnx.ai/onnx/operators/onnx__MelWeightMatrix.html)). All its inputs
/// are numbers that are known at load.
public final class MelRule {
  private final OpContext c;
  private final long bands;
  private final long length;
  private final double rate;
  private final double low;
  private final double high;

  private MelRule(OpContext c) {
    this.c = c;
    bands = c.int1(0);
    length = c.int1(1);
    rate = c.int1(2);
    low = mel(c.real1(3));
    high = mel(c.real1(4));
  }

  public static void addTo(OpTable table) {
    table.row("MelWeightMatrix", 17, "5", "output_datatype=1", c -> new MelRule(c).lower());
  }

  private Value lower() {
    ElementType type = c.attrType("output_datatype");
    long rows = length / 2 + 1;
    long most = Math.min(c.maxFoldedBytes(), Integer.MAX_VALUE) / Double.BYTES;
    if (bands < 0 || length < 0 || rows > most / Math.max(1, bands)) {
      throw LoweringFault.of("makes a matrix of %d times %d".formatted(rows, bands));
    }
    double[] weights = new double[(int) (rows * bands)];
    for (int band = 0; band < bands; band++) {
      triangle(band, weights);
    }
    return c.constant(SmallTensors.of(type, new long[] {rows, bands}, weights));
  }

  /* From its left neighbour's middle up to its own, and down to its right neighbour's. */
  private void triangle(int band, double[] weights) {
    long left = bin(band);
    long middle = bin(band + 1);
    long right = bin(band + 2);
    long rows = weights.length / bands;
    for (long row = Math.max(0, left); row < Math.min(rows, Math.max(middle + 1, right)); row++) {
      weights[(int) (row * bands + band)] =
          row < middle
              ? (double) (row - left) / (middle - left)
              : row == middle ? 1 : (double) (right - row) / (right - middle);
    }
  }

  /* The row of the spectrum at an edge of bands; there are two edges more than bands. */
  private long bin(int edge) {
    double hertz = 700 * (Math.pow(10, (low + edge * (high - low) / (bands + 2)) / 2595) - 1);
    return (long) Math.floor((length + 1) * hertz / rate);
  }

  private static double mel(double hertz) {
    return 2595 * Math.log10(1 + hertz / 700);
  }
}
