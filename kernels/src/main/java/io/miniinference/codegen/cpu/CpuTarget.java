package io.miniinference.codegen.cpu;

import io.miniinference.codegen.Dialect;
import io.miniinference.codegen.KernelText;
import io.miniinference.codegen.OpenClC;
import io.miniinference.codegen.OperandText;
import io.miniinference.codegen.cpu.lanes.AttentionText;
import io.miniinference.codegen.cpu.lanes.BlockedPool;
import io.miniinference.codegen.cpu.lanes.Functions;
import io.miniinference.codegen.cpu.lanes.VectorEpilogue;
import io.miniinference.codegen.cpu.lanes.WrittenTiles;
import io.miniinference.codegen.cpu.winograd.Tilings;
import io.miniinference.codegen.program.AlikeSteps;
import io.miniinference.codegen.program.OpenProgram;
import io.miniinference.codegen.program.ProgramText;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Expr;
import io.miniinference.ir.ExprTree;
import io.miniinference.ir.Graph;
import io.miniinference.ir.Node;
import io.miniinference.ir.Op;
import io.miniinference.ir.TensorType;
import io.miniinference.layout.IndexFunction;
import io.miniinference.lower.Consumer;
import io.miniinference.lower.Generated;
import io.miniinference.lower.KernelChoice;
import io.miniinference.lower.Layout;
import io.miniinference.lower.LoweredProgram;
import io.miniinference.lower.LoweredStep;
import io.miniinference.lower.OpenKernels;
import io.miniinference.lower.RowPiece;
import io.miniinference.lower.Target;
import java.util.List;
import java.util.Optional;
import java.util.function.IntPredicate;

/// Kernels for CPUs, over vectors of sixteen floats, in OpenCL C unless another dialect is given.
public final class CpuTarget implements Target<CpuStrategy> {
  /// Contraction of products and sums is wanted; nothing else of fast math is, since NaN and
  /// infinities must come through. Warnings about generated text help no user.
  private static final Dialect OPENCL = new OpenClC("-cl-std=CL1.2 -cl-mad-enable -w", false);

  private final Dialect dialect;

  /// Where convolutions may have fewer products than ONNX defines.
  private final Optional<Tilings> winograd;

  /// Whether products of bytes have instructions of their own.
  private final boolean hasByteSums;

  /// A writer of OpenCL C.
  public CpuTarget() {
    this(OPENCL);
  }

  /// A writer of another language.
  public CpuTarget(Dialect dialect) {
    this(dialect, Optional.of(new Tilings()), false);
  }

  private CpuTarget(Dialect dialect, Optional<Tilings> winograd, boolean hasByteSums) {
    this.dialect = dialect;
    this.winograd = winograd;
    this.hasByteSums = hasByteSums;
  }

  /// A writer of OpenCL C whose convolutions are direct.
  public static CpuTarget direct() {
    return new CpuTarget(OPENCL, Optional.empty(), false);
  }

  /// The same for a processor with instructions for products of bytes.
  public CpuTarget withByteSums() {
    return new CpuTarget(dialect, winograd, true);
  }

  /* Where the epilogue has no vector form, what is before it keeps the vectors to itself. Functions
  keep theirs where elements are read elsewhere than they are written, one by one, and so does all
  else where a table is looked up. */
  @Override
  public boolean fuses(Node merged, Graph graph) {
    return switch (merged.op()) {
      case Op.Conv _, Op.ConvTranspose _ -> isVector(merged, graph, 1);
      case Op.MatMul _ -> isVector(merged, graph, merged.output().type().rank() - 1);
      case Op.Attention op -> AttentionText.fits(merged, op);
      case Op.WindowReduce _ -> !isBlockable(merged) || isVector(merged, graph, 1);
      case Op.Elementwise map ->
          ExprTree.computedArgs(map.expr()).isEmpty()
              || (!Functions.areIn(map.expr()) && !Functions.areTables(map.expr()));
      case Op.Reduce _, Op.Gather _, Op.Scatter _, Op.RowOp _, Op.Rearrangement _, Op.Control _ ->
          true;
    };
  }

  /* A map of the whole writes channels in blocks, into which parts that are none are converted. */
  @Override
  public boolean mapsParts(Node concatenation) {
    return CpuChoices.areWholeBlocks(concatenation);
  }

  @Override
  public boolean multipliesBytes() {
    return true;
  }

  @Override
  public boolean sumsBytes(Node product) {
    return hasByteSums
        && switch (product.op()) {
          case Op.MatMul op -> CpuChoices.sumsBytes(product, op);
          case Op.Conv op -> ConvChoices.sumsBytes(product, op);
          default -> false;
        };
  }

  @Override
  public boolean looksUp(Expr function) {
    return Functions.areIn(function);
  }

  private static boolean isVector(Node node, Graph graph, int laneAxis) {
    IntPredicate isConstant = i -> graph.constants().containsKey(node.inputs().get(i));
    return VectorEpilogue.of(node, isConstant, laneAxis).isPresent();
  }

