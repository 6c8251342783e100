package io.miniinference.codegen.cpu.recurrent;

import io.miniinference.codegen.cpu.lanes.VectorText;
import io.miniinference.codegen.recurrent.Phase;
import io.miniinference.ir.RecurrentCell.Kind;
import io.miniinference.layout.Affine;
import java.util.List;
import java.util.stream.IntStream;

/// How the states of a recurrent layer are cut: how many rows of the batch go through the steps
/// together, and how many blocks of 16 elements of each are in registers at a time.
///
/// @param rows of a work item
/// @param hidden elements of a state
record StateTile(Kind kind, int rows, long hidden) {
  /// Rows that take each weight that is loaded.
  private static final int ROWS = 4;

  /// Sums in registers: as many as hide how long an addition takes.
  private static final int SUMS = 16;

  /// A block in so many may be empty.
  private static final int EMPTY = 7;

  static StateTile of(Kind kind, Affine rows, long hidden) {
    boolean isFew = rows.isConstant() && rows.constant() < ROWS;
    return new StateTile(kind, isFew ? 1 : ROWS, hidden);
  }

  private long held() {
    return Math.ceilDiv(hidden, VectorText.LANES);
  }

  /// Blocks that a phase takes at a time for so many rows.
  int units(Phase phase, int count) {
    int most = SUMS / (count * phase.gates().size());
    return IntStream.rangeClosed(1, Math.max(1, most))
        .filter(n -> (padded(n) - held()) * EMPTY <= held())
        .max()
        .orElse(1);
  }

  private long padded(long units) {
    return Math.ceilDiv(held(), units) * units;
  }

  /// Blocks of a state, with those that are empty.
  long blocks() {
    return Phase.of(kind).stream()
        .flatMap(p -> IntStream.of(1, rows).mapToObj(count -> padded(units(p, count))))
        .max(Long::compare)
        .orElseThrow();
  }

  /// Elements of a state in scratch.
  long pitch() {
    return blocks() * VectorText.LANES;
  }

  /// How the kernel wants the weights.
  StatePanels panels() {
    return new StatePanels(List.copyOf(phases()), blocks());
  }

  List<Phase> phases() {
    return Phase.of(kind);
  }
}
