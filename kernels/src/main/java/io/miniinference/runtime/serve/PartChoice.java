package io.miniinference.runtime.serve;

import io.miniinference.cost.Work;
import io.miniinference.device.DeviceInfo;
import io.miniinference.lower.LoweredProgram;
import io.miniinference.plan.planner.Placement;
import io.miniinference.plan.planner.RowArena;
import io.miniinference.runtime.compile.Compiled;
import java.util.Optional;
import java.util.stream.Stream;

/// Whether a GPU that overlaps runs takes batches in parts, and of how many rows: where rows take
/// about as long to come and go as to compute, and then as few as give the launches of all lanes
/// enough to do. While some rows are computed, others come and go; and memory for the rows of all
/// lanes does for a batch of any size.
final class PartChoice {
  /// Lanes that keep a GPU busy while rows come and go.
  private static final int LANES = 4;

  /// Operations of the launches of all lanes, on average over a model's, below which a launch's own
  /// time shows. A step with a launch for small and one for large batches counts as two.
  private static final double OPERATIONS = 800e6;

  /// The same where a byte is good for few operations, so that overlapping gains more than that.
  private static final double FEW_OPERATIONS = 200e6;

  /// Operations for each byte that comes or goes that are few.
  private static final double FEW_PER_BYTE = 600;

  /// Operations for each byte that comes or goes, above which it does not matter that they wait for
  /// each other: computing takes ten times as long.
  private static final double MOST_PER_BYTE = 2500;

  /// Rows of a part where a row or two are a work-group of their own, in one launch: so many that
  /// each multiprocessor of a large GPU has some; an H200 has 132.
  private static final long LEAST_ROWS = 256;

  private PartChoice() {}

  /// Lanes and what each holds.
  ///
  /// @param piece the plan of the rows of a part
  /// @param lanes the most that are worth having
  public record Choice(Placement piece, int lanes) {}

  /// Empty where steps take a batch whole.
  static Optional<Choice> of(Compiled compiled, DeviceInfo device) {
    return device.streams() > 1 && compiled.planning().rows() && canGoInParts(compiled.lowered())
        ? chosen(compiled)
        : Optional.empty();
  }

  private static boolean canGoInParts(LoweredProgram program) {
    return program.isStraight()
        && MicroBatchChoice.canGoApart(program)
        && operationsPerByte(program) <= MOST_PER_BYTE;
  }

  private static double operationsPerByte(LoweredProgram program) {
    long bytes =
        Stream.concat(program.inputs().stream(), program.outputs().stream())
            .mapToLong(array -> RowArena.bytes(array).perBatch())
            .sum();
    return Work.ofAll(program, 1) / bytes;
  }

  private static Optional<Choice> chosen(Compiled compiled) {
    double enough =
        operationsPerByte(compiled.lowered()) < FEW_PER_BYTE ? FEW_OPERATIONS : OPERATIONS;
    long least = compiled.lowered().isOneStep() ? LEAST_ROWS : 1;
    double ofRow =
        Work.ofAll(compiled.lowered(), 1) / compiled.generated().launches().size() * LANES;
    return compiled.plan().placements().stream()
        .filter(it -> it.batch() >= least && it.batch() * ofRow >= enough)
        .findFirst()
        .map(it -> new Choice(it, LANES));
  }
}
