package io.miniinference.codegen.cpu;

import static io.miniinference.codegen.cpu.UnchosenNode.BLOCKED;
import static io.miniinference.codegen.cpu.UnchosenNode.LANES;
import static io.miniinference.codegen.cpu.UnchosenNode.hasZero;
import static io.miniinference.codegen.cpu.UnchosenNode.isOpen;
import static io.miniinference.codegen.cpu.UnchosenNode.isPositive;

import io.miniinference.codegen.cpu.lanes.ChannelLanes;
import io.miniinference.codegen.cpu.lanes.FewChannels;
import io.miniinference.codegen.cpu.lanes.GroupWindows;
import io.miniinference.codegen.cpu.lanes.LaneArray;
import io.miniinference.codegen.cpu.lanes.VectorEpilogue;
import io.miniinference.codegen.cpu.lanes.Weights;
import io.miniinference.codegen.cpu.packing.ByteFilters;
import io.miniinference.codegen.cpu.packing.CpuPacking;
import io.miniinference.codegen.cpu.packing.FloatsOfBytes;
import io.miniinference.codegen.cpu.winograd.Choice;
import io.miniinference.codegen.cpu.winograd.Tiling;
import io.miniinference.codegen.cpu.winograd.Tilings;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Node;
import io.miniinference.ir.Op;
import io.miniinference.ir.TensorType;
import io.miniinference.ir.Window;
import io.miniinference.layout.Affine;
import io.miniinference.lower.KernelChoice;
import io.miniinference.lower.Layout;
import io.miniinference.lower.Packing;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// Which form a convolution or a transposed one takes: Winograd's, a product, or a direct one, by
/// its groups, channels and window.
final class ConvChoices {
  /// Output channels from which on they lie in blocks of sixteen: of fewer, most lanes of a block
  /// would be empty memory.
  private static final int FEWEST_BLOCKED = 6;

  /// Blocks of channels from which on two at a time are faster, even where the last one is empty.
  private static final int WORTH_AN_EMPTY_BLOCK = 7;

  /// Most output pixels of a depthwise convolution in registers, beside a row of its filter.
  private static final int DEPTHWISE_PIXELS = 8;

  /// Most taps of a row of a depthwise convolution, each of which is a line of its kernel.
  private static final int MOST_DEPTHWISE_TAPS = 64;

  /// Most output pixels of a transposed convolution in registers, beside two vectors of weights.
  private static final int TRANSPOSED_PIXELS = 14;

  private final UnchosenNode it;
  private final Node node;
  private final Optional<Tilings> winograd;

  /// @param winograd empty where Winograd's forms may not be taken
  ConvChoices(UnchosenNode it, Optional<Tilings> winograd) {
    this.it = it;
    this.node = it.node();
    this.winograd = winograd;
  }

  /// The form of a convolution.
  KernelChoice<CpuStrategy> conv(Op.Conv op) {
    return directConv(op).or(() -> ofRows(op)).orElseGet(() -> it.loop(whyNoConv(op)));
  }

  /// The form of a transposed convolution.
  KernelChoice<CpuStrategy> transposedConv(Op.ConvTranspose op) {
    return transposed(op).orElseGet(() -> it.loop(whyNoTransposed()));
  }

  private Optional<KernelChoice<CpuStrategy>> directConv(Op.Conv op) {
    if (Op.Contraction.isOfBytes(node)) {
      return sumsBytes(node, op)
          ? it.epilogue(1).map(epilogue -> byteConv(op, epilogue))
          : Optional.empty();
    }
    if (isDepthwise(op)) {
      return it.epilogue(1).map(epilogue -> depthwise(epilogue, new CpuPacking.ConvWeights(LANES)));
    }
    if (!isPlane()) {
      return Optional.empty();
    }
    return op.groups() == 1
        ? it.epilogue(1).map(epilogue -> dense(op, epilogue))
        : GroupWindows.of(node, op.groups())
            .flatMap(windows -> it.epilogue(1).map(epilogue -> grouped(op, windows, epilogue)));
  }

