package io.miniinference.codegen.gpu;

import io.miniinference.codegen.CType;
import io.miniinference.codegen.gpu.patch.PatchTile;
import io.miniinference.codegen.gpu.strip.StripKernel;
import io.miniinference.codegen.gpu.strip.StripWidth;
import io.miniinference.codegen.gpu.tile.ForBatch;
import io.miniinference.codegen.gpu.tile.HalfTile;
import io.miniinference.codegen.gpu.tile.ProductTile;
import io.miniinference.codegen.gpu.tile.TensorProducts;
import io.miniinference.codegen.gpu.tile.TensorTile;
import io.miniinference.codegen.gpu.tile.Tile;
import io.miniinference.codegen.gpu.tile.TileChoice;
import io.miniinference.codegen.gpu.tile.TiledProduct;
import io.miniinference.codegen.gpu.tile.WinogradTile;
import io.miniinference.codegen.trees.TreeEnsembleGroups;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Node;
import io.miniinference.ir.Op;
import io.miniinference.ir.TensorType;
import io.miniinference.ir.TreeEnsemble;
import io.miniinference.layout.Affine;
import io.miniinference.layout.IndexFunction;
import io.miniinference.lower.Consumer;
import io.miniinference.lower.KernelChoice;
import io.miniinference.lower.Layout;
import io.miniinference.lower.Packing;
import io.miniinference.lower.Precision;
import io.miniinference.lower.Target.Operand;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The GPU writer's decisions for one node: kernel form, layouts, packings.
final class GpuChoices {
  /// Fewest output channels or columns that are worth a tile.
  private static final int FEWEST_COLUMNS = 4;

  /// Channels of a group, on either side, from which on tiles multiply faster than work items
  /// alone.
  private static final int FEWEST_GROUPED = 32;

  /// Most products per element for which a convolution of one to three channels, which cannot be
  /// loaded four at a time, is better off without tiles.
  private static final int SHALLOW = 32;

  private final Node node;
  private final List<Operand> inputs;
  private final List<Consumer> consumers;
  private final TensorProducts products;
  private final Precision precision;
  private final List<@Nullable Layout> layouts;
  private final List<@Nullable Packing> packings;

  GpuChoices(
      Node node,
      List<Operand> inputs,
      List<Consumer> consumers,
      TensorProducts products,
      Precision precision) {
    this.node = node;
    this.inputs = inputs;
    this.consumers = consumers;
    this.products = products;
    this.precision = precision;
    layouts = new ArrayList<@Nullable Layout>(Collections.<@Nullable Layout>nCopies(count(), null));
    packings =
        new ArrayList<@Nullable Packing>(Collections.<@Nullable Packing>nCopies(count(), null));
  }

  private int count() {
    return node.inputs().size();
  }

  KernelChoice<GpuStrategy> choose() {
    return switch (node.op()) {
      case Op.Elementwise _, Op.WindowReduce _, Op.RowMap _, Op.Reduce _ ->
          plain(GpuLayouts.kept(node, inputs, consumers));
      case Op.MatMul op -> matMul(op);
      case Op.Conv op -> convolution(op);
      case Op.ConvTranspose _ -> transposedConvolution();
      case Op.TopK op -> TopKTiles.choice(node, op, plain(Layout.ROW_MAJOR));
      case Op.Scatter op when ClaimedScatter.suits(node, op) ->
          ClaimedScatter.choice(node, op, plain(Layout.ROW_MAJOR));
      case Op.NonMaxSuppression _ -> SortedSuppression.choice(node, plain(Layout.ROW_MAJOR));
      case Op.Recurrent _ ->
          RecurrentLayers.choice(node, isKnownRecurrence(), s -> choice(s, Layout.ROW_MAJOR));
      case TreeEnsemble _ ->
          TreeEnsembleGroups.choice(node, inputs.getFirst().index(), GpuStrategy.Own::new);
      case Op.Indexed _, Op.Positional _, Op.Rearrangement _, Op.Control _ ->
          plain(Layout.ROW_MAJOR);
      case Op.Attention op ->
          choice(
              new GpuStrategy.TiledAttention(TiledAttention.tile(node, op).orElseThrow()),
              Layout.ROW_MAJOR);
    };
  }

  private boolean isKnownRecurrence() {
    return inputs.get(Op.Recurrent.WEIGHTS).constant() != null;
  }

  private KernelChoice<GpuStrategy> plain(Layout output) {
    return choice(new GpuStrategy.Plain(), output);
  }

  /* A work item reads what its epilogue reads at the indices that it writes, each before it writes
  there. */
  private KernelChoice<GpuStrategy> choice(GpuStrategy strategy, Layout output) {
    boolean inPlace = KernelChoice.readsWhereItWrites(node);
    return new KernelChoice<>(strategy, layouts, packings, output, inPlace, List.of());
  }

