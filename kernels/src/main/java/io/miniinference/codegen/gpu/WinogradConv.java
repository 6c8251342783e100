package io.miniinference.codegen.gpu;

import io.miniinference.codegen.Coordinate;
import io.miniinference.codegen.IndexText;
import io.miniinference.codegen.KernelText;
import io.miniinference.codegen.StepText;
import io.miniinference.codegen.Template;
import io.miniinference.codegen.gpu.tile.MemoryOrder;
import io.miniinference.codegen.gpu.tile.TiledProduct;
import io.miniinference.codegen.gpu.tile.WinogradResults;
import io.miniinference.codegen.gpu.tile.WinogradTile;
import io.miniinference.device.Launch;
import io.miniinference.ir.Node;
import io.miniinference.ir.Op;
import io.miniinference.ir.TensorType;
import io.miniinference.ir.Window;
import io.miniinference.layout.Affine;
import io.miniinference.layout.IndexFunction;
import io.miniinference.lower.LoweredStep;
import java.util.List;

/// A convolution 3×3 in Winograd's form F(2×2, 3×3): four ninths of the direct form's products, for
/// transforms (Lavin and Gray, "Fast Algorithms for Convolutional Neural Networks", 2016). A
/// work-group transforms inputs and filters on their way into local memory, eight channels at a
/// time, so that the form takes no memory of the device, for weights neither.
///
/// The result is within 1e-5 of the sum of the magnitudes of what the direct form adds up. An
/// infinite input or NaN makes NaN of all results of its tile. All sizes of tiles add up a result's
/// products in the order of its channels, so that a row has the same bits in any batch.
final class WinogradConv {
  /// Fewest channels, of inputs and results, that are worth the transforms.
  private static final long FEWEST_CHANNELS = 64;

  private static final Template HEAD =
      Template.of(
          "Winograd convolution, head",
          """
          A work-group of $items work items owns $tiles tiles of 2 x 2 results, with $columns of their channels.
          Winograd's form F(2 x 2, 3 x 3): of each tile sixteen products in place of thirty-six.

          for eight input channels at a time
            x: 4 x 4 inputs of a tile -> vs: [channel][product][tile]
            w: 3 x 3 weights          -> us: [channel][product][output channel]
            a work item has one product of 8 x 8 tiles and output channels, in registers:  acc += vs * us
          acc -> local memory, a quarter of the tiles at a time -> 2 x 2 results of a tile and channel
          """);

  private static final Template KERNEL =
      Template.of(
          "Winograd convolution",
          """
          const int t = @localId;
          const long m0 = ((long)first + @groupId(0)) * $tiles;
          const int j0 = @groupId(1) * $columns;
          const int product = t / $sharers, down = t % $sharers / $across, over = t % $sharers % $across;
          @shared float panels[$panels] @aligned;
          @local float* vs = panels;
          @local float* us = panels + $filters;
          const int flipTile = (product & 1) * $flippedTile, flipColumn = (product & 1) * $flippedColumn;
          int inside[$inputUnits];
          long at[$inputUnits];
          @unroll
          for (int i = 0; i < $inputUnits; i++) {
            const int channel = (t + i * $items) % 8;
            const long m = m0 + (t + i * $items) / 8;
            $place
            const long iy = 2 * ty - $padY, ix = 2 * tx - $padX;
            inside[i] = 0;
            @unroll
            for (int j = 0; j < 16; j++) {
              inside[i] |= (m < $all && (ulong)(iy + j / 4) < ${height}UL && (ulong)(ix + j % 4) < ${width}UL) << j;
            }
            at[i] = $from;
          }
          float d[$inputNumbers];
          float g[$filterNumbers];
          $fetchFirst
          float4 acc[16];
          @unroll
          for (int i = 0; i < 16; i++) acc[i] = @splat(4, 0);
          for (int c0 = 0; c0 < $channels; c0 += 8) {
            @unroll
            for (int i = 0; i < $inputUnits; i++) {
              const int channel = (t + i * $items) % 8, tile = (t + i * $items) / 8;
              $isTile
              const int even = tile ^ (channel * 4 & $tileBits), odd = even ^ $flippedTile;
              @unroll
              for (int part = 0; part < 4; part++) {
                float w[4];
                @unroll
                for (int j = 0; j < 4; j++) {
                  const int k = 16 * i + j;
                  w[j] = part == 0 ? d[k] - d[k + 8] : part == 1 ? d[k + 4] + d[k + 8] : part == 2 ? d[k + 8] - d[k + 4] : d[k + 4] - d[k + 12];
                }
                @local float* row = vs + (channel * 16 + part * 4) * $tiles;
                row[even] = w[0] - w[2];
                row[$tiles + odd] = w[1] + w[2];
                row[2 * $tiles + even] = w[2] - w[1];
                row[3 * $tiles + odd] = w[1] - w[3];
              }
            }
            @unroll
            for (int i = 0; i < $filterUnits; i++) {
              const int e = t + i * $items;
              float r[12];
              @unroll
              for (int j = 0; j < 3; j++) {
                const float ends = 0.5f * (g[9 * i + j] + g[9 * i + 6 + j]), middle = 0.5f * g[9 * i + 3 + j];
                r[j] = g[9 * i + j];
                r[3 + j] = ends + middle;
                r[6 + j] = ends - middle;
                r[9 + j] = g[9 * i + 6 + j];
              }
              const int even = e % $columns, odd = even ^ $flippedColumn;
              @local float* to = us + e / $columns * ${filterChannel};
              @unroll
              for (int j = 0; j < 4; j++) {
                const float ends = 0.5f * (r[3 * j] + r[3 * j + 2]), middle = 0.5f * r[3 * j + 1];
                to[4 * j * $columns + even] = r[3 * j];
                to[(4 * j + 1) * $columns + odd] = ends + middle;
                to[(4 * j + 2) * $columns + even] = ends - middle;
                to[(4 * j + 3) * $columns + odd] = r[3 * j + 2];
              }
            }
            @barrier;
            if (c0 + 8 < $channels) {
              $fetchNext
            }
            @unrollBy4
            for (int c = 0; c < 8; c++) {
              @local const float* v = vs + (c * 16 + product) * $tiles;
              @local const float* u = us + (c * 16 + product) * $columns;
              const int flip = (c * 4 & $tileBits) ^ flipTile;
              const float4 a0 = *(@local const float4*)(v + ((down * 4) ^ flip));
              const float4 a1 = *(@local const float4*)(v + (($halfTiles + down * 4) ^ flip));
              const float4 b0 = *(@local const float4*)(u + ((over * 4) ^ flipColumn));
              const float4 b1 = *(@local const float4*)(u + (($halfColumns + over * 4) ^ flipColumn));
              $multiply
            }
            @barrier;
          }
          $results
          """);

