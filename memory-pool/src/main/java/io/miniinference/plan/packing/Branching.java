package io.miniinference.plan.packing;

import io.miniinference.plan.packing.BranchOrder.Candidate;
import io.miniinference.plan.packing.BranchOrder.Section;
import java.util.Arrays;

/// Chooses the next rectangle to decide about, and learns from failures which sections are hard.
final class Branching {
  /// Everything is placed.
  static final int NONE = -1;

  private static final int FAILURES_PER_DECAY = 256;
  private static final double DECAY = 0.95;

  private final SearchState state;
  private final Sections sections;
  private final double[] weights;
  private final long[] lowest;
  private final long[] highestStart;
  private final int[] candidates;
  private int failures;

  Branching(SearchState state) {
    this.state = state;
    sections = state.sections();
    weights = new double[sections.count()];
    Arrays.fill(weights, 1);
    lowest = new long[sections.count()];
    highestStart = new long[sections.count()];
    candidates = new int[sections.count()];
  }

  /// Notes a failure; old ones count less and less.
  void failedIn(int section) {
    weights[section]++;
    if (++failures % FAILURES_PER_DECAY == 0) {
      for (int s = 0; s < weights.length; s++) {
        weights[s] *= DECAY;
      }
    }
  }

  /// A rectangle that can rest on what is placed with everything open above it, [#NONE] if all are
  /// placed.
  int next(BranchOrder order) {
    int section = section(order);
    return section < 0 ? NONE : supported(candidate(section, order));
  }

  private int section(BranchOrder order) {
    int best = -1;
    long bestFirst = 0;
    double bestSecond = 0;
    for (int s = 0; s < sections.count(); s++) {
      if (state.takeStale(s)) {
        summarize(s);
      }
      if (candidates[s] > 0) {
        Section section = new Section(lowest[s], candidates[s], weights[s]);
        long first = order.section().first(section, state.capacity());
        double second = order.section().second(section);
        if (best < 0 || first < bestFirst || (first == bestFirst && second < bestSecond)) {
          best = s;
          bestFirst = first;
          bestSecond = second;
        }
      }
    }
    return best;
  }

  /* The lowest rectangle of a section leaves room above for all others. Where none does, which the
  stack bound would have told, any one may show the failure. */
  private void summarize(int section) {
    long open = 0;
    lowest[section] = Long.MAX_VALUE;
    for (int rectangle : sections.live(section)) {
      if (state.isOpen(rectangle)) {
        open += state.size(rectangle);
        lowest[section] = Math.min(lowest[section], state.lowest(rectangle));
      }
    }
    highestStart[section] = Math.max(lowest[section], state.capacity() - open);
    candidates[section] = 0;
    for (int rectangle : sections.live(section)) {
      candidates[section] += isCandidate(rectangle, section) ? 1 : 0;
    }
  }

  private boolean isCandidate(int rectangle, int section) {
    return state.isOpen(rectangle) && state.lowest(rectangle) <= highestStart[section];
  }

  private int candidate(int section, BranchOrder order) {
    int best = -1;
    double bestFirst = 0;
    double bestSecond = 0;
    for (int rectangle : sections.live(section)) {
      if (isCandidate(rectangle, section)) {
        Candidate candidate = candidate(rectangle);
        double first = order.rectangle().first(candidate);
        double second = order.rectangle().second(candidate);
        if (best < 0 || first < bestFirst || (first == bestFirst && second < bestSecond)) {
          best = rectangle;
          bestFirst = first;
          bestSecond = second;
        }
      }
    }
    return best;
  }

  private Candidate candidate(int rectangle) {
    long waste = 0;
    for (int s = sections.first(rectangle); s < sections.end(rectangle); s++) {
      waste += state.lowest(rectangle) - state.floor(s);
    }
    return new Candidate(
        state.lowest(rectangle), state.size(rectangle), sections.span(rectangle), waste);
  }

  /* If an open rectangle fits below the chosen one, that one is decided about first; tops fall from
  step to step, so this ends. */
  private int supported(int rectangle) {
    int chosen = rectangle;
    int below = state.lowestNeighbour(chosen);
    while (below >= 0 && state.top(below) <= state.lowest(chosen)) {
      chosen = below;
      below = state.lowestNeighbour(chosen);
    }
    return chosen;
  }
}
