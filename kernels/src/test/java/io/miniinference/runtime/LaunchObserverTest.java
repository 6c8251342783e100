package io.miniinference.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.runtime.RequestBatch.Member;
import io.miniinference.testing.device.TestedDevice;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Requests hear of their launches on the JVM device, each for itself and of those of their batch.
final class LaunchObserverTest extends EnginePerTest {
  LaunchObserverTest() {
    tested = TestedDevice.JVM;
  }

  @Test
  void aRequestHearsOfEachLaunchInOrderAndAnswersAsEver() {
    Model model = engine().load(TinyModels.doubling(), LoadOptions.defaults());
    List<Integer> launches = new ArrayList<>();
    List<Long> times = new ArrayList<>();

    float[] answer =
        model.infer(
            request(3)
                .observedBy((launch, kernel, from, to) -> {
                  assertThat(kernel).isNotBlank();
                  launches.add(launch);
                  times.add(from);
                  times.add(to);
                }),
            outputs -> outputs.getFirst().data().toArray(ValueLayout.JAVA_FLOAT_UNALIGNED));

    assertThat(answer).containsOnly(6).hasSize(TinyModels.WIDTH);
    assertThat(launches).isNotEmpty().isSorted().doesNotHaveDuplicates();
    assertThat(times).isSorted();
    assertThat(model.profile(request(3))).hasSameSizeAs(launches);
  }

  @Test
  void thoseOfABatchWhoWantToHearAllOfItsLaunches() {
    Model model = engine().load(TinyModels.doubling(), LoadOptions.defaults());
    List<Integer> first = new ArrayList<>();
    List<Integer> third = new ArrayList<>();

    List<RequestBatch.Outcome<Integer>> outcomes =
        RequestBatch.of(
                model,
                List.of(
                    member(request(1).observedBy((launch, _, _, _) -> first.add(launch))),
                    member(request(2)),
                    member(request(3).observedBy((launch, _, _, _) -> third.add(launch)))))
            .infer();

    assertThat(outcomes).hasSize(3);
    assertThat(first).isNotEmpty().isEqualTo(third);
  }

  private static Member<Integer> member(InferenceRequest request) {
    return new Member<>(request, List::size);
  }

  private static InferenceRequest request(float value) {
    return new InferenceRequest(
        List.of(new long[] {1, TinyModels.WIDTH}),
        (_, staging) -> {
          for (long i = 0; i < TinyModels.WIDTH; i++) {
            staging.set(ValueLayout.JAVA_FLOAT_UNALIGNED, i * 4, value);
          }
        });
  }
}
