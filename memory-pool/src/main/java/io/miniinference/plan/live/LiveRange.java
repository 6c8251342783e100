package io.miniinference.plan.live;

import java.util.List;

/// The ticks of a program's [Lifetimes] in which something must keep its bytes, both ends included.
///
/// @param first tick of the first write, -1 for what a request brings along
/// @param last tick of the last access, the number of ticks for what must outlive the last step
public record LiveRange(int first, int last) {
  public LiveRange {
    if (first > last) {
      throw new IllegalArgumentException("range ends at " + last + " before it starts at " + first);
    }
  }

  public boolean overlaps(LiveRange other) {
    return first <= other.last && other.first <= last;
  }

  public boolean contains(int tick) {
    return first <= tick && tick <= last;
  }

  /// The place of the first of some ranges that has the tick, or −1.
  public static int find(List<LiveRange> ranges, int tick) {
    for (int i = 0; i < ranges.size(); i++) {
      if (ranges.get(i).contains(tick)) {
        return i;
      }
    }
    return -1;
  }

  /// Whether this lies between the two ticks and touches neither.
  public boolean strictlyInside(int enter, int exit) {
    return enter < first && last < exit;
  }

  /// The smallest range that covers both.
  public LiveRange union(LiveRange other) {
    return new LiveRange(Math.min(first, other.first), Math.max(last, other.last));
  }

  LiveRange including(int tick) {
    return new LiveRange(Math.min(first, tick), Math.max(last, tick));
  }

  @Override
  public String toString() {
    return "[" + first + ", " + last + "]";
  }
}
