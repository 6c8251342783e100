package io.miniinference.codegen.cpu;

import io.miniinference.codegen.NonMaxSuppressionText;
import io.miniinference.codegen.cpu.lanes.AttentionText;
import io.miniinference.codegen.cpu.lanes.ByteColumns;
import io.miniinference.codegen.cpu.lanes.ByteFilters;
import io.miniinference.codegen.cpu.lanes.ChannelLanes;
import io.miniinference.codegen.cpu.lanes.FewChannels;
import io.miniinference.codegen.cpu.lanes.FloatsOfBytes;
import io.miniinference.codegen.cpu.lanes.GemmTile;
import io.miniinference.codegen.cpu.lanes.GroupWindows;
import io.miniinference.codegen.cpu.lanes.LaneArray;
import io.miniinference.codegen.cpu.lanes.RowPool;
import io.miniinference.codegen.cpu.lanes.VectorEpilogue;
import io.miniinference.codegen.cpu.lanes.VectorText;
import io.miniinference.codegen.cpu.lanes.Weights;
import io.miniinference.codegen.cpu.order.TopKChunks;
import io.miniinference.codegen.cpu.recurrent.RowsOfStates;
import io.miniinference.codegen.cpu.winograd.Choice;
import io.miniinference.codegen.cpu.winograd.Tiling;
import io.miniinference.codegen.recurrent.RowLoop;
import io.miniinference.codegen.trees.TreeEnsembleBlocks;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Expr;
import io.miniinference.ir.Node;
import io.miniinference.ir.Op;
import io.miniinference.ir.TensorType;
import io.miniinference.ir.TreeEnsemble;
import io.miniinference.ir.Window;
import io.miniinference.layout.Affine;
import io.miniinference.layout.Axis;
import io.miniinference.layout.IndexFunction;
import io.miniinference.lower.Consumer;
import io.miniinference.lower.KernelChoice;
import io.miniinference.lower.Layout;
import io.miniinference.lower.Packing;
import io.miniinference.lower.Target.Operand;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The CPU writer's decisions for one node: kernel form, layouts, packings.
final class CpuChoices {
  private static final int LANES = VectorText.LANES;
  private static final Layout BLOCKED = new Layout.Blocked(1, LANES);

  /// Output channels from which on they lie in blocks of sixteen: of fewer, most lanes of a block
  /// would be empty memory.
  private static final int FEWEST_BLOCKED = 6;

  /// Blocks of channels from which on two at a time are faster, even where the last one is empty.
  private static final int WORTH_AN_EMPTY_BLOCK = 7;

  /// Most output pixels of a depthwise convolution in registers, beside a row of its filter.
  private static final int DEPTHWISE_PIXELS = 8;

  private final Node node;
  private final List<Operand> inputs;
  private final List<Consumer> consumers;
  private final boolean hasWinograd;
  private @Nullable Weights weights;

  CpuChoices(Node node, List<Operand> inputs, List<Consumer> consumers, boolean hasWinograd) {
    this.node = node;
    this.inputs = inputs;
    this.consumers = consumers;
    this.hasWinograd = hasWinograd;
  }