  /* As for an input in rows, which it is brought into, where it lies in no plane: so does a turned
  view of blocks. */
  private Optional<KernelChoice<CpuStrategy>> ofRows(Op.Conv op) {
    if (ChannelLanes.isPlane(it.index(0))) {
      return Optional.empty();
    }
    return new ConvChoices(it.ofRows(), winograd)
        .directConv(op)
        .map(choice -> choice.withInput(0, Layout.ROW_MAJOR));
  }

  private KernelChoice<CpuStrategy> dense(Op.Conv op, VectorEpilogue epilogue) {
    if (hasFewChannels()) {
      return isReadOften(op.window()) && FewChannels.fits(node, op.window(), epilogue)
          ? toFewChannels(new FewChannels(false, op.window(), epilogue))
          : direct(op.window(), epilogue, "it has few output channels");
    }
    Choice choice = Choice.of(node, op, winograd);
    return choice
        .tiling()
        .map(tiling -> winograd(op, tiling, epilogue))
        .or(() -> pointwise(op, epilogue))
        .orElseGet(() -> direct(op.window(), epilogue, choice.why()));
  }

  /* To bring an image into blocks takes longer than to multiply it once by a few filters. */
  private boolean isReadOften(Window window) {
    return window.kernel().stream().anyMatch(k -> k > 1) || ChannelLanes.areBlocks(it.index(0));
  }

  private KernelChoice<CpuStrategy> winograd(Op.Conv op, Tiling tiling, VectorEpilogue epilogue) {
    WinogradConv form = new WinogradConv(tiling, epilogue, ofSmallImages(op, epilogue));
    return new FastForm(node, epilogue, BLOCKED, tiling.blocks() * LANES)
        .left(BLOCKED)
        .right(form.packing())
        .choice(form);
  }

  /* Where a request may have some. */
  private Optional<CpuStrategy.DirectConv> ofSmallImages(Op.Conv op, VectorEpilogue epilogue) {
    TensorType out = it.output();
    if (!isOpen(out)) {
      return Optional.empty();
    }
    int blocks = blocks(out);
    int pixels = pixels(out, op.window(), mostPixels(op.window(), blocks));
    return Optional.of(
        new CpuStrategy.DirectConv(
            blocks, pixels, Weights.of(null), "the image is small", epilogue));
  }

  private Optional<KernelChoice<CpuStrategy>> pointwise(Op.Conv op, VectorEpilogue epilogue) {
    return PointwiseConv.of(node, op, it.weights(), epilogue)
        .map(tile ->
            new FastForm(node, epilogue, BLOCKED, tile.blocks() * LANES)
                .left(BLOCKED)
                .right(it.weights().packing(new CpuPacking.ConvWeights(tile.blocks() * LANES)))
                .choice(tile));
  }

  private KernelChoice<CpuStrategy> direct(Window window, VectorEpilogue epilogue, String why) {
    TensorType out = it.output();
    int blocks = blocks(out);
    int pixels = pixels(out, window, mostPixels(window, blocks));
    return new FastForm(node, epilogue, channels(), blocks * LANES) // input may lie as it does
        .right(it.weights().packing(new CpuPacking.ConvWeights(blocks * LANES)))
        .choice(new CpuStrategy.DirectConv(blocks, pixels, it.weights(), why, epilogue));
  }

  private KernelChoice<CpuStrategy> toFewChannels(FewChannels form) {
    return new FastForm(node, form.epilogue(), Layout.ROW_MAJOR, LANES)
        .left(BLOCKED)
        .right(form.packing())
        .choice(new CpuStrategy.ToFewChannels(form));
  }

  private KernelChoice<CpuStrategy> grouped(
      Op.Conv op, GroupWindows windows, VectorEpilogue epilogue) {
    int blocks = windows.blocks();
    int pixels = pixels(it.output(), op.window(), mostPixels(op.window(), blocks));
    return new FastForm(node, epilogue, channels(), windows.lanes()) // the input as it lies
        .right(it.weights().packing(new CpuPacking.GroupedWeights(windows)))
        .choice(
            new CpuStrategy.DirectConv(blocks, pixels, it.weights(), "it has groups", epilogue));
  }

