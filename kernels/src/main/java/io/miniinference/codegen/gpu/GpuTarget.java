package io.miniinference.codegen.gpu;

import io.miniinference.codegen.Dialect;
import io.miniinference.codegen.KernelText;
import io.miniinference.codegen.OpenClC;
import io.miniinference.codegen.OperandText;
import io.miniinference.codegen.gpu.patch.PatchKernel;
import io.miniinference.codegen.gpu.patch.PatchTile;
import io.miniinference.codegen.gpu.strip.StripKernel;
import io.miniinference.codegen.gpu.tile.ProductTile;
import io.miniinference.codegen.gpu.tile.TensorProducts;
import io.miniinference.codegen.gpu.tile.WinogradTile;
import io.miniinference.codegen.gpu.whole.WholeNetwork;
import io.miniinference.codegen.program.AlikeSteps;
import io.miniinference.codegen.program.OpenProgram;
import io.miniinference.codegen.program.ProgramText;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Graph;
import io.miniinference.ir.Node;
import io.miniinference.ir.Op;
import io.miniinference.layout.IndexFunction;
import io.miniinference.lower.Consumer;
import io.miniinference.lower.Generated;
import io.miniinference.lower.KernelChoice;
import io.miniinference.lower.Layout;
import io.miniinference.lower.LoweredProgram;
import io.miniinference.lower.LoweredStep;
import io.miniinference.lower.OpenKernels;
import io.miniinference.lower.Packing;
import io.miniinference.lower.Precision;
import io.miniinference.lower.Target;
import java.util.List;
import java.util.Optional;

/// OpenCL on GPUs. What it writes runs on OpenCL CPUs too, slowly.
public final class GpuTarget implements Target<GpuStrategy> {
  /// Contraction of products and sums is wanted; nothing else of fast math is, since NaN and
  /// infinities must come through.
  private static final Dialect OPENCL = new OpenClC("-cl-std=CL1.2 -cl-mad-enable", true);

  /// Most keys of attention in 32-bit floats where products are faster in TF32.
  private static final long MOST_KEYS = 512;

  private final Dialect dialect;
  private final TensorProducts products;
  private final Precision precision;

  /// A writer of OpenCL C.
  public GpuTarget() {
    this(TensorProducts.NONE, Precision.F32);
  }

  /// A writer of OpenCL C.
  ///
  /// @param products which products tensor cores compute
  /// @param precision how exactly
  public GpuTarget(TensorProducts products, Precision precision) {
    this(OPENCL, products, precision);
  }

  /// A writer of another language.
  public GpuTarget(Dialect dialect) {
    this(dialect, TensorProducts.NONE, Precision.F32);
  }

  private GpuTarget(Dialect dialect, TensorProducts products, Precision precision) {
    this.dialect = dialect;
    this.products = products;
    this.precision = precision;
  }

  @Override
  public Optional<ElementType> storage() {
    return precision.storage();
  }

  /* A work item computes the epilogue of each of its elements by itself, whatever that is. */
  @Override
  public boolean fuses(Node merged, Graph graph) {
    return !(merged.op() instanceof Op.Attention op)
        || (TiledAttention.tile(merged, op).isPresent() && !multipliesFaster(merged, op));
  }

  /* Channels of parts begin where vectors of them do, or what reads a part has to copy it first. */
  @Override
  public boolean joins(Node product) {
    int vector = precision == Precision.F32 || precision == Precision.DIRECT ? 4 : 8;
    return !(product.op() instanceof Op.Conv)
        || product.output().type().dim(1).isAlwaysMultipleOf(vector);
  }

  @Override
  public boolean readsAtPlaces() {
    return true;
  }

  /* Convolutions are tiles of products in local memory, on tensor cores where there are any. */
  @Override
  public boolean convolvesTransposed() {
    return true;
  }

  /* Whether tensor cores, which attention does not use, are worth the matrix of scores. */
  private boolean multipliesFaster(Node attention, Op.Attention op) {
    return products != TensorProducts.NONE
        && precision == Precision.TF32
        && TiledAttention.keys(attention, op).typical() > MOST_KEYS;
  }

  @Override
  public KernelChoice<GpuStrategy> choose(
      Node node, List<Operand> inputs, List<Consumer> consumers) {
    return new GpuChoices(node, inputs, consumers, products, precision).choose();
  }

  @Override
  public Layout concatLayout(Node node, List<Operand> inputs, List<Consumer> consumers) {
    return GpuLayouts.concatenated(node, inputs);
  }

  @Override
  public Layout viewedLayout(Node view, List<Consumer> consumers) {
    return GpuLayouts.viewed(view, consumers);
  }