  private KernelChoice<GpuStrategy> matMul(Op.MatMul op) {
    TensorType a = node.inputs().get(0).type();
    TensorType b = node.inputs().get(1).type();
    Affine depth = a.dim(op.transposeA() ? a.rank() - 2 : a.rank() - 1);
    boolean joined = !op.transposeA() && b.rank() == 2;
    boolean weight = b.rank() == 2 && inputs.get(1).constant() != null;
    boolean fits =
        isFloat()
            && isCount(depth)
            && hasColumns(node.output().type().dim(node.output().type().rank() - 1))
            && (joined || TiledMatMul.hasFixedMatrix(inputs.get(0).index()))
            && (weight || TiledMatMul.hasFixedMatrix(inputs.get(1).index()));
    if (!fits) {
      return plain(Layout.ROW_MAJOR);
    }
    if (joined) {
      layouts.set(0, Layout.ROW_MAJOR);
    }
    long rows = expected(rows(joined));
    long columns = expected(node.output().type().shape().getLast());
    if (rounds(rows, columns, expected(depth))) {
      return rounded(op, joined, weight);
    }
    if (weight) {
      packings.set(1, new GpuPacking.Matrix(op.transposeB()));
    }
    Tile tile = Tile.of(rows, columns, expected(depth));
    var tiled = new GpuStrategy.TiledMatMul(tile, joined);
    return joined && weight
        ? whole(tile, tiled, depth.constant())
        : choice(tiled, Layout.ROW_MAJOR);
  }

  private static Affine pixels(TensorType image) {
    return image.shape().stream().skip(2).reduce(Affine.ONE, Affine::times);
  }

  /* Of 32-bit floats. */
  private static List<ForBatch<ProductTile>> tiles(Affine rows, Affine columns, long depth) {
    long wide = expected(columns);
    List<TileChoice.Candidate> candidates = Tile.candidates(expected(rows), wide, depth);
    return TileChoice.of(candidates, expected(rows), wide, !rows.isConstant());
  }

  private boolean rounds(long rows, long columns, long depth) {
    ElementType numbers =
        precision == Precision.TF32 ? ElementType.F32 : precision.storage().orElse(null);
    return products != TensorProducts.NONE
        && !(node.op() instanceof Op.Contraction sums && sums.exact())
        && node.operandValues().stream().allMatch(v -> v.type().element() == numbers)
        && TensorTile.suits(rows, columns, depth);
  }

  private KernelChoice<GpuStrategy> rounded(Op.MatMul op, boolean joined, boolean weight) {
    if (weight) {
      packings.set(1, new GpuPacking.Lined(1, !op.transposeB()));
    }
    Affine rows = rows(true);
    long columns = expected(node.output().type().shape().getLast());
    List<ForBatch<ProductTile>> tiles = tiles(expected(rows), columns, !rows.isConstant());
    return byBatch(tiles, tile -> new GpuStrategy.TiledMatMul(tile, joined), Layout.ROW_MAJOR);
  }

  private List<ForBatch<ProductTile>> tiles(long rows, long columns, boolean batched) {
    List<TileChoice.Candidate> candidates =
        precision
            .storage()
            .map(type -> HalfTile.candidates(CType.of(type), products))
            .orElseGet(() -> TensorTile.candidates(products));
    return TileChoice.of(candidates, rows, columns, batched);
  }

  private <T> KernelChoice<GpuStrategy> byBatch(
      List<ForBatch<T>> tiles, Function<T, GpuStrategy> product, Layout output) {
    return byBatch(
        tiles.stream().map(t -> new ByBatch.Variant(t.from(), product.apply(t.tile()))).toList(),
        output);
  }

  private KernelChoice<GpuStrategy> byBatch(List<ByBatch.Variant> variants, Layout output) {
    return choice(
        variants.size() == 1 ? variants.getFirst().product() : new ByBatch(variants), output);
  }

  private KernelChoice<GpuStrategy> whole(Tile tile, GpuStrategy.TiledMatMul tiled, long depth) {
    Affine columns = node.output().type().shape().getLast();
    int parts =
        columns.isConstant()
            ? SplitMatMul.parts(tile, expected(rows(true)), columns.constant(), depth)
            : 1;
    return parts == 1
        ? byBatch(
            tiles(rows(true), columns, depth),
            it -> new GpuStrategy.TiledMatMul(it, true),
            Layout.ROW_MAJOR)
        : split(tiled, parts);
  }