  KernelChoice<CpuStrategy> choose() {
    return switch (node.op()) {
      case Op.Elementwise map ->
          loop(
              elementwiseLayout(map.expr()),
              "its arrays have no runs of neighbours, or its elements no vector form");
      case Op.MatMul op ->
          packedGemm(op).or(() -> panelGemm(op)).orElseGet(() -> loop(whyNoGemm(op)));
      case Op.Attention op -> attention(op);
      case Op.Conv op -> directConv(op).or(() -> ofRows(op)).orElseGet(() -> loop(whyNoConv(op)));
      case Op.ConvTranspose op -> transposed(op).orElseGet(() -> loop(whyNoTransposed()));
      case Op.WindowReduce op -> pool(op);
      case Op.Gather _ -> gather();
      case Op.TopK op ->
          TopKChunks.choice(node, op, inputs.getFirst().index(), CpuStrategy.Own::new);
      case Op.Reduce op -> reduction(op);
      case Op.Scatter _ -> loop("updates are made one after the other");
      case Op.RowMap op -> rows(op);
      case Op.NonMaxSuppression _ ->
          NonMaxSuppressionText.choice(
              inputs.getFirst().index(), plain(new CpuStrategy.Boxes(), Layout.ROW_MAJOR));
      case Op.Recurrent _ -> recurrent();
      case TreeEnsemble _ ->
          TreeEnsembleBlocks.choice(node, inputs.getFirst().index(), CpuStrategy.Own::new);
      case Op.Scan op when ScanColumns.fits(node, op) -> plain(new ScanColumns(), Layout.ROW_MAJOR);
      case Op.Positional _ -> loop("each element waits for the one before");
      case Op.Rearrangement _, Op.Control _ -> loop("moves data only");
    };
  }

  private KernelChoice<CpuStrategy> recurrent() {
    List<IndexFunction> indices = inputs.stream().map(Operand::index).toList();
    if (RowsOfStates.fits(node, inputs.get(Op.Recurrent.WEIGHTS).constant())) {
      return RowsOfStates.choice(node, indices, new CpuStrategy.RowsOfSteps());
    }
    KernelChoice<CpuStrategy> plain = plain(new CpuStrategy.StepsOfRow(), Layout.ROW_MAJOR);
    return plain.withScratch(RowLoop.scratch(node));
  }

  private KernelChoice<CpuStrategy> loop(String why) {
    return loop(Layout.ROW_MAJOR, why);
  }

  /// @param why what keeps a faster form from the node
  private KernelChoice<CpuStrategy> loop(Layout output, String why) {
    return plain(new CpuStrategy.Loop(why), output);
  }

  private KernelChoice<CpuStrategy> reduction(Op.Reduce op) {
    IndexFunction x = inputs.getFirst().index();
    if (ChannelSums.fits(node, op, x)) {
      return plain(new ChannelSums(), Layout.ROW_MAJOR);
    }
    if (RowReduce.fits(node, op, x)) {
      return plain(new RowReduce(), Layout.ROW_MAJOR);
    }
    return ReduceKernel.SideBySide.fits(node, op, x)
        ? plain(new ReduceKernel.SideBySide(), Layout.ROW_MAJOR)
        : loop("its results are no neighbours, nor sums or extremes of whole rows of floats");
  }

  private KernelChoice<CpuStrategy> rows(Op.RowMap op) {
    if (!RowVectors.fits(node, op)) {
      return loop("its rows are short, not of 32-bit floats or not along last axes");
    }
    RowVectors vectors = new RowVectors(op.rowAxes().size());
    return converting(vectors, i -> vectors.lies(node, i, inputs.get(i).index()));
  }

  /* A form whose operands are put in logical order where they do not lie as it reads them. */
  private KernelChoice<CpuStrategy> converting(CpuStrategy strategy, IntPredicate lies) {
    List<@Nullable Layout> layouts =
        IntStream.range(0, inputs.size())
            .<@Nullable Layout>mapToObj(i -> lies.test(i) ? null : Layout.ROW_MAJOR)
            .toList();
    return new KernelChoice<>(
        strategy,
        layouts,
        Collections.nCopies(inputs.size(), null),
        Layout.ROW_MAJOR,
        false,
        List.of());
  }

  private Optional<KernelChoice<CpuStrategy>> panelGemm(Op.MatMul op) {
    return PanelGemm.fits(node, op)
            && PanelGemm.suits(node, op, inputs.stream().map(Operand::index).toList())
        ? Optional.of(plain(PanelGemm.of(node, op), Layout.ROW_MAJOR))
        : Optional.empty();
  }

