package io.miniinference.plan.packing;

import io.miniinference.plan.packing.CapacitySearch.Outcome;
import io.miniinference.plan.packing.SearchReport.Ending;
import java.util.Optional;

/// Lowers the peak of a packing towards a goal by exact searches at capacities between the two.
///
/// In rounds of growing length: first the goal itself, then capacities half-way from the last that
/// was not reached to the best packing so far. So an easy goal is met at once, and a hard one still
/// leaves a packing that is better than the greedy one.
final class PeakSearch {
  private static final int MOST_RECTANGLES = 4096;
  private static final long MOST_MEMBERSHIPS = 1L << 18;
  private static final long MOST_UNITS = 1L << 40;
  private static final long NODES_OF_FIRST_ROUND = 2000;
  private static final int SHARE_OF_OTHERS = 4;
  private static final int FINENESS = 1024;

  private final Instance instance;
  private final Overlaps overlaps;
  private final Deadline deadline;
  private long[] best;
  private long peak;
  private long low;
  private long nodesLeft;
  private Optional<Attempt> atLow = Optional.empty();

  /* A search at one capacity for those rectangles that are not easy there. */
  private record Attempt(long capacity, EasyRectangles easy, int[] core, CapacitySearch search) {}

  /// @param greedy offsets of the packing to start from
  /// @param goal a peak that is low enough, at least what is live at one time
  PeakSearch(Instance instance, Overlaps overlaps, long[] greedy, long goal, Deadline deadline) {
    this.instance = instance;
    this.overlaps = overlaps;
    this.deadline = deadline;
    best = greedy;
    peak = instance.peak(greedy);
    low = goal;
  }

  long[] offsets() {
    return best;
  }

  SearchReport run(long nodes) {
    nodesLeft = nodes;
    long goal = low;
    long share = NODES_OF_FIRST_ROUND;
    Ending ending = Ending.NODE_LIMIT;
    while (low < peak && nodesLeft > 0 && ending == Ending.NODE_LIMIT) {
      ending = round(share);
      share *= 2;
    }
    if (low >= peak) {
      ending = peak <= goal ? Ending.REACHED : Ending.PROVED;
    }
    return new SearchReport(nodes - nodesLeft, ending);
  }

  private Ending round(long share) {
    boolean tried = false;
    long from = low;
    long capacity = low;
    while (capacity < peak && (capacity == low || peak - from > low / FINENESS)) {
      Optional<Attempt> attempt = attempt(capacity);
      long most = capacity == low ? share : share / SHARE_OF_OTHERS;
      Outcome outcome = attempt.isEmpty() ? Outcome.OUT_OF_NODES : outcome(attempt.get(), most);
      tried |= attempt.isPresent();
      switch (outcome) {
        case FOUND -> {}
        case IMPOSSIBLE -> {
          low = capacity + 1;
          from = Math.max(from, low);
        }
        case OUT_OF_NODES -> from = capacity + 1;
        case OUT_OF_TIME -> {
          return Ending.TIME_LIMIT;
        }
      }
      capacity = from + (peak - from) / 2;
    }
    return tried ? Ending.NODE_LIMIT : Ending.TOO_LARGE;
  }

  private Optional<Attempt> attempt(long capacity) {
    if (capacity != low) {
      return begin(capacity);
    }
    if (atLow.isEmpty() || atLow.get().capacity != low) {
      atLow = begin(low);
    }
    return atLow;
  }

  private Optional<Attempt> begin(long capacity) {
    EasyRectangles easy = EasyRectangles.of(instance, overlaps, capacity);
    int[] core = easy.core();
    Instance hard = instance.only(core);
    if (core.length > MOST_RECTANGLES
        || capacity > MOST_UNITS
        || Sections.memberships(hard) > MOST_MEMBERSHIPS) {
      return Optional.empty();
    }
    return Optional.of(
        new Attempt(capacity, easy, core, new CapacitySearch(hard, new Overlaps(hard), capacity)));
  }

  private Outcome outcome(Attempt attempt, long mostNodes) {
    long before = attempt.search.nodes();
    Outcome outcome = attempt.search.attempt(Math.min(mostNodes, nodesLeft), deadline);
    nodesLeft -= attempt.search.nodes() - before;
    if (outcome == Outcome.FOUND) {
      keep(attempt);
    }
    return outcome;
  }

  private void keep(Attempt attempt) {
    long[] found = new long[instance.count()];
    long[] ofCore = attempt.search.offsets();
    for (int k = 0; k < attempt.core.length; k++) {
      found[attempt.core[k]] = ofCore[k];
    }
    attempt.easy.place(found);
    best = found;
    peak = instance.peak(found);
  }
}
