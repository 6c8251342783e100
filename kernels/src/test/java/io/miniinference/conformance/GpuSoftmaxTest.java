package io.miniinference.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.interp.Interpreter;
import io.miniinference.interp.memory.TensorView;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Graph;
import io.miniinference.ir.Tensor;
import io.miniinference.ir.text.GraphText;
import io.miniinference.ir.type.GraphCheck;
import io.miniinference.testing.device.UnoptimisedKernels;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// Weights of the GPU writer's Softmax.
@Tag("opencl")
@ExtendWith(UnoptimisedKernels.class)
final class GpuSoftmaxTest {
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
    Tensor y;
    try (Rig rig = Writer.GPU.open()) {
      y = rig.run(graph, List.of(List.of(x))).getFirst().getFirst();
    }
    for (int i = 0; i < 87; i++) {
      assertThat(TensorView.of(y).realAt(2 * i)).isEqualTo((float) Math.exp(-17.03125 - i));
    }
  }
}
