package io.miniinference.codegen.program;

import static io.miniinference.ir.Exprs.add;
import static io.miniinference.ir.Exprs.arg;
import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.codegen.KernelText;
import io.miniinference.codegen.StepText;
import io.miniinference.codegen.cpu.CpuTarget;
import io.miniinference.device.Launch;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.TensorType;
import io.miniinference.ir.Value;
import io.miniinference.ir.build.GraphBuilder;
import io.miniinference.layout.Affine;
import io.miniinference.lower.LoweredStep;
import io.miniinference.lower.steps.Lowering;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class AlikeStepsTest {
  private static final Affine WIDTH = Affine.of(48);

  private final GraphBuilder graph = new GraphBuilder("layers");
  private final List<LoweredStep> written = new ArrayList<>();

  private Value input(String name, Affine... shape) {
    return graph.input(name, new TensorType(ElementType.F32, List.of(shape)));
  }

  private Value layer(String name, Value x, Value weights) {
    return graph
        .lowering(name + " softmax", "Softmax")
        .softmax(1, false, graph.lowering(name + " product", "MatMul").matMul(x, weights));
  }

  private Value sum(Value... operands) {
    return graph.lowering("sum " + operands[0], "Add").elementwise(add(arg(0), arg(1)), operands);
  }

  private List<LoweredStep> steps(Value... outputs) {
    return Lowering.lower(graph.build(List.of(outputs)), new CpuTarget(), List.of()).steps();
  }

  private List<KernelText.Written> write(LoweredStep step) {
    written.add(step);
    KernelText text = new StepText(step, 1).text().line("y[0] = x0[0];");
    return List.of(new KernelText.Written(text, new Launch.Items(Affine.N, 1)));
  }

  private static StepForm form(LoweredStep step) {
    return StepForm.of(step, StepForm.blocks(step));
  }

  @Test
  void layersThatAreAlikeAreWrittenOnce() {
    Value weights = input("w1", WIDTH, WIDTH);
    Value first = layer("first", input("x", Affine.N, WIDTH), weights);
    List<LoweredStep> steps = steps(layer("second", first, input("w2", WIDTH, WIDTH)));
    AlikeSteps alike = new AlikeSteps();

    List<KernelText> texts =
        steps.stream().map(step -> alike.kernels(step, this::write).getFirst().text()).toList();

    assertThat(steps).hasSize(4);
    assertThat(written).containsExactly(steps.get(0), steps.get(1));
    assertThat(texts.get(2).statements()).isEqualTo(texts.get(0).statements());
    assertThat(texts.get(2).offsets()).isEqualTo(write(steps.get(2)).getFirst().text().offsets());
    assertThat(texts.get(3).offsets()).isEqualTo(write(steps.get(3)).getFirst().text().offsets());
  }

  @Test
  void anOpenSizeIsNoSizeThatIsFixed() {
    Value fixed = input("fixed", Affine.N, WIDTH);
    Value open = input("open", Affine.N, WIDTH.opened());
    List<LoweredStep> steps = steps(sum(fixed, fixed), sum(open, open));

    assertThat(form(steps.get(0))).isNotEqualTo(form(steps.get(1)));
  }

  @Test
  void aValueThatIsReadTwiceIsNoTwoValues() {
    Value one = input("one", Affine.N, WIDTH);
    Value other = input("other", Affine.N, WIDTH);
    List<LoweredStep> steps = steps(sum(one, other), sum(other, one), sum(other, other));

    assertThat(form(steps.get(0))).isEqualTo(form(steps.get(1)));
    assertThat(form(steps.get(0))).isNotEqualTo(form(steps.get(2)));
  }

  @Test
  void whatMayFailIsWrittenForItself() {
    Value rows = graph.input("rows", new TensorType(ElementType.I64, List.of(Affine.N)));
    Value table = input("table", WIDTH, WIDTH);
    List<LoweredStep> steps =
        steps(
            graph.lowering("one", "Gather").gather(0, table, rows),
            graph.lowering("two", "Gather").gather(0, table, rows));
    AlikeSteps alike = new AlikeSteps();

    steps.forEach(step -> alike.kernels(step, this::write));

    assertThat(written).isEqualTo(steps);
  }
}
