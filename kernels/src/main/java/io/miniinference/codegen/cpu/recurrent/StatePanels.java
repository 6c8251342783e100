package io.miniinference.codegen.cpu.recurrent;

import io.miniinference.codegen.cpu.lanes.VectorText;
import io.miniinference.codegen.recurrent.Phase;
import io.miniinference.ir.Tensor;
import io.miniinference.lower.Packing;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;

/// Recurrent weights `[gates · hidden, hidden]` for each phase of a step one after the other as
/// `[blocks of 16 elements of a state][k][gates of the phase][16]`: what meets one number of the
/// state lies together, so that a product reads its weights from front to back. Missing elements
/// are zero.
///
/// @param blocks of 16 elements of a state, some of which may be empty
record StatePanels(List<Phase> phases, long blocks) implements Packing {
  private static final ValueLayout.OfFloat FLOAT = ValueLayout.JAVA_FLOAT_UNALIGNED;
  private static final int LANES = VectorText.LANES;

  StatePanels {
    phases = List.copyOf(phases);
  }

  /// Elements of a block of one phase.
  static long block(Phase phase, long hidden) {
    return hidden * phase.gates().size() * LANES;
  }

  /// Elements ahead of a phase.
  long start(Phase phase, long hidden) {
    return phases.subList(0, phases.indexOf(phase)).stream()
        .mapToLong(p -> blocks * block(p, hidden))
        .sum();
  }

  /* No less than the weights as they are, though a gate that is coupled with another is left out. */
  @Override
  public long bytes(Tensor weight) {
    long hidden = weight.shape()[1];
    long packed = phases.stream().mapToLong(p -> blocks * block(p, hidden)).sum() * Float.BYTES;
    return Math.max(packed, weight.data().byteSize());
  }

  @Override
  public void pack(Tensor weight, MemorySegment target) {
    long hidden = weight.shape()[1];
    for (Phase phase : phases) {
      for (int g = 0; g < phase.gates().size(); g++) {
        pack(weight, target, phase, g, hidden);
      }
    }
  }

  private void pack(Tensor weight, MemorySegment target, Phase phase, int g, long hidden) {
    int gates = phase.gates().size();
    long first = start(phase, hidden);
    for (long j = 0; j < hidden; j++) {
      long row = (phase.gates().get(g) * hidden + j) * hidden;
      long to = first + j / LANES * block(phase, hidden) + (long) g * LANES + j % LANES;
      for (long k = 0; k < hidden; k++) {
        float value = weight.data().get(FLOAT, (row + k) * Float.BYTES);
        target.set(FLOAT, (to + k * gates * LANES) * Float.BYTES, value);
      }
    }
  }
}
