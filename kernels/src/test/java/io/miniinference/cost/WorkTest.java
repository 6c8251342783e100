package io.miniinference.cost;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.miniinference.codegen.cpu.CpuTarget;
import io.miniinference.ir.text.GraphText;
import io.miniinference.lower.Algorithm;
import io.miniinference.lower.steps.Lowering;
import java.util.List;
import org.junit.jupiter.api.Test;

class WorkTest {

  private static StepCost only(String text, long n) {
    var program =
        Lowering.lower(GraphText.parse("graph \"g\" {" + text + "}"), new CpuTarget(), List.of());
    assertThat(program.steps()).hasSize(1);
    return StepCost.of(program, n).getFirst();
  }

  @Test
  void aProductTakesAMultiplicationAndAnAdditionPerElementAndDepth() {
    StepCost cost =
        only(
            """
            input %a: f32[N,8]
            input %b: f32[8,16]
            %y: f32[N,16] = matmul(%a, %b)
            output %y
            """,
            4);
    assertThat(cost.work()).isEqualTo(new Work(2 * 4 * 8 * 16, 4 * (4 * 8 + 8 * 16), 4 * 4 * 16));
    assertThat(cost.algorithm().isPlain()).isTrue();
    assertThat(cost.algorithm().why()).contains("open size");
  }

  @Test
  void aPlainLoopIsAFindingOnlyWhereItTakesMoreThanTwoToTheTwentiethOperations() {
    String text =
        """
        input %x: f32[N,1024]
        %y: f32[N,1024] = softmax(%x) {axis=1}
        output %y
        """;
    assertThat(only(text, 1).isFinding()).isFalse();
    StepCost large = only(text, 1024);
    assertThat(large.isFinding()).isEqualTo(large.algorithm().isPlain());
  }

  @Test
  void theBoundIsTheSlowerOfArithmeticAndMemory() {
    Peaks peaks = new Peaks(100, 10);
    assertThat(peaks.boundMicros(new Work(1_000_000, 0, 0))).isCloseTo(10, within(1e-9));
    assertThat(peaks.boundMicros(new Work(1_000_000, 500_000, 500_000)))
        .isCloseTo(100, within(1e-9));
    assertThatIllegalArgumentException().isThrownBy(() -> new Peaks(0, 1));
  }

  @Test
  void theTableNamesAPlainLoopOverManyOperations() {
    StepCost cost =
        only(
            """
            input %a: f32[N,512,64]
            input %b: f32[N,64,512]
            %y: f32[N,512,512] = matmul(%a, %b)
            output %y
            """,
            1);
    assertThat(cost.work().operations()).isGreaterThan(StepCost.PLAIN_OPERATIONS);
    StepCost plain =
        new StepCost(3, "attention", "MatMul", Algorithm.plain("for a test"), cost.work());
    assertThat(CostText.table(List.of(plain), null))
        .contains("finding: step 3 'attention' (MatMul) takes 33,554,432 operations")
        .contains("for a test");
    assertThat(CostText.json(List.of(plain))).contains("\"operations\":33554432");
  }
}
