package io.miniinference.pool;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// What the pool must do, in the plainest way: one mark per 256 bytes, and a scan for everything.
final class PlainModel {
  private static final int UNIT = 256;

  /// Bytes that are taken: used, or held since `tick`.
  static final class Span {
    final int start;
    final int units;
    final String owner;
    long requested;
    boolean held;
    long tick;

    Span(int start, int units, String owner, long requested) {
      this.start = start;
      this.units = units;
      this.owner = owner;
      this.requested = requested;
    }
  }

  private final int units;
  private final long heldLimit;
  private final List<Span> spans = new ArrayList<>();
  private long ticks;

  PlainModel(long capacity, long heldLimit) {
    this.units = (int) (capacity / UNIT);
    this.heldLimit = heldLimit;
  }

  /// The span that a request gets, held ones making way oldest first, or nothing and no change.
  Optional<Span> allocate(long bytes, String owner) {
    int wanted = unitsFor(bytes);
    List<Span> before = List.copyOf(spans);
    int start = bestFit(wanted);
    while (start < 0 && oldestHeld().isPresent()) {
      spans.remove(oldestHeld().get());
      start = bestFit(wanted);
    }
    if (start < 0) {
      spans.clear();
      spans.addAll(before);
      return Optional.empty();
    }
    Span span = new Span(start, wanted, owner, bytes);
    spans.add(span);
    return Optional.of(span);
  }

  Optional<Span> acquire(String tag, long bytes) {
    int wanted = unitsFor(bytes);
    Optional<Span> kept =
        spans.stream()
            .filter(s -> s.held && s.owner.equals(tag) && s.units >= wanted)
            .min(Comparator.<Span>comparingInt(s -> s.units).thenComparingInt(s -> s.start))
            .filter(s -> s.units * UNIT < 4096 || s.units / 2.0 <= wanted);
    if (kept.isEmpty()) {
      return allocate(bytes, tag);
    }
    kept.get().held = false;
    kept.get().requested = bytes;
    return kept;
  }

  void free(Span span) {
    spans.remove(span);
  }

  void release(Span span) {
    long size = (long) span.units * UNIT;
    if (size > heldLimit) {
      spans.remove(span);
      return;
    }
    while (heldBytes() + size > heldLimit) {
      spans.remove(oldestHeld().get());
    }
    span.held = true;
    span.requested = 0;
    span.tick = ++ticks;
  }

  /// The map that the pool should show, generations left out.
  List<MemoryMap.Entry> map() {
    List<Span> ordered = new ArrayList<>(spans);
    ordered.sort(Comparator.comparingInt(s -> s.start));
    List<MemoryMap.Entry> entries = new ArrayList<>();
    int end = 0;
    for (Span span : ordered) {
      addGap(entries, end, span.start);
      BlockState state = span.held ? BlockState.HELD : BlockState.USED;
      entries.add(entry(span.start, span.units, state, span.owner, span.requested));
      end = span.start + span.units;
    }
    addGap(entries, end, units);
    return entries;
  }

  private static void addGap(List<MemoryMap.Entry> entries, int from, int to) {
    if (from < to) {
      entries.add(entry(from, to - from, BlockState.FREE, "", 0));
    }
  }

  private static MemoryMap.Entry entry(
      int start, int units, BlockState state, String owner, long requested) {
    return new MemoryMap.Entry(
        (long) start * UNIT, (long) units * UNIT, state, owner, requested, 0);
  }

  private static int unitsFor(long bytes) {
    return (int) ((bytes + UNIT - 1) / UNIT);
  }

  private long heldBytes() {
    return spans.stream().filter(s -> s.held).mapToLong(s -> (long) s.units * UNIT).sum();
  }

  private Optional<Span> oldestHeld() {
    return spans.stream().filter(s -> s.held).min(Comparator.comparingLong(s -> s.tick));
  }

  /// The start of the smallest run of unmarked units that is long enough, the first of equals, or
  /// -1.
  private int bestFit(int wanted) {
    boolean[] taken = marks();
    int best = -1;
    int bestLength = Integer.MAX_VALUE;
    for (int start = 0, end; start < units; start = end + 1) {
      end = start;
      while (end < units && !taken[end]) {
        end++;
      }
      if (end - start >= wanted && end - start < bestLength) {
        best = start;
        bestLength = end - start;
      }
    }
    return best;
  }

  private boolean[] marks() {
    boolean[] taken = new boolean[units];
    for (Span span : spans) {
      Arrays.fill(taken, span.start, span.start + span.units, true);
    }
    return taken;
  }
}
