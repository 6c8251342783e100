package io.miniinference.codegen;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.codegen.cpu.CpuTarget;
import io.miniinference.codegen.gpu.GpuTarget;
import io.miniinference.lower.Target;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// The text of clips within clips, as quantised networks have them.
final class NestedClipsTest {
  private static Stream<Arguments> writers() {
    return Stream.of("f32", "f64", "f16")
        .flatMap(type ->
            Stream.of(Arguments.of(type, new CpuTarget()), Arguments.of(type, new GpuTarget())));
  }

  private static int length(int clips, String type, Target<?> writer) {
    String expr = "min(max(".repeat(clips) + "a0" + " * 2.0, 0.0), 9.0)".repeat(clips);
    String graph =
        """
        input %%x: %1$s[N,64]
        %%y: %1$s[N,64] = elementwise(%%x) { %2$s }
        """
            .formatted(
                type, type.equals("f32") ? expr : expr.replaceAll("[0-9]\\.0", "$0:" + type));
    return GoldenKernels.textOf(graph, writer).length();
  }

  @ParameterizedTest
  @MethodSource("writers")
  void growsByAsMuchWithEachClip(String type, Target<?> writer) {
    int two = length(2, type, writer);
    int ten = length(10, type, writer);
    int eighteen = length(18, type, writer);

    assertThat(ten).isLessThan(10_000);
    assertThat(eighteen - ten).isLessThan(2 * (ten - two));
  }
}
