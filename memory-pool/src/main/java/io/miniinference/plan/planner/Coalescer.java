package io.miniinference.plan.planner;

import io.miniinference.plan.Condition;
import io.miniinference.plan.Merge;
import io.miniinference.plan.PlanOptions;
import io.miniinference.plan.Program;
import io.miniinference.plan.RefusedMerge;
import io.miniinference.plan.Step;
import io.miniinference.plan.coalesce.AliasState;
import io.miniinference.plan.coalesce.Candidate;
import io.miniinference.plan.coalesce.Effort;
import io.miniinference.plan.coalesce.Merger;
import io.miniinference.plan.live.BaseArrays;
import io.miniinference.plan.live.Dataflow;
import io.miniinference.plan.live.Lifetimes;
import io.miniinference.plan.live.TimedStep;
import io.miniinference.plan.loops.CopyAvoidance;
import io.miniinference.plan.planner.EarlierDecisions.Decisions;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// All merges of a program, decided once for all batch sizes: copies first, those of most bytes
/// before others, so that where one excludes another the one that saves more is made; then steps
/// that work in place, in execution order. What was refused is tried once more when all others are
/// decided. Small parts of larger values come last, since a copy of one is cheap.
///
/// Of copies of as many bytes those into the largest memory come first, so that little is moved
/// twice; where copies are left then, the order of execution is tried, too.
final class Coalescer {
  private static final int ROUNDS = 2;

  /// Most candidates that are tried in two orders.
  private static final int MOST_REORDERED = 2_000;

  private final Program program;
  private final Lifetimes lifetimes;
  private final PlanOptions options;
  private final BaseArrays wholes;
  private final Dataflow dataflow;
  private final List<List<Step>> stepsOfBlocks;
  private final List<Candidate> candidates;
  private final AliasState untouched;
  private final Effort effort = Effort.forMerging();

  /// For saying why merges were refused.
  private final Effort telling = Effort.forTelling();

  private Coalescer(Program program, Lifetimes lifetimes, PlanOptions options) {
    this.program = program;
    this.lifetimes = lifetimes;
    this.options = options;
    wholes = BaseArrays.of(program);
    dataflow = Dataflow.of(program, lifetimes, wholes);
    stepsOfBlocks = stepsOfBlocks(program, lifetimes);
    candidates = Candidate.of(lifetimes, options);
    untouched = sharing();
  }

  /* The same in another order. */
  private Coalescer(Coalescer other, List<Candidate> candidates) {
    program = other.program;
    lifetimes = other.lifetimes;
    options = other.options;
    wholes = other.wholes;
    dataflow = other.dataflow;
    stepsOfBlocks = other.stepsOfBlocks;
    this.candidates = candidates;
    untouched = sharing();
  }

  /// @param earlier what was decided for programs that are like this one
  static CoalescedPlan of(
      Program program, Lifetimes lifetimes, PlanOptions options, EarlierDecisions earlier) {
    Coalescer merges = new Coalescer(program, lifetimes, options);
    return earlier.areRemembered()
        ? merges.decide(earlier)
        : merges.told(merges.decideAnew(), Map.of());
  }

  private CoalescedPlan decide(EarlierDecisions earlier) {
    var alike = EarlierDecisions.Alike.of(options, candidates);
    Decisions before = earlier.of(alike);
    CoalescedPlan plan =
        asBefore(before)
            .map(same -> told(same, same.decisions().obstacles()))
            .orElseGet(() -> told(decideAnew(), Map.of()));
    earlier.keep(alike, plan.decisions());
    return plan;
  }

  private CoalescedPlan decideAnew() {
    CoalescedPlan largest = decide(false);
    List<Candidate> executed = Candidate.executed(candidates);
    boolean isTried =
        copiedBytes(largest) > 0
            && executed.size() <= MOST_REORDERED
            && !executed.equals(candidates);
    return isTried ? better(largest, new Coalescer(this, executed).decide(true)) : largest;
  }

  private CoalescedPlan better(CoalescedPlan one, CoalescedPlan other) {
    long more = mostBytes(other) - mostBytes(one);
    return more < 0 || (more == 0 && copiedBytes(other) < copiedBytes(one)) ? other : one;
  }

  /* Empty where one of the merges is not allowed here. */
  private Optional<CoalescedPlan> asBefore(@Nullable Decisions before) {
    if (before == null) {
      return Optional.empty();
    }
    Coalescer merges =
        before.isExecuted() ? new Coalescer(this, Candidate.executed(candidates)) : this;
    AliasState sharing = merges.sharing();
    for (int i : before.made()) {
      Candidate candidate = merges.candidates.get(i);
      if (!effort.affords(sharing, candidate) || !isMade(sharing, candidate)) {
        return Optional.empty();
      }
    }
    return Optional.of(merges.decided(sharing, merges.made(sharing), before));
  }

  private long copiedBytes(CoalescedPlan decided) {
    return candidates.stream()
        .filter(c -> c.isCopy() && !c.isSmallPart() && !decided.isElided(c.step()))
        .mapToLong(Candidate::bytes)
        .sum();
  }

  private AliasState sharing() {
    return new AliasState(program, lifetimes, wholes, dataflow, stepsOfBlocks, candidates);
  }

  private static List<List<Step>> stepsOfBlocks(Program program, Lifetimes lifetimes) {
    List<List<Step>> steps = new ArrayList<>();
    program.blocks().forEach(_ -> steps.add(new ArrayList<>()));
    for (TimedStep timed : lifetimes.steps()) {
      Set<Integer> blocks = new HashSet<>();
      timed.step().reads().forEach(a -> blocks.add(a.block().id()));
      timed.step().writes().forEach(a -> blocks.add(a.block().id()));
      blocks.forEach(block -> steps.get(block).add(timed.step()));
    }
    return steps;
  }