  private KernelChoice<GpuStrategy> split(GpuStrategy.TiledMatMul tiled, int parts) {
    KernelChoice<GpuStrategy> whole = choice(tiled, Layout.ROW_MAJOR);
    return new KernelChoice<>(
        new SplitMatMul(tiled, parts),
        whole.inputs(),
        whole.packings(),
        whole.output(),
        whole.epilogueInPlace(),
        SplitMatMul.scratch(node.output().type().shape(), parts));
  }

  private Affine rows(boolean joined) {
    List<Affine> shape = node.output().type().shape();
    return shape.subList(joined ? 0 : shape.size() - 2, shape.size() - 1).stream()
        .reduce(Affine.ONE, Affine::times);
  }

  /* What one request of a batch has; of a size that differs from request to request a value that
  stands for all of its range, of which there are two. */
  private static long expected(Affine size) {
    long own = size.isConstant() ? size.constant() : size.perBatch();
    return !size.isOpen() ? own : own < Tile.FEW_ROWS ? Tile.FEW_ROWS / 4 : 4 * Tile.FEW_ROWS;
  }

  private static boolean hasColumns(Affine columns) {
    return columns.isConstant() ? isCount(columns) : columns.perBatch() > 0;
  }

  /* A known positive number that an `int` holds with room for a tile. */
  private static boolean isCount(Affine size) {
    return size.isConstant() && size.constant() > 0 && size.constant() < 1 << 30;
  }

  private KernelChoice<GpuStrategy> convolution(Op.Conv op) {
    Layout output = GpuLayouts.ofConvolution(node, consumers);
    if (!isFloat() || inputs.get(1).constant() == null) {
      return plain(output);
    }
    packings.set(1, new GpuPacking.ConvWeights(false));
    TensorType out = node.output().type();
    boolean tiled =
        out.rank() <= 5
            && out.dim(1).constant() >= FEWEST_COLUMNS
            && isFixedImage(out)
            && isFixedImage(node.inputs().get(0).type());
    if (GpuLayouts.wantsChannelsLast(node) && !hasChannelsInside(inputs.getFirst().index())) {
      layouts.set(0, GpuLayouts.CHANNELS_LAST);
    }
    if (!tiled || !hasFixedStrides(inputs.get(0).index())) {
      return plain(output);
    }
    TensorType w = node.inputs().get(1).type();
    long pixels = expected(pixels(out));
    long depth = w.elements().constant() / w.dim(0).constant();
    Optional<StripWidth> strips = suitsStrips(op, output) ? StripWidth.of(node) : Optional.empty();
    if (strips.isPresent()) {
      return strips(strips.get(), output);
    }
    if (op.groups() > 1) {
      return grouped(op, pixels, output);
    }
    boolean lanes = isShallow() && output.equals(GpuLayouts.CHANNELS_LAST);
    if (lanes || depth == 0) {
      return plain(output);
    }
    if (precision == Precision.F32 && WinogradConv.suits(node, op)) {
      return winograd(out, Math.ceilDiv(pixels, 4L), output);
    }
    if (rounds(pixels, w.dim(0).constant(), depth)) {
      return rounded(out, w, pixels, output);
    }
    List<ForBatch<PatchTile>> patches = patches(output);
    return !patches.isEmpty()
        ? byBatch(patches, GpuStrategy.Patches::new, output)
        : byBatch(
            tiles(out.dim(0).times(pixels(out)), w.dim(0), depth),
            GpuStrategy.TiledConv::new,
            output);
  }

  /* None where another form is better. */
  private List<ForBatch<PatchTile>> patches(Layout output) {
    if (!hasFours() || !output.equals(GpuLayouts.CHANNELS_LAST)) {
      return List.of();
    }
    TensorType out = node.output().type();
    List<ForBatch<PatchTile>> tiles = PatchTile.of(node, typical(out));
    boolean reach = tiles.stream().allMatch(it -> it.tile().reaches(imageStride(), out));
    return reach ? tiles : List.of();
  }

  /* With what stands for sizes that differ from request to request. */
  private static TensorType typical(TensorType type) {
    List<Affine> shape =
        type.shape().stream()
            .map(size -> size.isOpen() ? Affine.of(expected(size)) : size)
            .toList();
    return new TensorType(type.element(), shape);
  }

  /* Elements from one image to the next, from where the images are or will be put. */
  private long imageStride() {
    List<Affine> shape = node.inputs().getFirst().type().shape();
    Affine stride =
        layouts.getFirst() == null
            ? inputs.getFirst().index().axes().getFirst().stride()
            : shape.stream().skip(1).reduce(Affine.ONE, Affine::times);
    return stride.isConstant() ? stride.constant() : Long.MAX_VALUE;
  }

