package io.miniinference.plan.planner;

import io.miniinference.plan.PlanOptions;
import io.miniinference.plan.Program;
import io.miniinference.plan.live.Lifetimes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The lifetime planner: decides which blocks are the same memory, once for all batch sizes, and
/// where each lies, per batch bucket.
public final class Planner {
  private final MemoryPlan merged;
  private final PlanOptions options;

  private Planner(MemoryPlan merged, PlanOptions options) {
    this.merged = merged;
    this.options = options;
  }

  private static Planner merging(Program program, PlanOptions options, EarlierDecisions earlier) {
    CoalescedPlan merges = Coalescer.of(program, Lifetimes.of(program), options, earlier);
    Program merged = merges.program();
    MemoryPlan plan =
        new MemoryPlan(
            program, merged, Lifetimes.of(merged), merges.made(), merges.refused(), List.of());
    return new Planner(plan, options);
  }

  /// A plan for the batch buckets 1, 2, 4 and so on up to the largest batch, which is a bucket too.
  /// A program whose sizes do not depend on the batch has one bucket.
  ///
  /// @throws ArithmeticException if a size does not fit 64 bits
  public static MemoryPlan plan(Program program, PlanOptions options) {
    return plan(program, options, EarlierDecisions.none());
  }

  /// The same for one of several programs that differ in sizes alone.
  ///
  /// @param earlier what was decided for the others; takes what is decided for this one
  public static MemoryPlan plan(Program program, PlanOptions options, EarlierDecisions earlier) {
    return merging(program, options, earlier).planned(buckets(program, options));
  }

  /// A plan for a batch of exactly `n`.
  public static MemoryPlan planAt(Program program, long n, PlanOptions options) {
    return merging(program, options.withMaxBatch(n), EarlierDecisions.none()).planned(List.of(n));
  }

  /// The same merges with the offsets of a batch of exactly `options.maxBatch()`.
  public static MemoryPlan placedAt(MemoryPlan plan, PlanOptions options) {
    return new Planner(plan, options).planned(List.of(options.maxBatch()));
  }

  /// The plan in which no two blocks share a byte: what is left when nothing else can be trusted.
  public static MemoryPlan plain(Program program, PlanOptions options) {
    return plan(program, options.plain());
  }

  private static List<Long> buckets(Program program, PlanOptions options) {
    List<Long> buckets = new ArrayList<>();
    boolean fixed =
        options.failureBytes().isConstant()
            && program.blocks().stream()
                .allMatch(b -> !b.isPlanned() || b.sizeBytes().isConstant());
    for (long n = 1; n < options.maxBatch() && !fixed && n > 0; n <<= 1) {
      buckets.add(n);
    }
    buckets.add(options.maxBatch());
    return buckets;
  }

  /* From the largest bucket down: a smaller one takes the offsets of the next larger one where its
  own search ends higher, so that it always runs in a prefix of the arena. What the search may do is
  spent in that order, too. */
  private MemoryPlan planned(List<Long> buckets) {
    BlockPlacer placer = new BlockPlacer(merged.program(), merged.lifetimes(), options);
    List<Placement> placements = new ArrayList<>();
    long nodes = options.search().nodes();
    for (long n : buckets.reversed()) {
      Optional<Placement> larger = placements.stream().findFirst();
      Placement own = placer.place(n, larger, options.search().withNodes(nodes));
      nodes = Math.max(0, nodes - own.search().nodes());
      placements.addFirst(
          larger
              .filter(it -> it.plannedBytes() < own.plannedBytes())
              .map(it -> it.forSmaller(own))
              .orElse(own));
    }
    return merged.with(placements);
  }
}
