package io.miniinference.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.ir.Graph;
import io.miniinference.ir.Tensor;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Plans of random networks on the JVM device: what shares memory, is built in place or not copied
/// changes no bit of any result.
final class JvmRandomPlansTest {
  /// Programs of twelve networks each.
  private static final int PROGRAMS = 80;

  @Test
  void everyBitIsAsWithoutSharedMemory() {
    List<String> wrong = new ArrayList<>();
    try (Rig rig = Writer.JVM.open()) {
      RandomGraphs.sheets(PROGRAMS).forEach(sheet -> compare(rig, sheet, wrong));
    }
    assertThat(wrong).isEmpty();
  }

  private static void compare(Rig rig, Sheet sheet, List<String> wrong) {
    Graph graph = sheet.graph();
    List<List<Tensor>> sets = sheet.batches().stream().map(sheet::inputs).toList();
    List<List<Tensor>> planned = rig.run(graph, sets);
    List<List<Tensor>> plain = rig.runPlain(graph, sets);
    for (int s = 0; s < sets.size(); s++) {
      for (int i = 0; i < plain.get(s).size(); i++) {
        long differs = planned.get(s).get(i).data().mismatch(plain.get(s).get(i).data());
        if (differs >= 0) {
          wrong.add(
              "%s, %s, N = %d: byte %d"
                  .formatted(sheet, sheet.cases().get(i).label(), sheet.batches().get(s), differs));
        }
      }
    }
  }
}