  @Override
  public boolean canWrite(LoweredStep step) {
    return canWrite(step, step.strategy(GpuStrategy.class));
  }

  /// Whether a step can be written with a strategy, now that some arrays lie elsewhere.
  static boolean canWrite(LoweredStep step, GpuStrategy strategy) {
    return switch (strategy) {
      case GpuStrategy.Plain _ -> true;
      case GpuStrategy.Several several -> several.canWrite(step);
      case GpuStrategy.TiledMatMul tiled -> TiledMatMul.canWrite(step, tiled);
      case GpuStrategy.TiledConv _ -> TiledConv.canWrite(step);
      case GpuStrategy.WinogradTiles _ -> WinogradConv.canWrite(step);
      case GpuStrategy.Patches(PatchTile tile) ->
          TiledConv.canWrite(step) && PatchKernel.canWrite(step, tile);
      case GpuStrategy.Strips _ -> TiledConv.canWrite(step) && StripKernel.canWrite(step);
      case GpuStrategy.TiledAttention _ -> true;
    };
  }

  @Override
  public boolean gathers(Node gather, IndexFunction data, Node node, int operand) {
    return OperandText.gathers(gather, data, node, operand);
  }

  @Override
  public Optional<LoweredProgram> asOneStep(LoweredProgram program) {
    return WholeNetwork.of(program, GpuTarget::isByDepth, GpuStrategy.Own::new);
  }

  /* Whether a weight lies as rows of depth, with the columns of the result innermost. */
  private static boolean isByDepth(Packing packing) {
    return switch (packing) {
      case GpuPacking.ConvWeights(boolean transposed) -> !transposed;
      case GpuPacking.Matrix _ -> true;
      default -> false;
    };
  }

  @Override
  public Generated generate(LoweredProgram program) {
    return text(program).generated();
  }

  @Override
  public Optional<OpenKernels> openKernels() {
    AlikeSteps steps = new AlikeSteps();
    return Optional.of(OpenProgram.ofRanges(dialect, program -> text(program, steps)));
  }

  private ProgramText text(LoweredProgram program) {
    return text(program, new AlikeSteps());
  }

  private ProgramText text(LoweredProgram program, AlikeSteps steps) {
    ProgramText text = new ProgramText(program.graph().name(), dialect, steps);
    int failures = program.failureSlotsId();
    for (LoweredStep step : program.steps()) {
      text.add(step, it -> kernels(it, failures), program.clockId());
    }
    return text;
  }

  private static List<KernelText.Written> kernels(LoweredStep step, int failures) {
    return step.strategy() instanceof GpuStrategy.Several several
        ? several.kernels(step, failures)
        : List.of(write(step, failures));
  }

  private static KernelText.Written write(LoweredStep step, int failures) {
    return switch (step.node().op()) {
      case Op.Elementwise op -> ElementKernels.map(step, op, failures);
      case Op.Reduce op -> ReduceKernel.write(step, op, failures);
      case Op.Gather op -> GatherKernel.write(step, op, failures);
      case Op.Scatter op -> ScatterKernel.write(step, op, failures);
      case Op.MatMul op ->
          step.strategy() instanceof GpuStrategy.TiledMatMul tiled
              ? TiledMatMul.write(step, op, tiled, failures)
              : ElementKernels.multiply(step, op, failures);
      case Op.Conv op -> convolve(step, op, step.strategy(GpuStrategy.class));
      case Op.ConvTranspose op -> WindowKernels.transposed(step, op);
      case Op.WindowReduce op -> WindowKernels.pool(step, op);
      case Op.Softmax op -> RowKernels.softmax(step, op, failures);
      case Op.Normalize op -> RowKernels.normalize(step, op, failures);
      case Op.Scan op -> RowKernels.scan(step, op, failures);
      case Op.Attention op ->
          TiledAttention.write(step, op, step.strategy(GpuStrategy.TiledAttention.class).tile());
      case Op.Positional _, Op.Rearrangement _, Op.Control _ ->
          throw new IllegalStateException("no single kernel computes " + step.node().onnxOp());
    };
  }

  /// A convolution in the form of a strategy of one kernel.
  static KernelText.Written convolve(LoweredStep step, Op.Conv op, GpuStrategy strategy) {
    return switch (strategy) {
      case GpuStrategy.TiledConv(ProductTile tile) -> TiledConv.write(step, op, tile);
      case GpuStrategy.WinogradTiles(WinogradTile tile) -> WinogradConv.write(step, tile);
      case GpuStrategy.Patches(PatchTile tile) -> PatchKernel.write(step, tile);
      case GpuStrategy.Strips(int pixels) -> StripKernel.write(step, pixels);
      default -> WindowKernels.convolve(step, op);
    };
  }
}
