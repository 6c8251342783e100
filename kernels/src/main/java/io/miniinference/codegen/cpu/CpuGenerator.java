package io.miniinference.codegen.cpu;

import io.miniinference.codegen.Dialect;
import io.miniinference.codegen.KernelText;
import io.miniinference.codegen.OpenClC;
import io.miniinference.codegen.OperandText;
import io.miniinference.codegen.ProgramText;
import io.miniinference.ir.Node;
import io.miniinference.ir.Op;
import io.miniinference.layout.IndexFunction;
import io.miniinference.lower.Choice;
import io.miniinference.lower.CodeGenerator;
import io.miniinference.lower.Generated;
import io.miniinference.lower.Layout;
import io.miniinference.lower.LoweredProgram;
import io.miniinference.lower.LoweredStep;
import java.util.List;

/// The writer for OpenCL on CPUs.
public final class CpuGenerator implements CodeGenerator {
  /// Contraction of products and sums is wanted; nothing else of fast math is, since NaN and
  /// infinities must come through. Warnings about generated text help nobody.
  private static final Dialect DIALECT = new OpenClC("-cl-std=CL1.2 -cl-mad-enable -w", false);

  @Override
  public Choice choose(Node node, List<Operand> inputs, List<Node> consumers) {
    return new CpuChoices(node, inputs, consumers).choose();
  }

  @Override
  public Layout concatLayout(Node node, List<Operand> inputs, List<Node> consumers) {
    return CpuChoices.concatLayout(node, inputs);
  }

  @Override
  public boolean canWrite(LoweredStep step) {
    return switch ((CpuStrategy) step.strategy()) {
      case CpuStrategy.Loop _, CpuStrategy.BlockedPool _, CpuStrategy.Several _ -> true;
      case CpuStrategy.PackedGemm tile -> PackedGemm.canWrite(step, tile);
      case CpuStrategy.DirectConv tile -> DirectConv.canWrite(step, tile.epilogue());
      case CpuStrategy.Depthwise depthwise -> DepthwiseConv.canWrite(step, depthwise.epilogue());
      case CpuStrategy.DirectConvTranspose direct -> DirectConv.canWrite(step, direct.epilogue());
    };
  }

  @Override
  public boolean gathers(Node gather, IndexFunction data, Node node, int operand) {
    return OperandText.gathers(gather, data, node, operand);
  }

  @Override
  public Generated generate(LoweredProgram program) {
    ProgramText text = new ProgramText(program.graph().name(), DIALECT);
    for (LoweredStep step : program.steps()) {
      text.add(step, kernels(step, program.failureSlotsId()), program.clockId());
    }
    return text.generated();
  }

  private static List<KernelText.Written> kernels(LoweredStep step, int failures) {
    return step.strategy() instanceof CpuStrategy.Several several
        ? several.kernels(step)
        : List.of(write(step, failures));
  }

  private static KernelText.Written write(LoweredStep step, int failures) {
    return switch (step.node().op()) {
      case Op.Elementwise op -> MapKernel.write(step, op, failures);
      case Op.Reduce op -> ReduceKernel.write(step, op, failures);
      case Op.Gather op -> GatherKernel.write(step, op, failures);
      case Op.Scatter op -> ScatterKernel.write(step, op, failures);
      case Op.MatMul op ->
          step.strategy() instanceof CpuStrategy.PackedGemm tile
              ? PackedGemm.write(step, tile, failures)
              : LoopGemm.write(step, op, failures);
      case Op.Conv op ->
          switch ((CpuStrategy) step.strategy()) {
            case CpuStrategy.DirectConv tile -> DirectConv.write(step, op, tile);
            case CpuStrategy.Depthwise tile -> DepthwiseConv.write(step, op, tile);
            default -> WindowKernels.convolve(step, op);
          };
      case Op.ConvTranspose op ->
          step.strategy() instanceof CpuStrategy.DirectConvTranspose direct
              ? DirectConvTranspose.write(step, op, direct)
              : WindowKernels.transposed(step, op);
      case Op.WindowReduce op ->
          step.strategy() instanceof CpuStrategy.BlockedPool && BlockedPool.canWrite(step)
              ? BlockedPool.write(step, op)
              : WindowKernels.pool(step, op);
      case Op.Softmax op -> RowKernels.softmax(step, op, failures);
      case Op.Normalize op -> RowKernels.normalize(step, op, failures);
      case Op.Scan op -> RowKernels.scan(step, op, failures);
      case Op.Positional _, Op.Rearrangement _, Op.Control _ ->
          throw new IllegalStateException("no single kernel computes " + step.node().onnxOp());
    };
  }
}