  /* The inputs and filters of eight channels, on their way while others are multiplied. */
  private static final Template FETCH =
      Template.of(
          "inputs and filters",
          """
          @unroll
          for (int i = 0; i < $inputUnits; i++) {
            $isChannel
            @unroll
            for (int j = 0; j < 16; j++) d[16 * i + j] = $isInside ? $input : 0.0f;
          }
          @unroll
          for (int i = 0; i < $filterUnits; i++) {
            const int e = t + i * $items;
            const int k = e % $columns, c = $channel + e / $columns;
            @unroll
            for (int tap = 0; tap < 9; tap++) g[9 * i + tap] = $isFilter ? $weight : 0.0f;
          }
          """);

  private static final Template PLACE =
      Template.of(
          "place of a tile",
          """
          const long image = m / $tilesOfImage;
          const uint rest = (uint)(m % $tilesOfImage);
          const long ty = rest / ${tilesAcross}u, tx = rest % ${tilesAcross}u;
          """);

  private final StepText s;
  private final WinogradTile tile;
  private final Window window;
  private final TensorType x;
  private final TensorType out;

  private WinogradConv(LoweredStep step, WinogradTile tile) {
    this.s = new StepText(step, tile.items());
    this.tile = tile;
    window = ((Op.Conv) step.node().op()).window();
    x = step.node().inputs().getFirst().type();
    out = step.node().output().type();
  }

  /// Whether a convolution of floats in 32 bits, whose image and weights are known, is worth it.
  static boolean suits(Node node, Op.Conv op) {
    Window window = op.window();
    TensorType w = node.inputs().get(1).type();
    return window.rank() == 2
        && op.groups() == 1
        && window.kernel().equals(List.of(3, 3))
        && window.strides().equals(List.of(1, 1))
        && window.dilations().equals(List.of(1, 1))
        && w.dim(0).constant() >= FEWEST_CHANNELS
        && w.dim(1).constant() >= FEWEST_CHANNELS
        && w.dim(1).isMultipleOf(4);
  }

  /// Whether channels can be read four at a time.
  static boolean canWrite(LoweredStep step) {
    IndexFunction x = step.inputs().getFirst().index();
    return GpuChoices.hasFixedStrides(x) && TiledProduct.isVector(x, 1);
  }

  /// How many tiles the images of a result have.
  static Affine tiles(TensorType out) {
    return out.dim(0).times(tilesOfImage(out));
  }

  private static Affine tilesOfImage(TensorType out) {
    return tilesAlong(out, 2).times(tilesAlong(out, 3));
  }

  private static Affine tilesAlong(TensorType out, int axis) {
    return out.dim(axis).roundedUp(2).dividedBy(2);
  }

  static KernelText.Written write(LoweredStep step, WinogradTile tile) {
    return new WinogradConv(step, tile).write();
  }