  /* One filter per channel. */
  private boolean isDepthwise(Op.Conv op) {
    TensorType out = it.output();
    Affine groups = Affine.of(op.groups());
    return op.groups() >= FEWEST_BLOCKED
        && isPlane()
        && hasRows(op.window())
        && out.dim(1).equals(groups)
        && it.left().dim(1).equals(groups);
  }

  /* Of taps that a text can name. */
  private static boolean hasRows(Window window) {
    return window.rank() <= 2 && window.kernel().getLast() <= MOST_DEPTHWISE_TAPS;
  }

  private KernelChoice<CpuStrategy> depthwise(VectorEpilogue epilogue, Packing filters) {
    int pixels = evenly(it.output().shape().getLast().typical(), DEPTHWISE_PIXELS);
    return new FastForm(node, epilogue, BLOCKED, LANES)
        .left(BLOCKED)
        .right(filters)
        .choice(new CpuStrategy.Depthwise(pixels, epilogue));
  }

  /// Whether a convolution of bytes has a kernel: it is of images of known sizes, and its channels
  /// fill integers of four bytes.
  static boolean sumsBytes(Node node, Op.Conv op) {
    TensorType x = node.inputs().getFirst().type();
    TensorType out = node.output().type();
    boolean isDepthwise = x.dim(1).equals(out.dim(1)) && x.dim(1).equals(Affine.of(op.groups()));
    return (isDepthwise || (op.groups() == 1 && isPositive(x.dim(1), Weights.FOUR)))
        && out.rank() == 4
        && isPositive(out.dim(1), 1)
        && out.dim(1).constant() >= FEWEST_BLOCKED
        && Stream.of(x, out)
            .allMatch(type -> type.shape().stream().skip(2).allMatch(d -> isPositive(d, 1)));
  }

  private KernelChoice<CpuStrategy> byteConv(Op.Conv op, VectorEpilogue epilogue) {
    if (op.groups() > 1) {
      return depthwise(epilogue, new FloatsOfBytes(new CpuPacking.ConvWeights(LANES)));
    }
    int blocks = blocks(it.output());
    int lanes = blocks * LANES;
    int pixels = pixels(it.output(), op.window(), mostPixels(op.window(), blocks));
    return new FastForm(node, epilogue, BLOCKED, lanes)
        .left(BLOCKED)
        .right(new ByteFilters(lanes))
        .choice(
            new CpuStrategy.DirectConv(
                blocks, pixels, Weights.ofBytes(), "products of bytes have none", epilogue));
  }

  private Optional<KernelChoice<CpuStrategy>> transposed(Op.ConvTranspose op) {
    TensorType out = it.output();
    if (!isPlane()) {
      return Optional.empty();
    }
    return (op.groups() == 1
            ? GroupWindows.of(node, 1, blocks(out) * LANES)
            : GroupWindows.of(node, op.groups(), LANES))
        .flatMap(windows -> it.epilogue(1).map(epilogue -> transposed(op, windows, epilogue)));
  }

  private KernelChoice<CpuStrategy> transposed(
      Op.ConvTranspose op, GroupWindows windows, VectorEpilogue epilogue) {
    return hasFewChannels()
            && op.groups() == 1
            && FewChannels.repeats(op.window())
            && FewChannels.fits(node, op.window(), epilogue)
        ? toFewChannels(new FewChannels(true, op.window(), epilogue))
        : new FastForm(node, epilogue, channels(), windows.lanes())
            .right(new CpuPacking.TransposedConvWeights(windows))
            .choice(
                new CpuStrategy.DirectConvTranspose(
                    windows.blocks(), strided(op.window()), epilogue));
  }

