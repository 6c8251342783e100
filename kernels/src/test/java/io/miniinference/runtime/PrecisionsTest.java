package io.miniinference.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.lower.Precision;
import io.miniinference.onnx.OnnxModel;
import io.miniinference.testing.device.TestedDevice;
import io.miniinference.testing.device.UnoptimisedKernels;
import java.lang.foreign.ValueLayout;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// Models of one engine have precisions of their own: a weight of 1/3, which 16 bits hold as
/// 0.33325195 and 8 significant ones as 0.33398438.
@Tag("opencl")
@ExtendWith(UnoptimisedKernels.class)
final class PrecisionsTest extends EnginePerTest {
  private static final OnnxModel THIRDS = TinyModels.scaling("thirds", 1 / 3f);

  PrecisionsTest() {
    tested = TestedDevice.GPU;
  }

  @Test
  void eachModelIsComputedInItsOwn() {
    Model usual = load(null);
    Model f16 = load(Precision.F16);
    Model bf16 = load(Precision.BF16);

    assertThat(answer(usual)).containsOnly(1f);
    assertThat(answer(f16)).containsOnly(3 * 0.33325195f);
    assertThat(answer(bf16)).containsOnly(3 * 0.33398438f);
  }

  private Model load(@Nullable Precision precision) {
    return engine().load(THIRDS, LoadOptions.defaults().withMaxBatch(1).withPrecision(precision));
  }

  private static float[] answer(Model model) {
    var threes =
        new InferenceRequest(
            List.of(new long[] {1, TinyModels.WIDTH}),
            (_, staging) -> {
              for (long i = 0; i < TinyModels.WIDTH; i++) {
                staging.set(ValueLayout.JAVA_FLOAT_UNALIGNED, i * 4, 3);
              }
            });
    return model.infer(
        threes, outputs -> outputs.getFirst().data().toArray(ValueLayout.JAVA_FLOAT_UNALIGNED));
  }
}
