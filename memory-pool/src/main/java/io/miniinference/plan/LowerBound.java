package io.miniinference.plan;

import io.miniinference.layout.ElementRuns;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;

/// The most bytes live at once, element by element, before any merge is decided: what no plan for
/// this order of steps can go below.
///
/// A byte is live from its write to the last read before the next write. A step that may work in
/// place needs no more than the larger of what dies at it and what it writes. Arrays of more than
/// [#MOST_RUNS] separate runs are left out, which can only lower the bound. In a branch of an `If`
/// only what this branch or what follows needs is live.
final class LowerBound {
  private static final int MOST_RUNS = 4096;

  private final Lifetimes lifetimes;
  private final long n;
  private final long[] change;
  private final IdentityHashMap<Array, ElementRuns> runs = new IdentityHashMap<>();
  private final Map<Integer, List<Access>> accesses = new TreeMap<>();
  private final Map<Integer, List<Death>> deaths = new HashMap<>();

  private record Access(int tick, boolean write, Array array) {}

  /* Bytes [start, end) of a block that are read for the last time. */
  private record Death(int tick, long start, long end) {}

  private LowerBound(Lifetimes lifetimes, long n) {
    this.lifetimes = lifetimes;
    this.n = n;
    change = new long[lifetimes.ticks() + 3];
  }

  static long bytes(Program program, Lifetimes lifetimes, long n) {
    LowerBound bound = new LowerBound(lifetimes, n);
    bound.collect(program);
    bound.accesses.forEach((block, list) -> bound.follow(block, list));
    long most = 0;
    long live = 0;
    long[] saved = bound.savedInPlace();
    for (int tick = -1; tick <= lifetimes.ticks(); tick++) {
      live += bound.change[tick + 1];
      most = Math.max(most, live - saved[tick + 1]);
    }
    return most;
  }

  private void collect(Program program) {
    note(program.body().parameters(), -1, true);
    for (TimedStep timed : lifetimes.steps()) {
      Step step = timed.step();
      if (!Lifetimes.isView(step)) {
        note(step.reads(), timed.enter(), false);
        noteBodies(timed);
        note(step.writes(), timed.exit(), true);
        step.scratch()
            .forEach(block -> addLive(timed.enter(), timed.exit(), block.sizeBytes().at(n)));
      }
    }
    note(program.body().results(), lifetimes.ticks(), false);
  }

  /* The result of a branch may be the step's result at once, so it is read where the branch ends. */
  private void noteBodies(TimedStep timed) {
    int end = timed.enter();
    for (Body body : timed.step().bodies()) {
      end += Lifetimes.ticks(body);
      note(body.parameters(), timed.enter(), true);
      note(body.results(), body.kind() == Body.Kind.BRANCH ? end : timed.exit(), false);
    }
  }

  private void note(List<Array> arrays, int tick, boolean write) {
    for (Array array : arrays) {
      if (array.block().isPlanned()) {
        ElementRuns.of(array.index(), n, MOST_RUNS)
            .ifPresent(found -> {
              runs.put(array, found);
              accesses
                  .computeIfAbsent(array.block().id(), id -> new ArrayList<>())
                  .add(new Access(tick, write, array));
            });
      }
    }
  }

  private void addLive(int from, int to, long bytes) {
    change[from + 1] += bytes;
    change[to + 2] -= bytes;
  }

  private ElementRuns runsOf(Array array) {
    return Objects.requireNonNull(runs.get(array), "noted with its runs");
  }

  /* Cuts the block where any access starts or ends, and follows each piece through time. */
  private void follow(int block, List<Access> list) {
    list.sort(Comparator.comparingInt(Access::tick).thenComparing(Access::write));
    TreeSet<Long> cuts = new TreeSet<>();
    for (Access access : list) {
      ElementRuns found = runsOf(access.array);
      for (int i = 0; i < found.count(); i++) {
        cuts.add(found.starts()[i] * access.array.elementBytes());
        cuts.add(found.ends()[i] * access.array.elementBytes());
      }
    }
    if (cuts.isEmpty()) {
      return;
    }
    long start = cuts.removeFirst();
    for (long end : cuts) {
      followPiece(block, start, end, list);
      start = end;
    }
  }

  private void followPiece(int block, long start, long end, List<Access> list) {
    int written = Integer.MIN_VALUE;
    int last = 0;
    List<Integer> reads = new ArrayList<>();
    for (Access access : list) {
      if (!runsOf(access.array).contains(start / access.array.elementBytes())) {
        continue;
      }
      if (access.write) {
        /* bytes that are read and written over at one tick are there once */
        live(new Death(Math.min(last, access.tick - 1), start, end), block, written, reads);
        reads.clear();
        written = access.tick;
        last = access.tick;
      } else {
        last = Math.max(last, lifetimes.endOfLoops(written, access.tick));
        reads.add(access.tick);
      }
    }
    live(new Death(last, start, end), block, written, reads);
  }

  private void live(Death death, int block, int written, List<Integer> reads) {
    if (written != Integer.MIN_VALUE && written <= death.tick) {
      LiveRange range = new LiveRange(written, death.tick);
      long bytes = death.end - death.start;
      addLive(written, death.tick, bytes);
      deaths.computeIfAbsent(block, b -> new ArrayList<>()).add(death);
      lifetimes.branches().forEach(sides -> leaveOut(sides, range, reads, bytes));
    }
  }

  /* What one side makes is not there on the others; what only a later side reads is not needed on an
  earlier one after that one's own last read. */
  private void leaveOut(List<LiveRange> sides, LiveRange range, List<Integer> reads, long bytes) {
    boolean madeInside = sides.stream().anyMatch(side -> side.contains(range.first()));
    boolean endsInside = sides.stream().anyMatch(side -> side.contains(range.last()));
    if (madeInside == endsInside) {
      return;
    }
    for (LiveRange side : sides) {
      int needed = side.first() - 1;
      for (int read : reads) {
        needed = side.contains(read) ? Math.max(needed, read) : needed;
      }
      boolean crossed = range.first() < side.first() && side.last() < range.last();
      if (crossed && needed < side.last()) {
        addLive(needed + 1, side.last(), -bytes);
      }
    }
  }

  private long[] savedInPlace() {
    long[] saved = new long[change.length];
    for (TimedStep timed : lifetimes.steps()) {
      Step step = timed.step();
      for (int w = 0; w < step.writes().size() && step.bodies().isEmpty(); w++) {
        saved[timed.enter() + 1] += saved(timed, w);
      }
    }
    return saved;
  }

  private long saved(TimedStep timed, int write) {
    Array written = timed.step().writes().get(write);
    long most = 0;
    for (Step.InPlace pair : timed.step().inPlace()) {
      if (pair.write() == write) {
        most = Math.max(most, dying(timed.step().reads().get(pair.read()), timed.enter()));
      }
    }
    return Math.min(most, written.index().denseElements().at(n) * written.elementBytes());
  }

  private long dying(Array array, int tick) {
    ElementRuns found = runs.get(array);
    if (found == null) {
      return array.block().isPlanned() ? array.block().sizeBytes().at(n) : 0;
    }
    long bytes = 0;
    for (Death death : deaths.getOrDefault(array.block().id(), List.of())) {
      if (death.tick == tick && found.contains(death.start / array.elementBytes())) {
        bytes += death.end - death.start;
      }
    }
    return bytes;
  }
}
