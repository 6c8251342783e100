package io.miniinference.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.interp.Interpreter;
import io.miniinference.interp.memory.TensorView;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Graph;
import io.miniinference.ir.Tensor;
import io.miniinference.ir.text.GraphText;
import io.miniinference.ir.type.GraphCheck;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// The GPU writer, whose kernels run on any OpenCL device at these sizes.
@Tag("opencl")
final class GpuWriterConformanceTest extends Conformance {
  private static final Set<String> LEFT_OUT =
      Set.of(
          "functions in runs",
          "channels of convolutions",
          "widths of convolutions",
          "types of windows",
          "convolutions of views",
          "16 blocked channels",
          "33 blocked channels",
          "reductions of bf16",
          "reductions of i8",
          "reductions of u8",
          "reductions of i64",
          "lines of bf16",
          "products of bf16",
          "products of u8",
          "concatenations of f64");

  @Override
  int randomPrograms() {
    return 1;
  }

  /// PoCL takes seconds to build some of these kernels: those are left out that differ from others
  /// in numbers only.
  @Override
  boolean runs(String sheet) {
    return !LEFT_OUT.contains(sheet);
  }

  @Override
  Writer writer() {
    return Writer.GPU;
  }

  /// Where it does not show in the sum, a weight shows in what it weighs.
  @Test
  void softmaxRoundsSmallWeightsCorrectly() {
    Graph graph =
        GraphCheck.check(
            GraphText.parse(
                """
                graph "g" {
                  input %x: f32[87, 2]
                  %y: f32[87, 2] = softmax(%x) {axis=1}
                  output %y
                }
                """));
    Tensor x = Interpreter.allocate(ElementType.F32, 87, 2);
    for (int i = 0; i < 87; i++) {
      TensorView.of(x).realAt(2 * i, -17.03125 - i);
    }
    Tensor y = rig().run(graph, List.of(List.of(x))).getFirst().getFirst();
    for (int i = 0; i < 87; i++) {
      assertThat(TensorView.of(y).realAt(2 * i)).isEqualTo((float) Math.exp(-17.03125 - i));
    }
  }
}