  private static boolean isBlockable(Node pool) {
    TensorType x = pool.inputs().getFirst().type();
    return x.element() == ElementType.F32 && x.rank() >= 3 && x.rank() <= 5;
  }

  @Override
  public KernelChoice<CpuStrategy> choose(
      Node node, List<Operand> inputs, List<Consumer> consumers) {
    return new CpuChoices(node, inputs, consumers, winograd).choose();
  }

  @Override
  public Layout concatLayout(Node node, List<Operand> inputs, List<Consumer> consumers) {
    return CpuChoices.concatLayout(node, inputs);
  }

  @Override
  public boolean canWrite(LoweredStep step) {
    return switch (step.strategy(CpuStrategy.class)) {
      case CpuStrategy.Loop _, CpuStrategy.BlockedPool _ -> true;
      case CpuStrategy.Several several -> several.canWrite(step);
      case CpuStrategy.PackedGemm tile -> PackedGemm.canWrite(step, tile);
      case CpuStrategy.DirectConv tile -> DirectConv.canWrite(step, tile.epilogue());
      case CpuStrategy.Depthwise depthwise -> DepthwiseConv.canWrite(step, depthwise.epilogue());
      case CpuStrategy.DirectConvTranspose direct -> DirectConv.canWrite(step, direct.epilogue());
    };
  }

  @Override
  public boolean gathers(Node gather, IndexFunction data, Node node, int operand) {
    return !Op.Contraction.isOfBytes(node) && OperandText.gathers(gather, data, node, operand);
  }

  @Override
  public Generated generate(LoweredProgram program) {
    return text(program).generated();
  }

  @Override
  public Optional<Generated> generateNetwork(LoweredProgram program, Optional<RowPiece> piece) {
    ProgramText text = text(program);
    return program.isStraight() && (piece.isPresent() || text.size() > 1)
        ? Optional.of(text.generatedNetwork(program, piece))
        : Optional.empty();
  }

  @Override
  public Optional<OpenKernels> openKernels() {
    WrittenTiles tiles = new WrittenTiles();
    AlikeSteps steps = new AlikeSteps();
    return Optional.of(OpenProgram.ofAllSizes(dialect, program -> text(program, steps, tiles)));
  }

  private ProgramText text(LoweredProgram program) {
    return text(program, new AlikeSteps(), new WrittenTiles());
  }

  private ProgramText text(LoweredProgram program, AlikeSteps steps, WrittenTiles tiles) {
    ProgramText text = new ProgramText(program.graph().name(), dialect, steps);
    int failures = program.failureSlotsId();
    for (LoweredStep step : program.steps()) {
      text.add(step, it -> kernels(it, failures, tiles), program.clockId());
      if (step.strategy() instanceof CpuStrategy.Several several) {
        text.addSpares(step, several::spares, program.clockId());
      }
    }
    return text;
  }

  private static List<KernelText.Written> kernels(
      LoweredStep step, int failures, WrittenTiles tiles) {
    return step.strategy() instanceof CpuStrategy.Several several
        ? several.kernels(step, failures)
        : List.of(write(step, failures, tiles));
  }

  private static KernelText.Written write(LoweredStep step, int failures, WrittenTiles tiles) {
    return switch (step.node().op()) {
      case Op.Elementwise op -> MapKernel.write(step, op, failures);
      case Op.Reduce op -> ReduceKernel.write(step, op, failures);
      case Op.Gather op -> GatherKernel.write(step, op, failures);
      case Op.Scatter op -> ScatterKernel.write(step, op, failures);
      case Op.MatMul op ->
          step.strategy() instanceof CpuStrategy.PackedGemm tile
              ? PackedGemm.write(step, tile, failures, tiles)
              : LoopGemm.write(step, op, failures);
      case Op.Conv op ->
          switch (step.strategy(CpuStrategy.class)) {
            case CpuStrategy.DirectConv tile -> DirectConv.write(step, op, tile);
            case CpuStrategy.Depthwise tile -> DepthwiseConv.write(step, op, tile);
            case CpuStrategy.Loop _,
                CpuStrategy.PackedGemm _,
                CpuStrategy.DirectConvTranspose _,
                CpuStrategy.BlockedPool _,
                CpuStrategy.Several _ ->
                WindowKernels.convolve(step, op);
          };
      case Op.ConvTranspose op ->
          step.strategy() instanceof CpuStrategy.DirectConvTranspose direct
              ? DirectConvTranspose.write(step, op, direct)
              : WindowKernels.transposed(step, op);
      case Op.WindowReduce op ->
          step.strategy() instanceof CpuStrategy.BlockedPool pool
                  && BlockedPool.canWrite(step, pool.epilogue())
              ? BlockedPool.write(step, op, pool.epilogue())
              : WindowKernels.pool(step, op);
      case Op.Softmax op -> RowKernels.softmax(step, op, failures);
      case Op.Normalize op -> RowKernels.normalize(step, op, failures);
      case Op.Scan op -> RowKernels.scan(step, op, failures);
      case Op.Positional _, Op.Rearrangement _, Op.Control _, Op.Attention _ ->
          throw new IllegalStateException("no single kernel computes " + step.node().onnxOp());
    };
  }
}
