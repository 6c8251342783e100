package io.miniinference.codegen.jvm;

import io.miniinference.device.Launch;
import io.miniinference.device.ProgramCode;
import io.miniinference.interp.NodeKernel;
import io.miniinference.ir.Graph;
import io.miniinference.ir.Node;
import io.miniinference.ir.Op;
import io.miniinference.ir.Tensor;
import io.miniinference.lower.Consumer;
import io.miniinference.lower.Generated;
import io.miniinference.lower.KernelChoice;
import io.miniinference.lower.Layout;
import io.miniinference.lower.LoweredProgram;
import io.miniinference.lower.LoweredStep;
import io.miniinference.lower.Packing;
import io.miniinference.lower.Target;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The JVM device: no text, one [NodeKernel] a step, all arrays row-major.
public final class JvmTarget implements Target<JvmStrategy> {
  /* A kernel hands its results to the epilogue by the row, whatever that is. */
  @Override
  public boolean fuses(Node merged, Graph graph) {
    return !(merged.op() instanceof Op.Attention); // products and rows have fast forms
  }

  @Override
  public KernelChoice<JvmStrategy> choose(
      Node node, List<Operand> inputs, List<Consumer> consumers) {
    boolean inPlace = node.op() instanceof Op.Gather && KernelChoice.readsWhereItWrites(node);
    return new KernelChoice<>(
        JvmStrategy.INTERPRETER,
        nothing(node),
        packings(node, inputs),
        Layout.ROW_MAJOR,
        inPlace,
        List.of());
  }

  private static List<@Nullable Packing> packings(Node node, List<Operand> inputs) {
    List<@Nullable Packing> packings = nothing(node);
    for (int i = 0; i < inputs.size(); i++) {
      Tensor constant = inputs.get(i).constant();
      if (constant != null) {
        packings.set(i, JvmPacking.of(node, i).filter(it -> it.suits(node, constant)).orElse(null));
      }
    }
    return packings;
  }

  private static <T> List<@Nullable T> nothing(Node node) {
    return new ArrayList<@Nullable T>(Collections.<@Nullable T>nCopies(node.inputs().size(), null));
  }

  @Override
  public Layout concatLayout(Node node, List<Operand> inputs, List<Consumer> consumers) {
    return Layout.ROW_MAJOR;
  }

  /* Elements are read one by one, or copied as bytes. */
  @Override
  public int vectorBytes() {
    return 1;
  }

  @Override
  public boolean canWrite(LoweredStep step) {
    return true;
  }

  @Override
  public Generated generate(LoweredProgram program) {
    List<ProgramCode.KernelCode> kernels = new ArrayList<>();
    List<Launch> launches = new ArrayList<>();
    for (LoweredStep step : program.steps()) {
      String name = "step_" + step.number();
      NodeKernel kernel = NodeKernel.of(step.node());
      StepKernel body = StepKernel.of(step, kernel, program);
      kernels.add(new ProgramCode.JavaKernel(name, body));
      Launch.Items work = new Launch.Items(kernel.items(), kernel.grain());
      launches.add(new Launch(name, body.blocks(), work));
    }
    ProgramCode code = new ProgramCode(program.graph().name(), "", "", kernels);
    List<Integer> steps = program.steps().stream().map(LoweredStep::number).toList();
    return new Generated(code, launches, steps);
  }
}
