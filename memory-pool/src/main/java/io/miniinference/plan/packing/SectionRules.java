package io.miniinference.plan.packing;

import java.util.Set;

/// Raises the lowest offsets of open rectangles, section by section, until nothing changes any more
/// or a section has no room.
final class SectionRules {
  private final SearchState state;
  private final Set<PruningRule> rules;
  private final int[] open;
  private final long[] tops;
  private final long[] stacked;
  private int count;

  SectionRules(SearchState state, Set<PruningRule> rules, int rectangles) {
    this.state = state;
    this.rules = rules;
    open = new int[rectangles];
    tops = new long[rectangles];
    stacked = new long[rectangles];
  }

  /// @return false if some section has no room
  boolean settle() {
    SectionQueue changed = state.changed();
    while (!changed.isEmpty()) {
      int section = changed.take();
      findOpen(section);
      if (rules.contains(PruningRule.STACK_BOUND) && !stackFits(section)) {
        return false;
      }
      if (rules.contains(PruningRule.NOT_LOWEST) && !raiseWhatIsNotLowest()) {
        return false;
      }
    }
    return true;
  }

  private void findOpen(int section) {
    count = 0;
    for (int rectangle : state.sections().live(section)) {
      if (state.isOpen(rectangle)) {
        open[count++] = rectangle;
      }
    }
  }

  private boolean stackFits(int section) {
    sortByLowest();
    long top = 0;
    int from = 0;
    for (int k = 0; k < count; k++) {
      if (state.lowest(open[k]) > top) {
        top = state.lowest(open[k]);
        from = k;
      }
      top += state.size(open[k]);
      if (top > state.capacity()) {
        return failedBecauseOf(section, from, k);
      }
    }
    return true;
  }

  private boolean failedBecauseOf(int section, int from, int to) {
    state.beginReason(open[from]);
    for (int k = from + 1; k <= to; k++) {
      state.addReason(open[k]);
    }
    return state.failed(section);
  }

  /* Of the sets that leave no room above a rectangle, the one with the highest tops says most: so
  the rectangles are taken from the highest top down until there is no room. The tops are those of
  before: what is raised on the way only makes them careful. */
  private boolean raiseWhatIsNotLowest() {
    sortByTopDescending();
    long sum = 0;
    for (int k = 0; k < count; k++) {
      sum += state.size(open[k]);
      stacked[k] = sum;
      tops[k] = state.top(open[k]);
    }
    for (int k = 0; k < count; k++) {
      if (!raiseIfNotLowest(k)) {
        return false;
      }
    }
    return true;
  }

  private boolean raiseIfNotLowest(int k) {
    int rectangle = open[k];
    long size = state.size(rectangle);
    long lowest = state.lowest(rectangle);
    int because = overfull(k, lowest + size);
    int last = because;
    while (last >= 0 && tops[last] > lowest) {
      lowest = tops[last];
      last = overfull(k, lowest + size);
    }
    return lowest == state.lowest(rectangle) || raise(k, lowest, because);
  }

  /* The shortest run from the highest top down, without the k-th, that does not fit above `top`:
  the index of its last rectangle, -1 if all fit. */
  private int overfull(int k, long top) {
    long room = state.capacity() - top;
    if (stacked[count - 1] - state.size(open[k]) <= room) {
      return -1;
    }
    int low = 0;
    int high = count - 1;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (stackedWithout(k, middle) > room) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }

  private long stackedWithout(int k, int upTo) {
    return upTo < k ? stacked[upTo] : stacked[upTo] - state.size(open[k]);
  }

  private boolean raise(int k, long lowest, int because) {
    state.beginReason(open[k]);
    for (int other = 0; other <= because; other++) {
      if (other != k) {
        state.addReason(open[other]);
      }
    }
    return state.raise(open[k], lowest);
  }

  private void sortByLowest() {
    for (int k = 1; k < count; k++) {
      int rectangle = open[k];
      long key = state.lowest(rectangle);
      int at = k;
      while (at > 0 && state.lowest(open[at - 1]) > key) {
        open[at] = open[--at];
      }
      open[at] = rectangle;
    }
  }

  private void sortByTopDescending() {
    for (int k = 1; k < count; k++) {
      int rectangle = open[k];
      long key = state.top(rectangle);
      int at = k;
      while (at > 0 && state.top(open[at - 1]) < key) {
        open[at] = open[--at];
      }
      open[at] = rectangle;
    }
  }
}