  /* Only made of nodes where it fits. */
  private KernelChoice<CpuStrategy> attention(Op.Attention op) {
    if (!AttentionText.fits(node, op)) {
      throw new IllegalStateException("no kernel for attention of these sizes: " + node.name());
    }
    return converting(
        new CpuStrategy.Attention(op), i -> AttentionText.suits(node, i, inputs.get(i).index()));
  }

  private String whyNoGemm(Op.MatMul op) {
    if (!isFloat()) {
      return "its elements are not 32-bit floats";
    }
    return PanelGemm.fits(node, op)
        ? "its left operand lies in blocks, or its right one in no lines for an open depth"
        : "its rows, depth or columns are of open size, or few or many";
  }

  private String whyNoConv(Op.Conv op) {
    return isPlane() && GroupWindows.of(node, op.groups()).isEmpty()
        ? "a vector of output channels would be of too many groups"
        : whyNoPlane();
  }

  private String whyNoTransposed() {
    if (!isPlane()) {
      return whyNoPlane();
    }
    return node.output().type().rank() != 4
        ? "its spatial axes are not two"
        : "a vector of output channels would be of too many groups";
  }

  private String whyNoPlane() {
    if (!isFloat()) {
      return "its elements are not 32-bit floats";
    }
    if (inputs.get(1).constant() == null) {
      return "its weights are computed";
    }
    return !isPlane()
        ? "its spatial axes are of open size or more than three, or its input lies in no plane"
        : "its epilogue has no vector form";
  }

  private KernelChoice<CpuStrategy> gather() {
    return loop("indices are read one by one")
        .withEpilogueInPlace(KernelChoice.readsWhereItWrites(node));
  }

  private KernelChoice<CpuStrategy> plain(CpuStrategy strategy, Layout output) {
    return KernelChoice.plain(strategy, node.inputs().size(), output);
  }

  /* Stays blocked where an operand is that it reads channel by channel, as a Resize does, too, and
  becomes so where a convolution or pool reads it. */
  private Layout elementwiseLayout(Expr expr) {
    TensorType out = node.output().type();
    if (out.rank() < 3 || out.rank() > 5 || !out.dim(1).isConstant()) {
      return Layout.ROW_MAJOR;
    }
    for (int i = 0; i < inputs.size(); i++) {
      boolean same = node.inputs().get(i).type().shape().equals(out.shape());
      if ((same || ChannelLanes.areRead(expr, i))
          && ChannelLanes.areBlocks(inputs.get(i).index())) {
        return BLOCKED;
      }
    }
    boolean windowed =
        consumers.stream()
            .filter(consumer -> consumer.readsChannelsAsTheyAre(out))
            .map(Consumer::node)
            .anyMatch(c -> c.op() instanceof Op.WindowReduce || c.op() instanceof Op.Conv);
    boolean isRead = out.element() == ElementType.F32 || out.element() == ElementType.U8;
    return windowed && isRead && out.dim(1).constant() >= LANES ? BLOCKED : Layout.ROW_MAJOR;
  }

  static Layout concatLayout(Node node, List<Operand> inputs) {
    boolean all = inputs.stream().allMatch(o -> ChannelLanes.areBlocks(o.index()));
    boolean whole =
        node.inputs().stream()
            .allMatch(v -> v.type().rank() > 1 && v.type().dim(1).isMultipleOf(LANES));
    return all && whole ? BLOCKED : Layout.ROW_MAJOR;
  }

  private Optional<KernelChoice<CpuStrategy>> packedGemm(Op.MatMul op) {
    TensorType a = node.inputs().get(0).type();
    TensorType b = node.inputs().get(1).type();
    boolean fits =
        (isFloat() || (Op.Contraction.isOfBytes(node) && sumsBytes(node, op)))
            && !op.transposeA()
            && b.rank() == 2
            && inputs.get(1).constant() != null
            && a.dim(a.rank() - 1).isConstant()
            && !a.dim(a.rank() - 1).isZero()
            && !hasZero(b);
    if (!fits) {
      return Optional.empty();
    }
    return epilogue(node.output().type().rank() - 1).map(epilogue -> gemm(op, epilogue));
  }

