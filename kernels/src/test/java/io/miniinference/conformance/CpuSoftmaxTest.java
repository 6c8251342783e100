package io.miniinference.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.miniinference.interp.Interpreter;
import io.miniinference.interp.memory.TensorView;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Graph;
import io.miniinference.ir.Tensor;
import io.miniinference.ir.text.GraphText;
import io.miniinference.ir.type.GraphCheck;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Weights of the CPU writer's Softmax.
@Tag("opencl")
final class CpuSoftmaxTest {
  private static final int COLUMNS = 110;

  /// The natural logarithm of 2^-138 is -95.65.
  private static final int KEPT = 96;

  /// A mask of −100 makes such weights: a product with one would take a hundred times as long.
  /// Those between 2^-138 and the least normal float count in a sum that cancels.
  @Test
  void weightsBelowHalfTheBitsOfAFloatAreZeroAndTheOthersExact() {
    Graph graph =
        GraphCheck.check(
            GraphText.parse(
                """
                graph "g" {
                  input %x: f32[1, 110]
                  %y: f32[1, 110] = softmax(%x) {axis=1}
                  output %y
                }
                """));
    Tensor x = Interpreter.allocate(ElementType.F32, 1, COLUMNS);
    double sum = 0;
    for (int i = 0; i < COLUMNS; i++) {
      TensorView.of(x).realAt(i, -i);
      sum += Math.exp(-i);
    }
    Tensor y;
    try (Rig rig = Writer.CPU.open()) {
      y = rig.run(graph, List.of(List.of(x))).getFirst().getFirst();
    }
    for (int i = 0; i < COLUMNS; i++) {
      double exact = i < KEPT ? Math.exp(-i) / sum : 0;
      double steps = i < KEPT ? 2 * Float.MIN_VALUE : 0;
      assertThat(TensorView.of(y).realAt(i))
          .as("%d", i)
          .isCloseTo(exact, within(1e-5 * exact + steps));
    }
  }
}
