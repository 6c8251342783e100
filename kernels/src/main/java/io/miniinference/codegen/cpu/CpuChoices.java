package io.miniinference.codegen.cpu;

import static io.miniinference.codegen.cpu.UnchosenNode.BLOCKED;
import static io.miniinference.codegen.cpu.UnchosenNode.LANES;
import static io.miniinference.codegen.cpu.UnchosenNode.hasZero;
import static io.miniinference.codegen.cpu.UnchosenNode.isOpen;
import static io.miniinference.codegen.cpu.UnchosenNode.isPositive;

import io.miniinference.codegen.NonMaxSuppressionText;
import io.miniinference.codegen.cpu.lanes.AttentionText;
import io.miniinference.codegen.cpu.lanes.ChannelLanes;
import io.miniinference.codegen.cpu.lanes.GemmTile;
import io.miniinference.codegen.cpu.lanes.RowPool;
import io.miniinference.codegen.cpu.lanes.VectorEpilogue;
import io.miniinference.codegen.cpu.lanes.Weights;
import io.miniinference.codegen.cpu.order.TopKChunks;
import io.miniinference.codegen.cpu.packing.ByteColumns;
import io.miniinference.codegen.cpu.packing.CpuPacking;
import io.miniinference.codegen.cpu.recurrent.RowsOfStates;
import io.miniinference.codegen.cpu.winograd.Tilings;
import io.miniinference.codegen.recurrent.RowLoop;
import io.miniinference.codegen.trees.TreeEnsembleBlocks;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Expr;
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
import io.miniinference.lower.Target.Operand;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// The CPU writer's decisions for one node: kernel form, layouts, packings; of convolutions
/// [ConvChoices] decides.
final class CpuChoices {
  private final UnchosenNode it;
  private final Node node;
  private final List<Consumer> consumers;
  private final Optional<Tilings> winograd;

  CpuChoices(
      Node node, List<Operand> inputs, List<Consumer> consumers, Optional<Tilings> winograd) {
    this.it = new UnchosenNode(node, inputs);
    this.node = node;
    this.consumers = consumers;
    this.winograd = winograd;
  }

  KernelChoice<CpuStrategy> choose() {
    return switch (node.op()) {
      case Op.Elementwise map ->
          it.loop(
              elementwiseLayout(map.expr()),
              "its arrays have no runs of neighbours, or its elements no vector form");
      case Op.MatMul op ->
          packedGemm(op).or(() -> panelGemm(op)).orElseGet(() -> it.loop(whyNoGemm(op)));
      case Op.Attention op -> attention(op);
      case Op.Conv op -> new ConvChoices(it, winograd).conv(op);
      case Op.ConvTranspose op -> new ConvChoices(it, winograd).transposedConv(op);
      case Op.WindowReduce op -> pool(op);
      case Op.Gather _ -> gather();
      case Op.TopK op -> TopKChunks.choice(node, op, it.index(0), CpuStrategy.Own::new);
      case Op.Reduce op -> reduction(op);
      case Op.Scatter _ -> it.loop("updates are made one after the other");
      case Op.RowMap op -> rows(op);
      case Op.NonMaxSuppression _ ->
          NonMaxSuppressionText.choice(
              it.index(0), it.plain(new CpuStrategy.Boxes(), Layout.ROW_MAJOR));
      case Op.Recurrent _ -> recurrent();
      case TreeEnsemble _ -> TreeEnsembleBlocks.choice(node, it.index(0), CpuStrategy.Own::new);
      case Op.Scan op when ScanColumns.fits(node, op) ->
          it.plain(new ScanColumns(), Layout.ROW_MAJOR);
      case Op.Positional _ -> it.loop("each element waits for the one before");
      case Op.Rearrangement _, Op.Control _ -> it.loop("moves data only");
    };
  }

  private KernelChoice<CpuStrategy> recurrent() {
    List<IndexFunction> indices = it.indices();
    if (RowsOfStates.fits(node, it.constant(Op.Recurrent.WEIGHTS))) {
      return RowsOfStates.choice(node, indices, new CpuStrategy.RowsOfSteps());
    }
    KernelChoice<CpuStrategy> plain = it.plain(new CpuStrategy.StepsOfRow(), Layout.ROW_MAJOR);
    return plain.withScratch(RowLoop.scratch(node));
  }

  private KernelChoice<CpuStrategy> reduction(Op.Reduce op) {
    IndexFunction x = it.index(0);
    if (ChannelReduce.fits(node, op, x)) {
      return it.plain(new ChannelReduce(), Layout.ROW_MAJOR);
    }
    if (RowReduce.fits(node, op, x)) {
      return it.plain(new RowReduce(), Layout.ROW_MAJOR);
    }
    return ReduceKernel.SideBySide.fits(node, op, x)
        ? it.plain(new ReduceKernel.SideBySide(), Layout.ROW_MAJOR)
        : it.loop(
            "its results are no neighbours, nor reductions of whole rows or images of floats");
  }

  private KernelChoice<CpuStrategy> rows(Op.RowMap op) {
    if (!RowVectors.fits(node, op)) {
      return it.loop("its rows are short, not of 32-bit floats or not along last axes");
    }
    RowVectors vectors = new RowVectors(op.rowAxes().size());
    return converting(vectors, i -> vectors.lies(node, i, it.index(i)));
  }