  /* A small part is read where it lies unless the memory around it is then needed for longer than
  there is room. */
  private CoalescedPlan decide(boolean isExecuted) {
    AliasState sharing = sharing();
    List<Integer> merged = new ArrayList<>();
    int parts = candidates.size();
    while (parts > 0 && candidates.get(parts - 1).isSmallPart()) {
      parts--;
    }
    make(sharing, 0, parts, merged);
    CoalescedPlan apart = decided(sharing, isExecuted, merged);
    AliasState inside = parts < candidates.size() ? sharing.copy() : sharing;
    if (!make(inside, parts, candidates.size(), merged)) {
      return apart;
    }
    CoalescedPlan joined = decided(inside, isExecuted, merged);
    return mostBytes(joined) <= mostBytes(apart) ? joined : apart;
  }

  /* Makes what merges can be made of some candidates. Whether there are any.
  `merged`: takes their places. */
  private boolean make(AliasState sharing, int from, int to, List<Integer> merged) {
    BitSet open = new BitSet();
    open.set(from, to);
    boolean changed = false;
    for (int round = 0; round < ROUNDS; round++) {
      for (int i = open.nextSetBit(0); i >= 0; i = open.nextSetBit(i + 1)) {
        Candidate candidate = candidates.get(i);
        if (isThere(sharing, candidate)) {
          open.clear(i);
          continue;
        }
        if (!effort.affords(sharing, candidate)) {
          return changed;
        }
        if (isMade(sharing, candidate)) {
          merged.add(i);
          open.clear(i);
          changed = true;
        }
      }
    }
    return changed;
  }

  /* Makes the merge, if it may be made. */
  private boolean isMade(AliasState sharing, Candidate candidate) {
    Merger.Attempt attempt = Merger.attempt(sharing, candidate, effort, options.ignored());
    if (attempt.merged() == null) {
      return false;
    }
    sharing.make(attempt.merged());
    return true;
  }

  private CoalescedPlan decided(AliasState sharing, boolean isExecuted, List<Integer> merged) {
    List<Merge> made = made(sharing);
    var decisions = new Decisions(isExecuted, merged);
    CoalescedPlan plain = decided(sharing, made, decisions);
    if (!options.coalescing()) {
      return plain;
    }
    for (CopyAvoidance.Reach reach : CopyAvoidance.Reach.values()) {
      CoalescedPlan referring = decided(sharing, made, decisions.with(reach));
      if (referring.references().blocks().isEmpty() || mostBytes(referring) <= mostBytes(plain)) {
        return referring;
      }
    }
    return plain;
  }

  private CoalescedPlan decided(AliasState sharing, List<Merge> made, Decisions decisions) {
    CopyAvoidance references =
        decisions.reach() == null
            ? CopyAvoidance.none(sharing, lifetimes)
            : CopyAvoidance.of(sharing, lifetimes, decisions.reach());
    return new CoalescedPlan(sharing, references, made, List.of(), decisions);
  }

  private long mostBytes(CoalescedPlan decided) {
    Program merged = decided.program();
    return Lifetimes.of(merged).mostBytes(merged.blocks(), options.maxBatch());
  }

  /* Whether other merges have made the two ends one place by the way. */
  private static boolean isThere(AliasState sharing, Candidate candidate) {
    return candidate.isCopy()
        ? sharing.isElided(candidate.step())
        : sharing.host(candidate.source()) == sharing.host(candidate.destination())
            && sharing.place(candidate.source()).equals(sharing.place(candidate.destination()));
  }

  private List<Merge> made(AliasState sharing) {
    List<Merge> made = new ArrayList<>();
    for (Candidate candidate : candidates) {
      if (isThere(sharing, candidate)
          && !isThere(untouched, candidate)
          && sharing.isTraced(candidate.source().block())) {
        made.add(
            new Merge(
                candidate.step().number(),
                candidate.source(),
                candidate.destination(),
                candidate.isCopy()));
      }
    }
    made.sort(Comparator.comparingInt(Merge::step));
    return made;
  }

  /// With what was refused, and why.
  ///
  /// @param known obstacles by the places of candidates
  private CoalescedPlan told(CoalescedPlan plan, Map<Integer, Condition> known) {
    List<RefusedMerge> refused = new ArrayList<>();
    Map<Integer, Condition> obstacles = new HashMap<>();
    for (int i = 0; i < candidates.size(); i++) {
      Candidate candidate = candidates.get(i);
      if (!isThere(plan.sharing(), candidate) && !plan.references().isElided(candidate.step())) {
        Condition before = known.get(i);
        Condition obstacle = before == null ? obstacle(candidate) : before;
        obstacles.put(i, obstacle);
        refused.add(
            new RefusedMerge(
                candidate.step().number(), candidate.source(), candidate.destination(), obstacle));
      }
    }
    for (TimedStep timed : lifetimes.steps()) {
      program.kernels().refused(timed.step()).ifPresent(refused::add);
    }
    refused.sort(Comparator.comparingInt(RefusedMerge::step));
    return plan.with(refused, obstacles);
  }

  /* What forbids the merge by itself, or else that others were made. */
  private Condition obstacle(Candidate candidate) {
    if (!telling.affords(untouched, candidate)) {
      return Condition.WORSE;
    }
    Condition obstacle =
        Merger.attempt(untouched, candidate, telling, options.ignored()).obstacle();
    return obstacle == null ? Condition.WORSE : obstacle;
  }
}