  /// Whether a product of bytes has a kernel: its columns fill vectors and its depth integers of
  /// four bytes.
  static boolean sumsBytes(Node node, Op.MatMul op) {
    TensorType a = node.inputs().getFirst().type();
    TensorType out = node.output().type();
    Affine depth = a.dim(a.rank() - 1);
    Affine columns = out.dim(out.rank() - 1);
    return !op.transposeA()
        && isPositive(depth, Weights.FOUR)
        && isPositive(columns, LANES)
        && node.inputs().get(1).type().rank() == 2;
  }

  private static boolean isPositive(Affine size, int unit) {
    return size.isConstant() && size.constant() > 0 && size.constant() % unit == 0;
  }

  private KernelChoice<CpuStrategy> gemm(Op.MatMul op, VectorEpilogue epilogue) {
    TensorType out = node.output().type();
    TensorType left = node.inputs().getFirst().type();
    boolean areBytes = Op.Contraction.isOfBytes(node);
    Weights weights = areBytes ? Weights.ofBytes() : weights();
    GemmTile tile = GemmTile.of(out, left.dim(left.rank() - 1).asConstant() / weights.atOnce());
    int lanes = tile.vectors() * LANES;
    Packing packing =
        areBytes
            ? new ByteColumns(lanes, op.transposeB())
            : weights.packing(new CpuPacking.MatrixColumns(lanes, op.transposeB()));
    return new FastForm(node, epilogue, Layout.ROW_MAJOR, lanes)
        .left(Layout.ROW_MAJOR)
        .right(packing)
        .choice(new CpuStrategy.PackedGemm(tile.rows(), tile.vectors(), weights, epilogue));
  }

  private Optional<VectorEpilogue> epilogue(int laneAxis) {
    return VectorEpilogue.of(node, i -> inputs.get(i).constant() != null, laneAxis);
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
    int blocks = blocks(node.output().type());
    int lanes = blocks * LANES;
    int pixels = pixels(node.output().type(), op.window(), mostPixels(op.window(), blocks));
    return new FastForm(node, epilogue, BLOCKED, lanes)
        .left(BLOCKED)
        .right(new ByteFilters(lanes))
        .choice(
            new CpuStrategy.DirectConv(
                blocks, pixels, Weights.ofBytes(), "products of bytes have none", epilogue));
  }

  private Optional<KernelChoice<CpuStrategy>> directConv(Op.Conv op) {
    if (Op.Contraction.isOfBytes(node)) {
      return sumsBytes(node, op)
          ? epilogue(1).map(epilogue -> byteConv(op, epilogue))
          : Optional.empty();
    }
    if (isDepthwise(op)) {
      return epilogue(1).map(it -> depthwise(it, new CpuPacking.ConvWeights(LANES)));
    }
    if (!isPlane()) {
      return Optional.empty();
    }
    return op.groups() == 1
        ? epilogue(1).map(epilogue -> dense(op, epilogue))
        : GroupWindows.of(node, op.groups())
            .flatMap(windows -> epilogue(1).map(it -> grouped(op, windows, it)));
  }

  /* As for an input in rows, which it is brought into, where it lies in no plane: so does a turned
  view of blocks. */
  private Optional<KernelChoice<CpuStrategy>> ofRows(Op.Conv op) {
    if (isPlaneOf(inputs.getFirst().index())) {
      return Optional.empty();
    }
    List<Operand> moved = new ArrayList<>(inputs);
    moved.set(0, new Operand(Layout.ROW_MAJOR.of(node.inputs().getFirst().type().shape()), null));
    return new CpuChoices(node, moved, consumers, hasWinograd)
        .directConv(op)
        .map(choice -> choice.withInput(0, Layout.ROW_MAJOR));
  }

