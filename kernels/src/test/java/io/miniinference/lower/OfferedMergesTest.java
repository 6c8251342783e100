package io.miniinference.lower;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.codegen.cpu.CpuTarget;
import io.miniinference.codegen.gpu.GpuTarget;
import io.miniinference.codegen.jvm.JvmTarget;
import io.miniinference.ir.text.GraphText;
import io.miniinference.lower.steps.Lowering;
import io.miniinference.plan.Merge;
import io.miniinference.plan.PlanOptions;
import io.miniinference.plan.RefusedMerge;
import io.miniinference.plan.Step;
import io.miniinference.plan.planner.MemoryPlan;
import io.miniinference.plan.planner.Planner;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Which merges lowered steps offer to the planner, and which they name with what forbids them.
final class OfferedMergesTest {

  private static Stream<Target<?>> writers() {
    return Stream.of(new JvmTarget(), new CpuTarget(), new GpuTarget());
  }

  private static LoweredProgram lowered(Target<?> writer, String text) {
    return Lowering.lower(GraphText.parse("graph \"g\" {" + text + "}"), writer, List.of());
  }

  private static MemoryPlan plan(LoweredProgram lowered) {
    return Planner.planAt(lowered.plan(), 1, PlanOptions.upTo(1));
  }

  private static List<String> refused(Target<?> writer, String text) {
    return plan(lowered(writer, text)).refused().stream().map(RefusedMerge::toString).toList();
  }

  @ParameterizedTest
  @MethodSource("writers")
  void aGatherWritesOverWhatItsEpilogueReads(Target<?> writer) {
    LoweredProgram lowered =
        lowered(
            writer,
            """
            input %x: f32[300,64]
            input %i: i64[128]
            input %e: f32[128,64]
            %g: f32[128,64] = gather(%x, %i) {axis=0} epilogue(%e) { a0 + a1 }
            output %g
            """);
    Step gather = lowered.plan().body().steps().getFirst();
    assertThat(gather.inPlace()).containsExactly(new Step.InPlace(0, 2));
    assertThat(plan(lowered).merges()).map(Merge::toString).containsExactly("e -> g");
  }

  @ParameterizedTest
  @MethodSource("writers")
  void aGatherWhoseEpilogueReadsElsewhereWritesOverNothing(Target<?> writer) {
    LoweredProgram lowered =
        lowered(
            writer,
            """
            input %x: f32[300,64]
            input %i: i64[64]
            input %e: f32[64,64]
            %g: f32[64,64] = gather(%x, %i) {axis=0} epilogue(%e) { a0 + a1[i1, i0] }
            output %g
            """);
    assertThat(lowered.plan().body().steps().getFirst().inPlace()).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("writers")
  void updatesWhosePlaceIsFoundTooLateAreListedAsSc5(Target<?> writer) {
    String text =
        """
        input %x: f32[8,64]
        input %i: i64[2,1]
        input %s: f32[2,64]
        %u: f32[2,64] = elementwise(%s) { a0 * 2.0 }
        %y: f32[8,64] = scatter_nd(%x, %i, %u)
        output %y
        """;
    assertThat(refused(writer, text)).contains("u -> y: SC5");
  }
}
