package io.miniinference.plan.packing;

import java.util.Arrays;

/// Where the search stands at one capacity: which rectangles are placed, the lowest offset that
/// each of the others can still have, and from which decisions each of these offsets follows.
///
/// A decision places a rectangle at its lowest offset, below all that are open and meet it. So the
/// placed rectangles of a section form a pile, and what is open lies above it.
final class SearchState {
  /// No open rectangle is in the way.
  static final long UNLIMITED = Long.MAX_VALUE;

  private static final int OPEN = -1;

  private final Instance instance;
  private final Sections sections;
  private final Overlaps overlaps;
  private final long capacity;

  private final long[] lowest;
  private final DecisionSets reasons;
  private final int conflict;
  private final int scratch;
  private final Trail trail;

  private final int[] depths;
  private final int[][] piles;
  private final int[] heights;
  private final int[] placed;
  private int placedCount;

  private final int[] decisions;
  private final int[] trailAt;
  private final int[] placedAt;
  private int depth;

  private final SectionQueue changed;
  private final boolean[] stale;
  private int failedSection;

  SearchState(Instance instance, Sections sections, Overlaps overlaps, long capacity) {
    this.instance = instance;
    this.sections = sections;
    this.overlaps = overlaps;
    this.capacity = capacity;
    int n = instance.count();
    lowest = new long[n];
    conflict = n;
    scratch = n + 1;
    reasons = new DecisionSets(n + 2, n);
    trail = new Trail(lowest, reasons);
    depths = new int[n];
    Arrays.fill(depths, OPEN);
    piles = new int[sections.count()][];
    Arrays.setAll(piles, s -> new int[sections.live(s).length]);
    heights = new int[sections.count()];
    placed = new int[n];
    decisions = new int[n + 1];
    trailAt = new int[n + 1];
    placedAt = new int[n + 1];
    changed = new SectionQueue(sections.count());
    stale = new boolean[sections.count()];
    for (int s = 0; s < sections.count(); s++) {
      touch(s);
    }
  }

  Sections sections() {
    return sections;
  }

  long capacity() {
    return capacity;
  }

  long size(int rectangle) {
    return instance.size()[rectangle];
  }

  boolean isOpen(int rectangle) {
    return depths[rectangle] == OPEN;
  }

  /// The lowest offset that an open rectangle can have; the offset of a placed one.
  long lowest(int rectangle) {
    return lowest[rectangle];
  }

  /// One past the last unit of a rectangle at its lowest offset.
  long top(int rectangle) {
    return lowest[rectangle] + instance.size()[rectangle];
  }

  /// The top of a section's pile.
  long floor(int section) {
    int height = heights[section];
    return height == 0 ? 0 : top(piles[section][height - 1]);
  }

  long[] offsets() {
    return lowest.clone();
  }

  int depth() {
    return depth;
  }

  int decision(int atDepth) {
    return decisions[atDepth];
  }

  /// Sections that changed since they were last looked at.
  SectionQueue changed() {
    return changed;
  }

  /// Whether a section changed, undoing included, since this was last asked.
  boolean takeStale(int section) {
    boolean was = stale[section];
    stale[section] = false;
    return was;
  }

  /// The open rectangle with the lowest top among those that meet the rectangle; -1 if none is
  /// left.
  int lowestNeighbour(int rectangle) {
    int best = -1;
    for (int n : overlaps.of(rectangle)) {
      if (isOpen(n) && (best < 0 || top(n) < top(best))) {
        best = n;
      }
    }
    return best;
  }

  /// The lowest offset that a rectangle has if an open one is below it.
  long aboveLowestNeighbour(int rectangle) {
    int neighbour = lowestNeighbour(rectangle);
    return neighbour < 0 ? UNLIMITED : top(neighbour);
  }

  /// Places a rectangle at its lowest offset, as a decision that may be undone.
  ///
  /// @return false if that cannot be
  boolean decide(int rectangle) {
    depth++;
    decisions[depth] = rectangle;
    trailAt[depth] = trail.size();
    placedAt[depth] = placedCount;
    return place(rectangle, depth);
  }

  /// Places a rectangle that meets nothing open any more, which takes no choice from anyone.
  void settle(int rectangle) {
    place(rectangle, 0);
  }

  private boolean place(int rectangle, int decision) {
    depths[rectangle] = decision;
    placed[placedCount++] = rectangle;
    for (int s = sections.first(rectangle); s < sections.end(rectangle); s++) {
      piles[s][heights[s]++] = rectangle;
      touch(s);
    }
    for (int n : overlaps.of(rectangle)) {
      if (isOpen(n) && lowest[n] < top(rectangle)) {
        beginReason(rectangle);
        reasons.add(scratch, decision);
        if (!raise(n, top(rectangle))) {
          return false;
        }
      }
    }
    return true;
  }

  /// Starts a reason: whatever the lowest offset of this rectangle follows from.
  void beginReason(int rectangle) {
    reasons.copy(rectangle, scratch);
  }

  void addReason(int rectangle) {
    reasons.addAll(scratch, rectangle);
  }

  /// Raises the lowest offset of an open rectangle, for the reason just given.
  ///
  /// @return false if it then ends above the capacity
  boolean raise(int rectangle, long offset) {
    if (depth > 0) {
      trail.save(rectangle);
    }
    lowest[rectangle] = offset;
    reasons.copy(scratch, rectangle);
    touchAll(rectangle);
    return top(rectangle) <= capacity || failed(sections.first(rectangle));
  }

  /// Gives the search up at this point, for the reason just given.
  ///
  /// @return false, always
  boolean failed(int section) {
    reasons.copy(scratch, conflict);
    failedSection = section;
    return false;
  }

  /// Where the last failure was found.
  int failedSection() {
    return failedSection;
  }

  /// The deepest decision that the last failure follows from, 0 if it follows from none.
  int deepestCulprit() {
    return reasons.deepest(conflict);
  }

  /// Blames all decisions for the last failure: backtracking in order of time.
  void blameAll() {
    for (int d = 1; d <= depth; d++) {
      reasons.add(conflict, d);
    }
  }

  /// Undoes the decision at this depth and all below it, and draws the conclusion: since its
  /// rectangle cannot rest on what is placed with all open ones above, one of these is below it.
  ///
  /// @return false if that cannot be either
  boolean refute(int atDepth) {
    undoTo(atDepth - 1);
    int rectangle = decisions[atDepth];
    reasons.remove(conflict, atDepth);
    beginReason(rectangle);
    reasons.addAll(scratch, conflict);
    for (int n : overlaps.of(rectangle)) {
      if (isOpen(n)) {
        reasons.addAll(scratch, n);
      } else {
        reasons.add(scratch, depths[n]);
      }
    }
    return raise(rectangle, aboveLowestNeighbour(rectangle));
  }

  /// Undoes all decisions deeper than this.
  void undoTo(int lastDepth) {
    changed.clear();
    while (depth > lastDepth) {
      while (placedCount > placedAt[depth]) {
        take(placed[--placedCount]);
      }
      while (trail.size() > trailAt[depth]) {
        touchAll(trail.undo());
      }
      depth--;
    }
    changed.clear();
  }

  private void take(int rectangle) {
    depths[rectangle] = OPEN;
    for (int s = sections.first(rectangle); s < sections.end(rectangle); s++) {
      heights[s]--;
      touch(s);
    }
  }

  private void touchAll(int rectangle) {
    for (int s = sections.first(rectangle); s < sections.end(rectangle); s++) {
      touch(s);
    }
  }

  private void touch(int section) {
    changed.add(section);
    stale[section] = true;
  }
}