  private KernelChoice<CpuStrategy> grouped(
      Op.Conv op, GroupWindows windows, VectorEpilogue epilogue) {
    int blocks = windows.blocks();
    int pixels = pixels(node.output().type(), op.window(), mostPixels(op.window(), blocks));
    return new FastForm(node, epilogue, channels(), windows.lanes()) // the input as it lies
        .right(weights().packing(new CpuPacking.GroupedWeights(windows)))
        .choice(new CpuStrategy.DirectConv(blocks, pixels, weights(), "it has groups", epilogue));
  }

  private KernelChoice<CpuStrategy> dense(Op.Conv op, VectorEpilogue epilogue) {
    if (hasFewChannels()) {
      return isReadOften(op.window()) && FewChannels.fits(node, op.window(), epilogue)
          ? toFewChannels(new FewChannels(false, op.window(), epilogue))
          : conv(op.window(), epilogue, "it has few output channels");
    }
    Choice winograd = Choice.of(node, op, hasWinograd);
    return winograd
        .tiling()
        .map(tiling -> winograd(op, tiling, epilogue))
        .or(() -> pointwise(op, epilogue))
        .orElseGet(() -> conv(op.window(), epilogue, winograd.why()));
  }

  /* To bring an image into blocks takes longer than to multiply it once by a few filters. */
  private boolean isReadOften(Window window) {
    return window.kernel().stream().anyMatch(k -> k > 1)
        || ChannelLanes.areBlocks(inputs.getFirst().index());
  }

  private KernelChoice<CpuStrategy> toFewChannels(FewChannels form) {
    return new FastForm(node, form.epilogue(), Layout.ROW_MAJOR, LANES)
        .left(BLOCKED)
        .right(form.packing())
        .choice(new CpuStrategy.ToFewChannels(form));
  }

  private boolean hasFewChannels() {
    return node.output().type().dim(1).constant() < FEWEST_BLOCKED;
  }

  /* How results lie whose channels are lanes. */
  private Layout channels() {
    return hasFewChannels() ? Layout.ROW_MAJOR : BLOCKED;
  }

  /* One filter per channel. */
  private boolean isDepthwise(Op.Conv op) {
    TensorType out = node.output().type();
    Affine groups = Affine.of(op.groups());
    return op.groups() >= FEWEST_BLOCKED
        && isPlane()
        && out.rank() == 4
        && out.dim(1).equals(groups)
        && node.inputs().getFirst().type().dim(1).equals(groups);
  }

  private KernelChoice<CpuStrategy> depthwise(VectorEpilogue epilogue, Packing filters) {
    int pixels = evenly(node.output().type().dim(3).typical(), DEPTHWISE_PIXELS);
    return new FastForm(node, epilogue, BLOCKED, LANES)
        .left(BLOCKED)
        .right(filters)
        .choice(new CpuStrategy.Depthwise(pixels, epilogue));
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
    TensorType out = node.output().type();
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
    return PointwiseConv.of(node, op, weights(), epilogue)
        .map(tile ->
            new FastForm(node, epilogue, BLOCKED, tile.blocks() * LANES)
                .left(BLOCKED)
                .right(weights().packing(new CpuPacking.ConvWeights(tile.blocks() * LANES)))
                .choice(tile));
  }

