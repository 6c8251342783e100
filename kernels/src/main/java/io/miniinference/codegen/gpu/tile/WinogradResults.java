package io.miniinference.codegen.gpu.tile;

import io.miniinference.codegen.Coordinate;
import io.miniinference.codegen.IndexText;
import io.miniinference.codegen.StepText;
import io.miniinference.codegen.Template;
import io.miniinference.ir.Node;
import io.miniinference.ir.TensorType;
import io.miniinference.layout.Affine;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// The end of a convolution in Winograd's form: the products of a tile, which are in registers of
/// sixteen work items, go through local memory to one, which makes its results of them.
///
/// @param s the step
/// @param tiles of all images
/// @param at coordinates of a result, in variables `i0` to `i3`
/// @param place statements that declare `image`, `ty` and `tx` of tile `m`
public record WinogradResults(
    StepText s, WinogradTile tile, Affine tiles, List<Coordinate> at, String place) {
  private static final Template RESULTS =
      Template.of(
          "results of Winograd's tiles",
          """
          @local float* es = panels;
          $hold
          @unroll
          for (int round = 0; round < 4; round++) {
            @unroll
            for (int low = 0; low < 2; low++) {
              @local float* to = es + (product * $slots + low * $down + down) * $columns + over * 4;
              *(@local float4*)to = acc[4 * round + 2 * low];
              *(@local float4*)(to + $halfColumns) = acc[4 * round + 2 * low + 1];
            }
            @barrier;
            const int slot = t / $columns;
            $slot
            if (m < $all && i1 < $outputs) {
              $place
              const long i0 = image;
              @local const float* from = es + slot * $columns + t % $columns;
              float s[8];
              @unroll
              for (int j = 0; j < 4; j++) {
                const float p0 = from[j * $productStride], p1 = from[(4 + j) * $productStride];
                const float p2 = from[(8 + j) * $productStride], p3 = from[(12 + j) * $productStride];
                s[j] = p0 + p1 + p2;
                s[4 + j] = p1 - p2 - p3;
              }
              float done[4];
              @unroll
              for (int p = 0; p < 4; p++) {
                const float* r = s + p / 2 * 4;
                const long i2 = 2 * ty + p / 2, i3 = 2 * tx + p % 2;
                const float result = p % 2 ? r[1] - r[2] - r[3] : r[0] + r[1] + r[2];
                if (i2 < $outputHeight && i3 < $outputWidth) done[p] = $epilogue;
              }
              @unroll
              for (int p = 0; p < 4; p++) {
                const long i2 = 2 * ty + p / 2, i3 = 2 * tx + p % 2;
                if (i2 < $outputHeight && i3 < $outputWidth) {
                  $store
                }
              }
            }
            @barrier;
          }
          """);

  /* The tile and channel that a work item finishes in a round. */
  private static final Template SLOT =
      Template.of(
          "tile of a round",
          """
          const int line = 2 * round + slot / $down;
          const long m = m0 + slot % $down * 4 + (line < 4 ? line : $halfTiles + line - 4);
          const long i1 = j0 + t % $columns;
          """);

  /* All reads are on their way at once. Where they alias the result, a round's would otherwise wait for
  the stores of the round before. */
  private static final Template HOLD =
      Template.of(
          "what the epilogue reads of Winograd's tiles",
          """
          $arrays
          @unroll
          for (int round = 0; round < 4; round++) {
            const int slot = t / $columns;
            $slot
            if (m < $all && i1 < $outputs) {
              $place
              const long i0 = image;
              @unroll
              for (int p = 0; p < 4; p++) {
                const long i2 = 2 * ty + p / 2, i3 = 2 * tx + p % 2;
                if (i2 < $outputHeight && i3 < $outputWidth) {
                  $reads
                }
              }
            }
          }
          """);

  private static final String HELD = "held%d[4 * round + p]";

  /// Statements for all work items, behind a barrier after the last product.
  public String text() {
    return sized(RESULTS)
        .with("hold", hold())
        .with("down", tile.tiles() / 8)
        .with("slots", tile.tiles() / 4)
        .with("halfColumns", tile.columns() / 2)
        .with("productStride", tile.tiles() / 4 * tile.columns())
        .with("epilogue", s.epilogue("result", s.element(0), at, held()))
        .with("store", s.stored("done[p]", at))
        .text();
  }

  private Template.Filling sized(Template template) {
    return template
        .with("columns", tile.columns())
        .with("slot", slot())
        .with("all", IndexText.affine(tiles))
        .with("outputs", out().dim(1).constant())
        .with("place", place)
        .with("outputHeight", out().dim(2).constant())
        .with("outputWidth", out().dim(3).constant());
  }

  private TensorType out() {
    return s.step().node().output().type();
  }

  private String slot() {
    return SLOT.with("down", tile.tiles() / 8)
        .with("halfTiles", tile.tiles() / 2)
        .with("columns", tile.columns())
        .text();
  }

  private String hold() {
    List<Integer> inputs = heldInputs();
    return inputs.isEmpty()
        ? ""
        : sized(HOLD)
            .with("arrays", eachLine(inputs, i -> "float held%d[16];".formatted(i)))
            .with(
                "reads",
                eachLine(inputs, i -> HELD.formatted(i) + " = " + s.broadcast(i, at) + ";"))
            .text();
  }

  private static String eachLine(List<Integer> inputs, IntFunction<String> line) {
    return inputs.stream().map(line::apply).collect(Collectors.joining("\n"));
  }

  private Map<Integer, String> held() {
    return heldInputs().stream()
        .collect(Collectors.toMap(Function.identity(), i -> HELD.formatted(i)));
  }

  /* What the epilogue reads of every element, such as what a residual block adds. */
  private List<Integer> heldInputs() {
    Node node = s.step().node();
    return IntStream.range(node.operands(), node.inputs().size())
        .filter(i -> node.inputs().get(i).type().equals(out()))
        .boxed()
        .toList();
  }
}
