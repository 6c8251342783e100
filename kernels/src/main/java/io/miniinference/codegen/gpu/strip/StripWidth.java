package io.miniinference.codegen.gpu.strip;

import io.miniinference.ir.Node;
import io.miniinference.ir.Op;
import io.miniinference.ir.TensorType;
import io.miniinference.ir.Window;
import io.miniinference.layout.Affine;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// How many neighbouring pixels of a line a work item owns: the more there are, the more often it
/// uses what it loads, and the fewer work items there are.
///
/// @param pixels at least 2
/// @param from the smallest batch that has strips enough for a large GPU
public record StripWidth(int pixels, long from) {
  private static final List<Integer> WIDTHS = List.of(8, 7, 4, 2);

  /// Work-groups, times the taps of a window, from which on there are enough: a large window hides
  /// more of what it waits for behind its own products. Measured on an H100 with windows of 9, 25
  /// and 49 taps.
  private static final long ENOUGH = 2200;

  /// Larger batches are too rare for a kernel of their own.
  private static final long MOST_BATCHES = 512;

  /// What a strip takes besides its pixels, in what a pixel takes: weights, and what is loaded
  /// beyond its ends.
  private static final int OWN = 3;

  /// The width for a convolution of images of known size whose results have channels in fours;
  /// empty where batches with enough strips are too rare.
  public static Optional<StripWidth> of(Node convolution) {
    TensorType out = convolution.output().type();
    Window window = ((Op.Conv) convolution.op()).window();
    long line = out.dim(3).constant();
    return WIDTHS.stream()
        .filter(width -> width <= line)
        .min(Comparator.comparingLong(width -> Math.ceilDiv(line, (long) width) * (width + OWN)))
        .map(width -> new StripWidth(width, from(width, out, window)))
        .filter(width -> width.from <= (out.dim(0).isConstant() ? 1 : MOST_BATCHES));
  }

  private static long from(int width, TensorType out, Window window) {
    Affine images = out.dim(0);
    long batch = Math.max(1, images.isConstant() ? images.constant() : images.perBatch());
    long quads = out.dim(1).times(out.dim(2)).times(out.dim(3)).constant() / 4;
    long taps = (long) window.kernel().get(0) * window.kernel().get(1);
    return Math.ceilDiv(ENOUGH * StripKernel.GROUP * width, batch * quads * taps);
  }
}
