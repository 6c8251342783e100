package io.miniinference.plan.coalesce;

import io.miniinference.plan.Array;
import io.miniinference.plan.Block;
import io.miniinference.plan.PlanOptions;
import io.miniinference.plan.Step;
import io.miniinference.plan.live.Lifetimes;
import io.miniinference.plan.live.TimedStep;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// Two arrays of one step that could be the same memory: if `destination` lies where `source` does,
/// a copy need not be made, or a result needs no memory of its own.
///
/// @param timed the step and its ticks
/// @param source what the step reads
/// @param destination what it writes
/// @param isCopy whether the step does nothing but move the one to the other
/// @param bytes of the destination, at the largest batch size
public record Candidate(
    TimedStep timed, Array source, Array destination, boolean isCopy, long bytes) {

  /// All of a program, those that save most first: copies by their size, then steps that may work
  /// in place by their order, then small parts by theirs.
  public static List<Candidate> of(Lifetimes lifetimes, PlanOptions options) {
    List<Candidate> copies = new ArrayList<>();
    List<Candidate> inPlace = new ArrayList<>();
    List<Candidate> small = new ArrayList<>();
    for (TimedStep timed : lifetimes.steps()) {
      if (isMove(timed.step())) {
        Candidate copy = of(timed, 0, 0, true, options);
        (copy.isSmallPart() ? small : copies).add(copy);
      } else {
        timed
            .step()
            .inPlace()
            .forEach(pair -> inPlace.add(of(timed, pair.write(), pair.read(), false, options)));
      }
    }
    copies.sort(
        Comparator.comparingLong(Candidate::bytes)
            .thenComparingLong(c -> c.destination.block().sizeBytes().at(options.maxBatch()))
            .reversed());
    List<Candidate> all = new ArrayList<>();
    all.addAll(options.coalescing() ? copies : List.of());
    all.addAll(options.inPlace() ? inPlace : List.of());
    all.addAll(options.coalescing() ? small : List.of());
    return all;
  }

  /// The same, but of copies of as many bytes the earlier first.
  public static List<Candidate> executed(List<Candidate> all) {
    List<Candidate> executed = new ArrayList<>(all);
    List<Candidate> copies =
        executed.subList(0, (int) all.stream().filter(c -> c.isCopy && !c.isSmallPart()).count());
    copies.sort(
        Comparator.comparingLong(Candidate::bytes).reversed().thenComparingInt(Candidate::tick));
    return executed;
  }

  private static Candidate of(
      TimedStep timed, int write, int read, boolean isCopy, PlanOptions options) {
    Array source = timed.step().reads().get(read);
    Array destination = timed.step().writes().get(write);
    long bytes = destination.index().elements().at(options.maxBatch()) * destination.elementBytes();
    return new Candidate(timed, source, destination, isCopy, bytes);
  }

  /* A copy of a whole array into another of the same shape. */
  public static boolean isMove(Step step) {
    return step.kind() == Step.Kind.COPY
        && step.reads().size() == 1
        && step.writes().size() == 1
        && step.bodies().isEmpty()
        && step.reads().getFirst().index().shape().equals(step.writes().getFirst().index().shape());
  }

  /// Whether it is a copy of so little, out of so much more, that it costs less than what the
  /// memory around it may be needed for. It is judged at one row.
  public boolean isSmallPart() {
    return isCopy
        && destination.denseBytes(1) < Block.SMALL_BYTES
        && source.block().sizeBytes().at(1) >= Block.SMALL_BYTES;
  }

  public Step step() {
    return timed.step();
  }

  int tick() {
    return timed.exit();
  }

  boolean shares(Block block) {
    return source.block().id() == block.id() || destination.block().id() == block.id();
  }
}
