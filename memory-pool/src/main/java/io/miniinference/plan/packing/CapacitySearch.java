package io.miniinference.plan.packing;

import java.util.EnumSet;
import java.util.Set;

/// Exact search for a packing of at most a given capacity: depth first, with restarts, each in
/// another [BranchOrder].
///
/// Any packing can be pushed down until each rectangle rests on the ground or on another one, so
/// only such packings are looked for. A node takes a rectangle that could rest on what is placed
/// already, and either it does, with all open rectangles that meet it above, or one of those is
/// below it; then it starts no lower than the lowest of their tops. Between nodes [SectionRules]
/// raise the lowest offsets of what is open. Each of these offsets carries the set of decisions it
/// follows from: a failure that follows from none proves that there is no such packing, any other
/// undoes the deepest decision of its set.
///
/// Packing what rests on each other from the bottom up is the idea of *canonical* solutions of
/// Moffitt, *MiniMalloc: A Lightweight Memory Allocator for Hardware-Accelerated Machine Learning*
/// (ASPLOS 2023); bounds per section of time are from there, too. The two-way branching needs no
/// order among offsets at different times, and so lets the search go wherever it is tightest.
final class CapacitySearch {
  /// How an attempt ends.
  enum Outcome {
    FOUND,
    IMPOSSIBLE,
    OUT_OF_NODES,
    OUT_OF_TIME
  }

  private static final long NODES_PER_RUN = 500;
  private static final long NODES_PER_LOOK_AT_THE_CLOCK = 32;

  private final Set<PruningRule> rules;
  private final SearchState state;
  private final SectionRules sectionRules;
  private final Branching branching;
  private long nodes;
  private long runs;

  /// @param instance rectangles of at least one unit
  /// @param capacity at least what is live at one time
  CapacitySearch(Instance instance, Overlaps overlaps, long capacity) {
    this(instance, overlaps, capacity, EnumSet.allOf(PruningRule.class));
  }

  CapacitySearch(Instance instance, Overlaps overlaps, long capacity, Set<PruningRule> rules) {
    this.rules = rules;
    state = new SearchState(instance, Sections.of(instance), overlaps, capacity);
    sectionRules = new SectionRules(state, rules, instance.count());
    branching = new Branching(state);
  }

  /// Nodes of all attempts so far.
  long nodes() {
    return nodes;
  }

  long[] offsets() {
    return state.offsets();
  }

  /// Goes on where the last attempt ended, for at most so many further nodes.
  Outcome attempt(long mostNodes, Deadline deadline) {
    long end = nodes + mostNodes;
    if (!sectionRules.settle()) {
      return Outcome.IMPOSSIBLE;
    }
    Outcome outcome = Outcome.OUT_OF_NODES;
    while (outcome == Outcome.OUT_OF_NODES && nodes < end) {
      int order = (int) (runs % BranchOrder.PORTFOLIO.size());
      long turn = runs / BranchOrder.PORTFOLIO.size() + 1;
      long runEnd = Math.min(end, nodes + NODES_PER_RUN * luby(turn));
      outcome = run(BranchOrder.PORTFOLIO.get(order), runEnd, deadline);
      runs++;
      if (outcome != Outcome.FOUND) {
        state.undoTo(0);
      }
    }
    return outcome;
  }

  private Outcome run(BranchOrder order, long end, Deadline deadline) {
    int next = branching.next(order);
    while (next != Branching.NONE) {
      if (state.lowestNeighbour(next) < 0) {
        state.settle(next);
      } else if (nodes == end) {
        return Outcome.OUT_OF_NODES;
      } else if (nodes % NODES_PER_LOOK_AT_THE_CLOCK == 0 && deadline.isOver()) {
        return Outcome.OUT_OF_TIME;
      } else if (!node(next)) {
        return Outcome.IMPOSSIBLE;
      }
      next = branching.next(order);
    }
    return Outcome.FOUND;
  }

  /* False if there is no packing at all. */
  private boolean node(int rectangle) {
    nodes++;
    boolean possible = state.decide(rectangle) && sectionRules.settle();
    while (!possible) {
      branching.failedIn(state.failedSection());
      int culprit = culprit();
      if (culprit == 0) {
        return false;
      }
      possible = state.refute(culprit) && sectionRules.settle();
    }
    return true;
  }

  private int culprit() {
    if (!rules.contains(PruningRule.BACKJUMP)) {
      state.blameAll();
    }
    return state.deepestCulprit();
  }

  /// 1 1 2 1 1 2 4 1 1 2 1 1 2 4 8 …: within a constant factor of the best way to restart a search
  /// that knows nothing (Luby, Sinclair and Zuckerman, *Optimal speedup of Las Vegas algorithms*).
  static long luby(long index) {
    long end = Long.highestOneBit(index + 1) - 1;
    return index == end ? (end + 1) / 2 : luby(index - end);
  }
}
