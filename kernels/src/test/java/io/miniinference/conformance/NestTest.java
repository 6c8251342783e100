package io.miniinference.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.ir.Tensor;
import io.miniinference.testing.device.OnEachDevice;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Branches and loops in each other, drawn at random, on every device: results as the plain
/// interpreter's, and faults told as they happen.
@OnEachDevice
final class NestTest extends ControlRig {
  /// How many random graphs to run.
  private int randomGraphs() {
    return tested.isOpenCl() ? 8 : 200;
  }

  @Test
  void randomNestsGiveExactlyWhatTheInterpreterGives() {
    for (long seed = 0; seed < randomGraphs(); seed++) {
      String text = RandomNests.text(seed);
      List<List<Tensor>> sets = new ArrayList<>();
      for (int k = 0; k < 4; k++) {
        sets.add(List.of(wholes(seed + k, 1 + k, 4), wholes(seed - k, 4), count(k)));
      }
      try {
        holds(text, sets);
      } catch (RuntimeException | AssertionError e) {
        throw new AssertionError("seed " + seed + ":\n" + text, e);
      }
    }
  }

  /// How many random graphs to inject faults into, unless `-Dmie.faults.graphs` says otherwise.
  private int faultyGraphs() {
    return tested.isOpenCl() ? 8 : 150;
  }

  @Test
  void faultsInRandomNestsAreToldAsTheyHappenAndDoNoHarm() {
    long first = Long.getLong("mie.faults.first", 0);
    int graphs = Integer.getInteger("mie.faults.graphs", faultyGraphs());
    int faults = 0;
    for (long seed = first; seed < first + graphs; seed++) {
      faults += FaultInjection.hold(rig(), seed);
    }
    System.out.printf("%d faults in %d nested graphs%n", faults, graphs);
    assertThat(faults).isGreaterThan(30 * graphs);
  }
}