  /* The width of a tile of pixels a stride apart that leaves the least work for small ones. */
  private int strided(Window window) {
    Affine width = it.output().dim(it.output().rank() - 1);
    int stride = window.strides().getLast();
    int reach = window.dilations().getLast() * (window.kernel().getLast() - 1) / stride;
    long inside = Math.max(0, Math.ceilDiv(width.typical(), stride) - reach);
    return isOpen(it.output())
        ? TRANSPOSED_PIXELS
        : IntStream.rangeClosed(DirectConvTranspose.LEFT, TRANSPOSED_PIXELS)
            .boxed()
            .min(Comparator.comparingLong(pixels -> work(inside, pixels)))
            .orElseThrow();
  }

  /* Of whole tiles, a row of weights each, and of small ones, which take twice as long. */
  private static long work(long inside, int pixels) {
    long tiles = inside / pixels;
    long small = Math.ceilDiv(inside - tiles * pixels, DirectConvTranspose.LEFT);
    return tiles * (pixels + 2) + 2L * DirectConvTranspose.LEFT * small;
  }

  /* Registers hold 14 pixels of two blocks beside what is multiplied. Of a window of several taps a
  tile at a border has a text of its own, of which there are fewer with tiles of 7. */
  private static int mostPixels(Window window, int blocks) {
    boolean isPoint = window.kernel().stream().allMatch(k -> k == 1);
    return blocks == 2 && !isPoint ? 7 : 14;
  }

  private static int blocks(TensorType out) {
    long held = Math.ceilDiv(out.dim(1).constant(), LANES);
    return held % 2 == 0 || held >= WORTH_AN_EMPTY_BLOCK ? 2 : 1;
  }

  /* The widest tile up to `most` that leaves the fewest pixels for a last short one. */
  private static int pixels(TensorType out, Window window, int most) {
    if (out.shape().stream().skip(2).anyMatch(Affine::isOpen)) {
      return most;
    }
    long width = out.dim(out.rank() - 1).constant();
    List<Integer> kernel = window.kernel();
    boolean pointwise =
        kernel.subList(Math.max(0, kernel.size() - 2), kernel.size()).stream()
            .allMatch(k -> k == 1);
    long row = pointwise && out.rank() >= 4 ? width * out.dim(out.rank() - 2).constant() : width;
    return evenly(row, most);
  }

  /* The width of the fewest tiles of up to `most` pixels that a row takes. */
  private static int evenly(long row, int most) {
    long tiles = Math.ceilDiv(row, most);
    return (int) Math.max(1, Math.min(most, Math.ceilDiv(row, tiles)));
  }

  private boolean hasFewChannels() {
    return it.output().dim(1).constant() < FEWEST_BLOCKED;
  }

  /* How results lie whose channels are lanes. */
  private Layout channels() {
    return hasFewChannels() ? Layout.ROW_MAJOR : BLOCKED;
  }

  /* f32, one to three spatial axes of known extent, a constant weight, strides the text can hold. */
  private boolean isPlane() {
    TensorType w = it.right();
    TensorType out = it.output();
    boolean ranks = w.rank() == 3 || w.rank() == 4 || (w.rank() == 5 && !isOpen(out));
    return it.ofFloats()
        && isStored()
        && ranks
        && it.constant(1) != null
        && ChannelLanes.isPlane(it.index(0))
        && !hasZero(w)
        && out.shape().stream().skip(1).allMatch(d -> d.isConstant() && d.constant() > 0);
  }

  /* Convolutions store what lanes hold. */
  private boolean isStored() {
    ElementType stored = it.output().element();
    return node.op() instanceof Op.Conv ? LaneArray.suits(stored) : stored == ElementType.F32;
  }

  private String whyNoConv(Op.Conv op) {
    return isPlane() && GroupWindows.of(node, op.groups()).isEmpty()
        ? "a vector of output channels would be of too many groups"
        : whyNoPlane();
  }

  private String whyNoTransposed() {
    return isPlane() ? "a vector of output channels would be of too many groups" : whyNoPlane();
  }

  private String whyNoPlane() {
    if (!it.isFloat()) {
      return "its elements are not 32-bit floats";
    }
    if (it.constant(1) == null) {
      return "its weights are computed";
    }
    return !isPlane()
        ? "its spatial axes are of open size or more than three, or its input lies in no plane"
        : "its epilogue has no vector form";
  }
}
