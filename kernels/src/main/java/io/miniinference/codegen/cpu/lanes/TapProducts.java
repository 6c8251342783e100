package io.miniinference.codegen.cpu.lanes;

import io.miniinference.codegen.Template;
import io.miniinference.layout.Axis;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// The products of a direct convolution's tile with the taps of one row of its window, over all
/// input channels: sums `c0_0`, `c0_1`, … of pixels × vectors of output channels, of inputs behind
/// `xr` and weights behind `wr`. Taps are written one by one, but for long windows, such as those
/// of a sound's spectrum: their text would not fit the processor's cache of instructions.
///
/// @param tile pixels of a whole tile
/// @param vectors of sixteen output channels
/// @param axis how the input's channels lie
/// @param channels elements of a pixel that are read
/// @param isOpen whether the width of rows is another in another request
public record TapProducts(
    Plane plane, int tile, int vectors, Weights weights, Axis axis, long channels, boolean isOpen) {
  /// Taps that follow each other from which on they are a loop.
  private static final int LONG = 32;

  /// Blocks of channels that a tile asks for ahead of their products: a block's products of one tap
  /// take about as long as its pixels need to come from the last cache.
  private static final int AHEAD = 2;

  private static final Template CHANNELS =
      Template.of(
          "direct convolution, channels",
          """
          @global const $element* xc = xr;
          for (int ci = 0; ci < $channels; ci++, xc += ${stride}L, wr += $weights) {
            $taps
          }
          """);

  private static final Template BLOCKED_CHANNELS =
      Template.of(
          "direct convolution, blocked channels",
          """
          for (int cb = 0; cb < $blocks; cb++) {
            @global const $element* xc = xr + cb * ${block}L;$ahead
            for (int ci = 0; ci < $channels; ci++, xc += $stride, wr += $weights) {$asked
              $taps
            }
          }
          """);

  private static final Template NEXT_BLOCKS =
      Template.of(
          "direct convolution, pixels ahead",
          "@global const $element* ahead = cb < $last ? xc + ${later}L : xr + $tile + (cb - $last) * ${block}L;");

  private static final Template TAP =
      Template.of(
          "direct convolution, tap",
          """
          {$weights
            $pixels
          }
          """);

  private static final Template RUN =
      Template.of(
          "direct convolution, run of taps",
          """
          for (int kx = $from; kx < $to; kx++) {$weights
            $pixels
          }
          """);

  private int lanes() {
    return vectors * VectorText.LANES;
  }

  /// Of a tile whose taps outside the row are left out of the text.
  ///
  /// @param known its first output pixel where that decides on borders, else −1
  /// @param pixels that it has
  public String of(int known, int pixels) {
    return channelLoop(
        runs(known, pixels).stream()
            .map(taps -> taps(taps, known, pixels))
            .collect(Collectors.joining("\n")));
  }

  /// Of a tile whose taps may be outside the row, as some of its pixels may.
  ///
  /// @param start text of its first output pixel
  public String tested(String start) {
    int width = plane.kernelWidth();
    return channelLoop(
        width >= LONG
            ? testedTaps(new Taps(0, width), start)
            : IntStream.range(0, width)
                .mapToObj(kx -> testedTaps(new Taps(kx, kx + 1), start))
                .collect(Collectors.joining("\n")));
  }

  /* Taps in a row. */
  private record Taps(int from, int to) {
    int number() {
      return to - from;
    }

    boolean isOne() {
      return number() == 1;
    }

    /* `factor` times the tap's place, added to a number. */
    String times(long factor, long added) {
      return isOne() ? Long.toString(added + from * factor) : added + " + kx * " + factor;
    }
  }

  /* All taps, those one by one that are few in a row which the same pixels have. */
  private List<Taps> runs(int known, int pixels) {
    List<Taps> runs = new ArrayList<>();
    int from = 0;
    for (int kx = 1; kx <= plane.kernelWidth(); kx++) {
      boolean ends =
          kx == plane.kernelWidth()
              || !pixelsOf(kx, known, pixels).equals(pixelsOf(from, known, pixels));
      if (ends && kx - from >= LONG) {
        runs.add(new Taps(from, kx));
      } else if (ends) {
        IntStream.range(from, kx).mapToObj(it -> new Taps(it, it + 1)).forEach(runs::add);
      }
      from = ends ? kx : from;
    }
    return runs;
  }

  /* Those whose tap is inside the row. */
  private List<Integer> pixelsOf(int kx, int known, int pixels) {
    return IntStream.range(0, pixels)
        .filter(p -> {
          int absolute = known * plane.strideX() + relative(p) + kx * plane.dilationX();
          return known < 0 || (absolute >= 0 && (isOpen || absolute < plane.inWidth()));
        })
        .boxed()
        .toList();
  }

  /* The first tap of a pixel of the tile. */
  private int relative(int p) {
    return p * plane.strideX() - plane.padX();
  }

  private String channelLoop(String taps) {
    Template.Filling loop =
        (axis.isBlocked() ? BLOCKED_CHANNELS : CHANNELS)
            .with("element", weights.factor())
            .with("stride", axis.stride().asConstant())
            .with("weights", plane.kernelWidth() * lanes())
            .with("taps", taps);
    if (!axis.isBlocked()) {
      return loop.with("channels", channels).text();
    }
    String left = "min(" + axis.block() + ", " + channels + " - cb * " + axis.block() + ")";
    return loop.with("blocks", Math.ceilDiv(channels, axis.block()))
        .with("block", axis.outerStride().asConstant())
        .with("channels", channels % axis.block() == 0 ? Integer.toString(axis.block()) : left)
        .with("ahead", asksAhead() ? "\n" + nextBlocks() : "")
        .with("asked", asksAhead() ? "\n  @prefetch(ahead + ci * " + step() + ");" : "")
        .text();
  }

  /// Whether tiles ask for pixels ahead. With one tap a block's products are over before the pixels
  /// of the next have come, a cache line each, which no processor expects.
  public boolean asksAhead() {
    return axis.isBlocked()
        && plane.kernelWidth() == 1
        && plane.kernelHeight() == 1
        && axis.block() == VectorText.LANES
        && !weights.areFours()
        && Math.ceilDiv(channels, axis.block()) >= AHEAD;
  }

  /* Of this tile, and behind its last ones of the next tile. */
  private String nextBlocks() {
    long block = axis.outerStride().asConstant();
    return NEXT_BLOCKS
        .with("element", weights.factor())
        .with("last", Math.ceilDiv(channels, axis.block()) - AHEAD)
        .with("later", AHEAD * block)
        .with("tile", tile * step())
        .with("block", block)
        .text();
  }

  /* From a pixel to the next one of the tile. */
  private long step() {
    return (long) plane.pixelStride() * plane.strideX();
  }

  private String written(Taps taps, String place, List<String> pixels) {
    String factors =
        IntStream.range(0, vectors)
            .mapToObj(b ->
                " const %s w%d = %s;"
                    .formatted(
                        weights.sums(), b, weights.load(b, "wr + " + taps.times(lanes(), 0))))
            .collect(Collectors.joining());
    Template.Filling text =
        taps.isOne()
            ? TAP.with("weights", place + factors)
            : RUN.with("weights", place + factors).with("from", taps.from()).with("to", taps.to());
    return text.with("pixels", String.join("\n", pixels)).text();
  }

  private String testedTaps(Taps taps, String start) {
    List<String> taken = new ArrayList<>();
    for (int p = 0; p < tile; p++) {
      String x = "ix + " + taps.times(plane.dilationX(), relative(p));
      taken.add("if (" + x + " >= 0 && " + x + " < " + plane.inWidth() + ") " + pixel(p, taps, 0));
    }
    return written(taps, " const int ix = " + start + " * " + plane.strideX() + ";", taken);
  }

  private String taps(Taps taps, int known, int pixels) {
    int start = Math.max(known, 0) * plane.strideX();
    List<String> taken =
        pixelsOf(taps.from(), known, pixels).stream().map(p -> pixel(p, taps, start)).toList();
    return written(taps, "", taken);
  }

  private String pixel(int p, Taps taps, int start) {
    long column = plane.pixelStride();
    String offset = taps.times(plane.dilationX() * column, (start + relative(p)) * column);
    boolean areBytes = weights.areFours();
    StringBuilder text = new StringBuilder("{ const ");
    text.append(areBytes ? "int v = xc[" : "float16 v = @splat(16, xc[").append(offset);
    text.append(areBytes ? "];" : "]);");
    for (int b = 0; b < vectors; b++) {
      String sum = "c" + p + "_" + b;
      String product =
          areBytes ? "dot_bytes(" + sum + ", v, w" + b + ")" : "fma(v, w" + b + ", " + sum + ")";
      text.append(' ').append(sum).append(" = ").append(product).append(';');
    }
    return text.append(" }").toString();
  }
}