  private KernelText.Written write() {
    KernelText text = s.text();
    text.head(
        HEAD.with("items", tile.items())
            .with("tiles", tile.tiles())
            .with("columns", tile.columns())
            .text());
    text.add(kernel());
    return new KernelText.Written(
        text,
        new Launch.Groups(
            List.of(
                new Launch.Extent(tiles(out), tile.tiles(), tile.items()),
                new Launch.Extent(out.dim(1), tile.columns(), 1))));
  }

  private Template.Filling kernel() {
    IndexFunction from = s.step().inputs().getFirst().index();
    long channels = x.dim(1).constant();
    String place =
        PLACE
            .with("tilesOfImage", tilesOfImage(out).asConstant())
            .with("tilesAcross", tilesAlong(out, 3).asConstant())
            .text();
    List<Coordinate> first =
        List.of(
            Coordinate.of("image"),
            Coordinate.of("channel"),
            Coordinate.of("iy"),
            Coordinate.of("ix"));
    return KERNEL
        .with("tiles", tile.tiles())
        .with("columns", tile.columns())
        .with("items", tile.items())
        .with("sharers", tile.sharers())
        .with("across", tile.columns() / 8)
        .with("panels", tile.floats())
        .with("filters", tile.floatsOfInputs())
        .with("filterChannel", 16 * tile.columns())
        .with("inputUnits", tile.inputUnits())
        .with("inputNumbers", 16 * tile.inputUnits())
        .with("isTile", tile.isRagged() ? "if (tile >= " + tile.tiles() + ") continue;" : "")
        .with("tileBits", tile.tileBits())
        .with("flippedTile", WinogradTile.flipped(tile.tileBits()))
        .with("flippedColumn", WinogradTile.flipped(tile.columnBits()))
        .with("halfTiles", tile.tiles() / 2)
        .with("filterUnits", tile.filterUnits())
        .with("filterNumbers", 9 * tile.filterUnits())
        .with("fetchFirst", fetch("0"))
        .with("fetchNext", fetch("c0 + 8"))
        .with("place", place)
        .with("padY", window.padsBegin().get(0))
        .with("padX", window.padsBegin().get(1))
        .with("all", IndexText.affine(tiles(out)))
        .with("height", x.dim(2).constant())
        .with("width", x.dim(3).constant())
        .with("from", IndexText.offset(from, first))
        .with("channels", channels)
        .with("halfColumns", tile.columns() / 2)
        .with("multiply", multiply())
        .with("results", results(place));
  }

  private String results(String place) {
    List<Coordinate> at = MemoryOrder.coordinates(out.shape());
    return new WinogradResults(s, tile, tiles(out), at, place).text();
  }

  /* Of eight channels from `first` on, which lie next to each other. */
  private Template.Filling fetch(String first) {
    IndexFunction from = s.step().inputs().getFirst().index();
    long row = from.axes().get(2).stride().asConstant();
    long column = from.axes().get(3).stride().asConstant();
    long channels = x.dim(1).constant();
    String input = "at[i] + " + first + " + j / 4 * " + row + "L + j % 4 * " + column + "L";
    boolean isWhole = channels % 8 == 0;
    return FETCH
        .with("inputUnits", tile.inputUnits())
        .with("isChannel", isWhole ? "" : isChannel(first, channels))
        .with("isInside", isWhole ? "inside[i] >> j & 1" : "isChannel && inside[i] >> j & 1")
        .with("input", s.type(0).read(s.pointer(0), input))
        .with("filterUnits", tile.filterUnits())
        .with("items", tile.items())
        .with("columns", tile.columns())
        .with("channel", first)
        .with("isFilter", isFilter(isWhole))
        .with("weight", weight(channels));
  }

  private String isChannel(String first, long channels) {
    return "const int isChannel = %s + (t + i * %d) %% 8 < %d;"
        .formatted(first, tile.items(), channels);
  }

  private String isFilter(boolean isWhole) {
    long outputs = out.dim(1).constant();
    String isColumn = outputs % tile.columns() == 0 ? "1" : "j0 + k < " + outputs;
    return isWhole ? isColumn : isColumn + " && c < " + x.dim(1).constant();
  }

  private String weight(long channels) {
    long padded = GpuPacking.padded(out.dim(1).constant());
    return s.type(1)
        .read(s.pointer(1), "(tap * %dL + c) * %d + j0 + k".formatted(channels, padded));
  }

  private static String multiply() {
    StringBuilder text = new StringBuilder();
    for (int line = 0; line < 8; line++) {
      for (int low = 0; low < 2; low++) {
        text.append(
            "acc[%1$d] = fma(@splat(4, a%2$d.%3$c), b%4$d, acc[%1$d]);\n"
                .formatted(2 * line + low, line / 4, TiledProduct.PARTS.charAt(line % 4), low));
      }
    }
    return text.toString();
  }
}
