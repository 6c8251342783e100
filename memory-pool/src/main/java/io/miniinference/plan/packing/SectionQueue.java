package io.miniinference.plan.packing;

/// Sections that wait to be looked at, each once, first in first out.
final class SectionQueue {
  private final boolean[] waiting;
  private final int[] ring;
  private int head;
  private int count;

  SectionQueue(int sections) {
    waiting = new boolean[sections];
    ring = new int[sections];
  }

  boolean isEmpty() {
    return count == 0;
  }

  void add(int section) {
    if (!waiting[section]) {
      waiting[section] = true;
      ring[(head + count++) % ring.length] = section;
    }
  }

  int take() {
    int section = ring[head];
    head = (head + 1) % ring.length;
    count--;
    waiting[section] = false;
    return section;
  }

  void clear() {
    while (count > 0) {
      take();
    }
  }
}
