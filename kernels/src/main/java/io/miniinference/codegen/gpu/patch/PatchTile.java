package io.miniinference.codegen.gpu.patch;

import io.miniinference.codegen.gpu.tile.ForBatch;
import io.miniinference.ir.Node;
import io.miniinference.ir.Op;
import io.miniinference.ir.TensorType;
import io.miniinference.ir.Window;
import io.miniinference.layout.Affine;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/// How a work-group shares out a direct convolution: it owns `patches` patches of two lines of
/// `width` neighbouring pixels, with `columns` of their channels; a work item has four channels of
/// one patch.
///
/// @param width pixels of a line of a patch, even
/// @param patches of a work-group
/// @param columns output channels of a work-group, a multiple of 4
/// @param windowHeight lines of a window
/// @param windowWidth pixels of a line of a window
public record PatchTile(int width, int patches, int columns, int windowHeight, int windowWidth) {
  /// Lines of a patch.
  static final int HEIGHT = 2;

  /// Input channels at a time.
  static final int DEPTH = 4;

  private static final int LANES = 4;
  private static final List<Integer> WIDTHS = List.of(2, 4);
  private static final int MOST_ITEMS = 128;
  private static final int MOST_PATCHES = 32;
  private static final int MOST_COLUMNS = 64;

  /// Fewest columns of a part of the output channels.
  private static final int FEWEST_COLUMNS = 12;

  /// What every device has.
  private static final int MOST_LOCAL_BYTES = 32 << 10;

  /// Tiles for larger batches one after the other: wide ones from where there are enough of them.
  /// None where the form is not worth it.
  ///
  /// @param convolution of one group
  /// @param out type of its result, in which a size that each request has another of has one that
  ///   stands for it
  public static List<ForBatch<PatchTile>> of(Node convolution, TensorType out) {
    Window window = ((Op.Conv) convolution.op()).window();
    long channels = convolution.inputs().get(1).type().dim(1).constant();
    if (!suits(window, channels, out)) {
      return List.of();
    }
    List<PatchTile> tiles =
        WIDTHS.stream()
            .filter(width -> !wastes(width, out))
            .map(width -> of(width, window, columns(out.dim(1).constant())))
            .toList();
    return byBatch(tiles, out);
  }

  private static List<ForBatch<PatchTile>> byBatch(List<PatchTile> tiles, TensorType out) {
    List<ForBatch<PatchTile>> sizes = new ArrayList<>();
    for (PatchTile tile : tiles) {
      long from = sizes.isEmpty() ? 0 : tile.enough(out);
      if (from <= (out.dim(0).isConstant() ? 1 : ForBatch.MOST)) {
        sizes.add(new ForBatch<>(from, tile));
      }
    }
    return out.dim(0).isConstant() ? sizes.subList(sizes.size() - 1, sizes.size()) : sizes;
  }

  /* Neighbouring windows of some channels, which have most of their inputs in common. */
  private static boolean suits(Window window, long channels, TensorType out) {
    return window.rank() == 2
        && IntStream.range(0, 2)
            .allMatch(axis ->
                List.of(3, 5).contains(window.kernel().get(axis))
                    && window.strides().get(axis) == 1
                    && window.dilations().get(axis) == 1)
        && channels > 0
        && channels % DEPTH == 0
        && out.dim(1).isMultipleOf(LANES)
        && columns(out.dim(1).constant()) > 0
        && !wastes(WIDTHS.getFirst(), out);
  }

  /* Whether more than a fifth is computed in vain. */
  private static boolean wastes(int width, TensorType out) {
    long height = out.dim(2).constant();
    long line = out.dim(3).constant();
    return 5 * roundedUp(height, HEIGHT) * roundedUp(line, width) > 6 * height * line;
  }

  private static long roundedUp(long size, int unit) {
    return Math.ceilDiv(size, (long) unit) * unit;
  }

  /* The largest part of the output channels for which one work-group is not too large; 0 where they
  cannot be parted well. */
  private static int columns(long outputs) {
    for (int columns = (int) Math.min(outputs, MOST_COLUMNS); columns >= LANES; columns -= LANES) {
      if (outputs % columns == 0) {
        return columns >= Math.min(outputs, FEWEST_COLUMNS) ? columns : 0;
      }
    }
    return 0;
  }

  private static PatchTile of(int width, Window window, int columns) {
    int patches = MOST_PATCHES;
    PatchTile tile =
        new PatchTile(width, patches, columns, window.kernel().get(0), window.kernel().get(1));
    while (tile.items() > MOST_ITEMS || tile.localBytes() > MOST_LOCAL_BYTES) {
      patches /= 2;
      tile = new PatchTile(width, patches, columns, tile.windowHeight, tile.windowWidth);
    }
    return tile;
  }

  /* The smallest batch with enough work-groups. */
  private long enough(TensorType out) {
    Affine images = out.dim(0);
    long own = Math.max(1, images.isConstant() ? images.constant() : images.perBatch());
    long groupsOfColumns = out.dim(1).constant() / columns;
    return Math.ceilDiv(
        ForBatch.MULTIPROCESSORS * patches, own * patchesOfImage(out) * groupsOfColumns);
  }

  private static long patchesOf(TensorType out, int axis, int size) {
    return Math.ceilDiv(out.dim(axis).constant(), (long) size);
  }

  private long patchesOfImage(TensorType out) {
    return patchesOf(out, 2, HEIGHT) * patchesOf(out, 3, width);
  }

  /// Whether the elements of all images that a work-group has to do with are told apart in 32 bits.
  ///
  /// @param imageStride elements from one image to the next
  public boolean reaches(long imageStride, TensorType out) {
    long images = Math.ceilDiv(patches - 1, Math.max(1, patchesOfImage(out))) + 1;
    return Math.abs(imageStride) <= Integer.MAX_VALUE / images;
  }

  /// Work items of a work-group.
  int items() {
    return patches * quads();
  }

  /// Work items that share a patch.
  int quads() {
    return columns / LANES;
  }

  /// Pixels of a patch.
  int pixels() {
    return HEIGHT * width;
  }

  int taps() {
    return windowHeight * windowWidth;
  }

  /// Lines of inputs under the windows of a patch.
  int lines() {
    return HEIGHT + windowHeight - 1;
  }

  /// Inputs of such a line.
  int line() {
    return width + windowWidth - 1;
  }

  /// Floats from one such line to the next: whole `float4`s.
  int linePitch() {
    return (int) roundedUp(line(), LANES);
  }

  /// Floats from one patch to the next: four more than it has, so that neighbours lie in different
  /// banks of local memory.
  int pitch() {
    return lines() * linePitch() + LANES;
  }

  /// Inputs that a work-group reads of four channels, four channels at a time.
  int inputs() {
    return patches * lines() * line();
  }

  /// Weights that it reads of four channels, four output channels at a time.
  int weights() {
    return taps() * DEPTH * quads();
  }

  /// How often each work item reads inputs.
  int inputUnits() {
    return Math.ceilDiv(inputs(), items());
  }

  /// How often each work item reads weights.
  int weightUnits() {
    return Math.ceilDiv(weights(), items());
  }

  /// Floats of local memory for inputs.
  int floatsOfInputs() {
    return DEPTH * patches * pitch();
  }

  /// Floats of local memory for weights.
  int floatsOfWeights() {
    return DEPTH * taps() * columns;
  }

  private int localBytes() {
    return (floatsOfInputs() + floatsOfWeights()) * Float.BYTES;
  }
}