  private KernelChoice<CpuStrategy> conv(Window window, VectorEpilogue epilogue, String why) {
    TensorType out = node.output().type();
    int blocks = blocks(out);
    int pixels = pixels(out, window, mostPixels(window, blocks));
    return new FastForm(node, epilogue, channels(), blocks * LANES) // input may lie as it does
        .right(weights().packing(new CpuPacking.ConvWeights(blocks * LANES)))
        .choice(new CpuStrategy.DirectConv(blocks, pixels, weights(), why, epilogue));
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

  private Optional<KernelChoice<CpuStrategy>> transposed(Op.ConvTranspose op) {
    TensorType out = node.output().type();
    if (!isPlane() || out.rank() != 4) {
      return Optional.empty();
    }
    return GroupWindows.of(node, op.groups(), LANES)
        .flatMap(windows -> epilogue(1).map(it -> transposed(op, windows, it)));
  }

  private KernelChoice<CpuStrategy> transposed(
      Op.ConvTranspose op, GroupWindows windows, VectorEpilogue epilogue) {
    return hasFewChannels()
            && op.groups() == 1
            && FewChannels.repeats(op.window())
            && FewChannels.fits(node, op.window(), epilogue)
        ? toFewChannels(new FewChannels(true, op.window(), epilogue))
        : new FastForm(node, epilogue, channels(), LANES)
            .right(new CpuPacking.TransposedConvWeights(windows))
            .choice(new CpuStrategy.DirectConvTranspose(epilogue));
  }

  private KernelChoice<CpuStrategy> pool(Op.WindowReduce op) {
    IndexFunction x = inputs.getFirst().index();
    boolean blocked =
        isFloat()
            && (x.rank() == 3 || x.rank() == 4 || (x.rank() == 5 && !isOpen(node.output().type())))
            && isPlaneOf(x)
            && ChannelLanes.areBlocks(x)
            && x.axes().get(1).stride().equals(Affine.ONE);
    if (blocked) {
      return epilogue(1)
          .map(this::blockedPool)
          .orElseGet(() -> loop("its epilogue has no vector form"));
    }
    return RowPool.fits(node, op)
        ? plain(new CpuStrategy.Own(new RowPool(op)), Layout.ROW_MAJOR)
        : loop("its operand is not in the blocked layout, and its rows are of open size or many");
  }

  private KernelChoice<CpuStrategy> blockedPool(VectorEpilogue epilogue) {
    return new FastForm(node, epilogue, BLOCKED, LANES)
        .choice(new CpuStrategy.BlockedPool(epilogue));
  }

  private boolean isFloat() {
    return ofFloats() && node.output().type().element() == ElementType.F32;
  }

  private boolean ofFloats() {
    return node.operandValues().stream().allMatch(v -> v.type().element() == ElementType.F32);
  }

  /* Convolutions store what lanes hold. */
  private boolean isStored() {
    ElementType stored = node.output().type().element();
    return node.op() instanceof Op.Conv ? LaneArray.suits(stored) : stored == ElementType.F32;
  }

  private static boolean isOpen(TensorType type) {
    return type.shape().stream().skip(1).anyMatch(Affine::isOpen);
  }

  /* f32, one to three spatial axes of known extent, a constant weight, strides the text can hold. */
  private boolean isPlane() {
    TensorType w = node.inputs().get(1).type();
    TensorType out = node.output().type();
    boolean ranks = w.rank() == 3 || w.rank() == 4 || (w.rank() == 5 && !isOpen(out));
    return ofFloats()
        && isStored()
        && ranks
        && inputs.get(1).constant() != null
        && isPlaneOf(inputs.getFirst().index())
        && !hasZero(w)
        && out.shape().stream().skip(1).allMatch(d -> d.isConstant() && d.constant() > 0);
  }

  /* Only channels may be blocked: a turned view may have its blocks on any axis. */
  static boolean isPlaneOf(IndexFunction x) {
    List<Axis> inner = x.axes().subList(1, x.rank());
    boolean elsewhere =
        IntStream.range(0, x.rank()).anyMatch(i -> i != 1 && x.axes().get(i).isBlocked());
    return !elsewhere
        && inner.stream()
            .allMatch(a ->
                a.extent().isConstant()
                    && a.extent().constant() > 0
                    && a.stride().isConstant()
                    && a.outerStride().isConstant());
  }

  /* Looked at once: integers are told from floats by going through them all. */
  private Weights weights() {
    if (weights == null) {
      weights = Weights.of(inputs.get(1).constant());
    }
    return weights;
  }

  private static boolean hasZero(TensorType type) {
    return type.shape().stream().anyMatch(Affine::isZero);
  }
}
