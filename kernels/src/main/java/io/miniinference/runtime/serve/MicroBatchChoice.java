package io.miniinference.runtime.serve;

import io.miniinference.cost.Work;
import io.miniinference.ir.Op;
import io.miniinference.lower.LoweredProgram;
import io.miniinference.lower.Network;
import io.miniinference.plan.planner.Placement;
import io.miniinference.plan.planner.RowArena;
import io.miniinference.runtime.compile.Compiled;
import java.util.List;
import java.util.Optional;

/// How many rows of a batch go through all steps before the next ones do, where all workers share
/// each step: as many as have no more bytes than half of the weights, which each micro-batch reads,
/// and no more than the workers' parts of caches; fewer rows than would keep all workers busy, or
/// wait for weights, are not taken apart. Where no number is as small as that, the smallest that
/// keeps workers busy is taken.
final class MicroBatchChoice {
  /// The part that a worker has of its caches, on the smaller processors in use.
  private static final long CACHE_BYTES_OF_WORKER = 4 << 20;

  /// Workers that the steps of one row keep busy.
  private static final int WORKERS_OF_ROW = 4;

  /// The part of the bytes of weights that rows between steps may have.
  private static final long PART_OF_WEIGHTS = 2;

  /// Operations that a byte of weights must be good for.
  private static final long OPERATIONS_PER_BYTE = 24;

  /// Products take rows in eights.
  private static final int MOST_ROWS = 8;

  private MicroBatchChoice() {}

  /// The plan of a micro-batch; empty where steps take a batch whole, or rows that a core's cache
  /// holds go through them in lanes of their own. Larger rows may go either way.
  static Optional<Placement> of(Compiled compiled, int workers) {
    return isInShared(compiled) && canGoApart(compiled.lowered())
        ? chosen(compiled, workers)
        : Optional.empty();
  }

  private static boolean isInShared(Compiled compiled) {
    return compiled
        .generated()
        .network()
        .filter(it -> it.rows().filter(rows -> rows.piece().fitsCore()).isEmpty())
        .flatMap(Network::shared)
        .isPresent();
  }

  /// Whether a few rows may take all steps, and be told of what fails. A recurrent layer reads its
  /// weights in each of its steps, for few rows as for many.
  static boolean canGoApart(LoweredProgram program) {
    return program.isApart()
        && program.steps().stream().noneMatch(step -> step.node().op() instanceof Op.Recurrent)
        && program.failsByRow()
        && RowArena.canStandIn(program.plan());
  }

  private static Optional<Placement> chosen(Compiled compiled, int workers) {
    double operations = Work.ofAll(compiled.lowered(), 1);
    long weights = compiled.weights().bytes();
    List<Placement> enough =
        compiled.plan().placements().stream()
            .filter(it -> it.batch() <= Math.max(MOST_ROWS, workers))
            .filter(it -> it.batch() * WORKERS_OF_ROW >= workers)
            .filter(it -> it.batch() * operations >= weights * OPERATIONS_PER_BYTE)
            .toList();
    long most = Math.min(CACHE_BYTES_OF_WORKER * workers, weights / PART_OF_WEIGHTS);
    return enough.stream()
        .filter(it -> it.plannedBytes() <= most)
        .reduce((_, last) -> last)
        .or(() -> enough.stream().findFirst());
  }
}
