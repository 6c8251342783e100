package io.miniinference.codegen.cpu;

import io.miniinference.codegen.DivisionText;
import io.miniinference.codegen.KernelText;
import io.miniinference.codegen.Statements;
import io.miniinference.codegen.StepText;
import io.miniinference.codegen.cpu.lanes.ChannelLanes;
import io.miniinference.codegen.cpu.lanes.Functions;
import io.miniinference.ir.Op;
import io.miniinference.layout.Axis;
import io.miniinference.lower.Algorithm;
import io.miniinference.lower.LoweredStep;
import io.miniinference.plan.Array;
import java.util.Optional;

/// Elementwise computation, copies and conversions: loops over the output in memory order, an
/// element at a time where there is no [VectorMap] and there are no [ChannelLanes].
final class MapKernel {
  private static final String HEAD =
      """
      A work item owns the elements of the innermost axes of the result, at one place on the others, and goes over
      them in the order of its memory, so that stores, and reads of what lies alike, are in sequence. %s.
      """;

  private MapKernel() {}

  /// How a step is computed; empty where it is an element at a time.
  static Optional<Algorithm> algorithm(LoweredStep step, Op.Elementwise op) {
    return VectorMap.fits(step, op)
        ? Optional.of(Algorithm.of("runs of neighbours, 16 at a time"))
        : ChannelLanes.fits(step, op)
            ? Optional.of(Algorithm.of("other pixels of a channel, 16 channels at a time"))
            : Functions.isTable(op.expr())
                ? Optional.of(Algorithm.of("functions of bytes, each looked up in a table"))
                : Optional.empty();
  }

  /// @param failures block id of the failure slots
  static KernelText.Written write(LoweredStep step, Op.Elementwise op, int failures) {
    return VectorMap.write(step, op).orElseGet(() -> writeEach(step, op, failures));
  }

  private static String order(LoweredStep step, Op.Elementwise op) {
    return ChannelLanes.fits(step, op)
        ? "Lanes at a time:\nthose of a block lie next to each other wherever they are read"
        : "One at a time:\n" + VectorMap.whyNot(step, op);
  }

  /* Where all operands have the lanes of a block far apart, lane by lane: each is read in sequence then,
  and what is stored in between stays in the processor's first cache. */
  private static Loops loops(LoweredStep step) {
    Loops loops = Loops.over(step.output().index());
    boolean areApart =
        step.inputs().stream()
            .map(Array::index)
            .noneMatch(x -> x.axes().stream().anyMatch(Axis::isBlocked));
    return areApart ? loops.laneByLane() : loops;
  }

  private static KernelText.Written writeEach(LoweredStep step, Op.Elementwise op, int failures) {
    StepText s = new StepText(step, 1);
    Loops loops = loops(step);
    s.text().head(HEAD.formatted(order(step, op)));
    String check = DivisionText.check(s, loops.coordinates(), failures);
    String store = s.stored(s.expression(op.expr(), loops.coordinates()), loops.coordinates());
    s.text().line(loops.over(Statements.of(check, store)));
    return new KernelText.Written(s.text(), loops.work());
  }
}
