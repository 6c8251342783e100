package io.miniinference.device.opencl;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Beside a model of what PoCL does: it keeps the 128 kernels that were launched last.
final class LoadedKernelsTest {
  private final LoadedKernels loaded = new LoadedKernels();
  private final Set<Integer> kept = new LinkedHashSet<>();
  private final Map<Integer, Runnable> open = new HashMap<>();
  private int next;
  private int settled;

  private void launch(int kernel) {
    kept.remove(kernel);
    kept.add(kernel);
    if (kept.size() > 128) {
      kept.remove(kept.iterator().next());
    }
  }

  private void load() {
    int kernel = next++;
    Runnable launch = () -> launch(kernel);
    open.put(kernel, launch);
    loaded.load(launch, () -> settled++);
  }

  private void close(int kernel) {
    loaded.forget(requireNonNull(open.remove(kernel)));
  }

  private void load(int count) {
    for (int i = 0; i < count; i++) {
      load();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 20, 60, 100, 112, 130, 200})
  void noKernelOfAnOpenProgramIsDroppedWhileRunsGoSideBySide(int most) {
    Random random = new Random(most);
    for (int step = 0; step < 20_000; step++) {
      List<Integer> kernels = new ArrayList<>(open.keySet());
      switch (random.nextInt(3)) {
        case 0 -> load();
        case 1 -> kernels.stream().filter(_ -> random.nextInt(4) == 0).forEach(this::launch);
        default -> {
          if (!kernels.isEmpty() && (kernels.size() >= most || random.nextInt(8) == 0)) {
            close(kernels.get(random.nextInt(kernels.size())));
          }
        }
      }
      if (loaded.turn() == null) {
        assertThat(kept).as("seed %d, step %d", most, step).containsAll(open.keySet());
      }
    }
  }

  @Test
  void runsGoOneAtATimeOnlyWhileThereAreTooMany() {
    load(112);
    assertThat(loaded.turn()).isNull();
    assertThat(settled).isZero();
    load(2);
    assertThat(loaded.turn()).isNotNull();
    assertThat(settled).as("those that had begun were waited for").isEqualTo(1);
    List.copyOf(open.keySet()).subList(0, 10).forEach(this::close);
    load();
    assertThat(loaded.turn()).isNull();
    assertThat(kept).containsAll(open.keySet());
  }

  @Test
  void aKernelIsLaunchedOnceWhereNoOthersAreLoaded() {
    load(64);
    assertThat(kept).hasSize(64);
    assertThat(launchesOf(this::load)).isEqualTo(1);
  }

  private int launchesOf(Runnable action) {
    int[] launches = {0};
    Runnable counted = () -> launches[0]++;
    loaded.load(counted, () -> {});
    action.run();
    return launches[0];
  }
}