  /* A form whose operands are put in logical order where they do not lie as it reads them. */
  private KernelChoice<CpuStrategy> converting(CpuStrategy strategy, IntPredicate lies) {
    List<@Nullable Layout> layouts =
        IntStream.range(0, node.inputs().size())
            .<@Nullable Layout>mapToObj(i -> lies.test(i) ? null : Layout.ROW_MAJOR)
            .toList();
    return new KernelChoice<>(
        strategy,
        layouts,
        Collections.nCopies(node.inputs().size(), null),
        Layout.ROW_MAJOR,
        false,
        List.of());
  }

  private Optional<KernelChoice<CpuStrategy>> panelGemm(Op.MatMul op) {
    if (!PanelGemm.fits(node, op)) {
      return Optional.empty();
    }
    KernelChoice<CpuStrategy> choice = it.plain(PanelGemm.of(node, op), Layout.ROW_MAJOR);
    if (PanelGemm.suits(node, op, it.indices())) {
      return Optional.of(choice);
    }
    return PanelGemm.suits(node, op, it.ofRows().indices())
        ? Optional.of(choice.withInput(0, Layout.ROW_MAJOR))
        : Optional.empty();
  }

  /* Only made of nodes where it fits. */
  private KernelChoice<CpuStrategy> attention(Op.Attention op) {
    if (!AttentionText.fits(node, op)) {
      throw new IllegalStateException("no kernel for attention of these sizes: " + node.name());
    }
    return converting(
        new CpuStrategy.Attention(op), i -> AttentionText.suits(node, i, it.index(i)));
  }

  private String whyNoGemm(Op.MatMul op) {
    if (!it.isFloat()) {
      return "its elements are not 32-bit floats";
    }
    return PanelGemm.fits(node, op)
        ? "its right operand lies in no lines for an open depth, or its epilogue's in no rows"
        : "its rows, depth or columns are of open size, or few or many";
  }

  private KernelChoice<CpuStrategy> gather() {
    return it.loop("indices are read one by one")
        .withEpilogueInPlace(KernelChoice.readsWhereItWrites(node));
  }

  /* Stays blocked where an operand is that it reads channel by channel, as a Resize does, too, and
  becomes so where a convolution or pool reads it. */
  private Layout elementwiseLayout(Expr expr) {
    TensorType out = it.output();
    if (out.rank() < 3 || out.rank() > 5 || !out.dim(1).isConstant()) {
      return Layout.ROW_MAJOR;
    }
    for (int i = 0; i < node.inputs().size(); i++) {
      boolean same = node.inputs().get(i).type().shape().equals(out.shape());
      if ((same || ChannelLanes.areRead(expr, i)) && ChannelLanes.areBlocks(it.index(i))) {
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
    return all && areWholeBlocks(node) ? BLOCKED : Layout.ROW_MAJOR;
  }

  /// Whether parts of a concatenation can lie in blocks of channels.
  static boolean areWholeBlocks(Node concatenation) {
    return concatenation.inputs().stream()
        .allMatch(v -> v.type().rank() > 1 && v.type().dim(1).isMultipleOf(LANES));
  }

  private Optional<KernelChoice<CpuStrategy>> packedGemm(Op.MatMul op) {
    TensorType a = it.left();
    TensorType b = it.right();
    boolean fits =
        (it.isFloat() || (Op.Contraction.isOfBytes(node) && sumsBytes(node, op)))
            && !op.transposeA()
            && b.rank() == 2
            && it.constant(1) != null
            && a.dim(a.rank() - 1).isConstant()
            && !a.dim(a.rank() - 1).isZero()
            && !hasZero(b);
    if (!fits) {
      return Optional.empty();
    }
    return it.epilogue(it.output().rank() - 1).map(epilogue -> gemm(op, epilogue));
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

  private KernelChoice<CpuStrategy> gemm(Op.MatMul op, VectorEpilogue epilogue) {
    TensorType out = it.output();
    TensorType left = it.left();
    boolean areBytes = Op.Contraction.isOfBytes(node);
    Weights weights = areBytes ? Weights.ofBytes() : it.weights();
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

  private KernelChoice<CpuStrategy> pool(Op.WindowReduce op) {
    IndexFunction x = it.index(0);
    boolean blocked =
        it.isFloat()
            && (x.rank() == 3 || x.rank() == 4 || (x.rank() == 5 && !isOpen(it.output())))
            && ChannelLanes.isPlane(x)
            && ChannelLanes.areBlocks(x)
            && x.axes().get(1).stride().equals(Affine.ONE);
    if (blocked) {
      return it.epilogue(1)
          .map(this::blockedPool)
          .orElseGet(() -> it.loop("its epilogue has no vector form"));
    }
    return RowPool.fits(node, op)
        ? it.plain(new CpuStrategy.Own(new RowPool(op)), Layout.ROW_MAJOR)
        : it.loop(
            "its operand is not in the blocked layout, and its rows are of open size or many");
  }

  private KernelChoice<CpuStrategy> blockedPool(VectorEpilogue epilogue) {
    return new FastForm(node, epilogue, BLOCKED, LANES)
        .choice(new CpuStrategy.BlockedPool(epilogue));
  }
}