  /* Single pixels where a batch has too few strips. */
  private KernelChoice<GpuStrategy> strips(StripWidth width, Layout output) {
    var wide = new ByBatch.Variant(width.from(), new GpuStrategy.Strips(width.pixels()));
    return byBatch(
        width.from() <= 1
            ? List.of(wide)
            : List.of(new ByBatch.Variant(0, new GpuStrategy.Plain()), wide),
        output);
  }

  /* Few input channels, or a filter for each, whose windows have most of their inputs in common. Strips
  are made for one size of images. */
  private boolean suitsStrips(Op.Conv op, Layout output) {
    TensorType out = node.output().type();
    return out.rank() == 4
        && out.shape().stream().noneMatch(Affine::isOpen)
        && out.dim(1).isMultipleOf(4)
        && output.equals(GpuLayouts.CHANNELS_LAST)
        && (StripKernel.isDepthwise(node)
            ? hasFours() && op.window().strides().getLast() == 1
            : isShallow());
  }

  /* Whether channels of the image are read four at a time, from where they are or will be put. */
  private boolean hasFours() {
    return layouts.getFirst() != null || TiledProduct.isVector(inputs.getFirst().index(), 1);
  }

  /* Few products an element, of channels that cannot be loaded four at a time. */
  private boolean isShallow() {
    TensorType w = node.inputs().get(1).type();
    long depth = w.elements().constant() / w.dim(0).constant();
    boolean isWhole = ((Op.Conv) node.op()).groups() == 1;
    return isWhole
        && w.dim(1).constant() < 4
        && depth <= SHALLOW
        && depth > 0
        && w.dim(0).isMultipleOf(4);
  }

  /* Whether an image is read as well as one in the layout of its own, of whose channels it may be a
  part. */
  private static boolean hasChannelsInside(IndexFunction image) {
    return GpuLayouts.isChannelsLast(image)
        && hasFixedStrides(image)
        && (!image.axes().get(1).extent().isMultipleOf(4) || TiledProduct.isVector(image, 1));
  }

  /* Groups of whole tiles: between narrow ones, tiles would multiply in vain. */
  private KernelChoice<GpuStrategy> grouped(Op.Conv op, long pixels, Layout output) {
    TensorType w = node.inputs().get(1).type();
    long columns = w.dim(0).constant() / op.groups();
    long depth = w.elements().constant() / w.dim(0).constant();
    Tile tile = Tile.of(pixels, columns, depth);
    boolean fits =
        columns >= FEWEST_GROUPED
            && columns % tile.columns() == 0
            && w.dim(1).constant() >= FEWEST_GROUPED;
    return fits ? choice(new GpuStrategy.TiledConv(tile), output) : plain(output);
  }

  private KernelChoice<GpuStrategy> winograd(TensorType out, long tilesOfImage, Layout output) {
    boolean batched = !out.dim(0).isConstant();
    long tiles = batched ? tilesOfImage : tilesOfImage * out.dim(0).constant();
    return byBatch(
        WinogradTile.of(tiles, out.dim(1).constant(), batched),
        GpuStrategy.WinogradTiles::new,
        output);
  }

  private KernelChoice<GpuStrategy> rounded(
      TensorType out, TensorType weights, long pixels, Layout output) {
    packings.set(1, new GpuPacking.Lined(weights.dim(1).constant(), false));
    List<ForBatch<ProductTile>> tiles =
        tiles(pixels, weights.dim(0).constant(), !out.dim(0).isConstant());
    return byBatch(tiles, GpuStrategy.TiledConv::new, output);
  }

  /* Whether one image's extents are known, positive, and its elements few enough for 32 bits. */
  private static boolean isFixedImage(TensorType type) {
    Affine elements = Affine.ONE;
    for (Affine dim : type.shape().subList(1, type.rank())) {
      if (!isCount(dim)) {
        return false;
      }
      elements = elements.times(dim);
      if (!isCount(elements)) {
        return false;
      }
    }
    return true;
  }

  /// Whether all of an image is reached by 32-bit offsets from its start.
  static boolean hasFixedStrides(IndexFunction index) {
    return index.axes().stream()
        .skip(1)
        .allMatch(a ->
            !a.isBlocked()
                && a.stride().isConstant()
                && Math.abs(a.stride().constant()) * a.extent().constant() < 1 << 30);
  }

  private KernelChoice<GpuStrategy> transposedConvolution() {
    if (isFloat() && inputs.get(1).constant() != null) {
      packings.set(1, new GpuPacking.ConvWeights(true));
    }
    return plain(GpuLayouts.ofConvolution(node, consumers));
  }

  private boolean isFloat() {
    return node.operandValues().stream().allMatch(v -> CType.of(v.type().element()).isFloat());
  }
}
