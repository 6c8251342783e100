package io.miniinference.plan.coalesce;

import io.miniinference.layout.ElementRuns;
import io.miniinference.layout.IndexFunction;
import io.miniinference.plan.Array;
import io.miniinference.plan.Block;
import io.miniinference.plan.Body;
import io.miniinference.plan.LoopBuffers;
import io.miniinference.plan.Program;
import io.miniinference.plan.Step;
import io.miniinference.plan.live.BaseArrays;
import io.miniinference.plan.live.Dataflow;
import io.miniinference.plan.live.Definition;
import io.miniinference.plan.live.Lifetimes;
import io.miniinference.plan.live.LiveRange;
import io.miniinference.plan.live.Region;
import io.miniinference.plan.live.TimedStep;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The most bytes live at once, element by element, before any merge is decided: what no plan for
/// this order of steps can go below.
///
/// A byte is live from its write to the last read before the next write, by whatever name; what a
/// copy makes is what it copied. Padding is not counted, since another layout may have none. A step
/// that may work in place needs no more than the larger of what dies at it and what it writes.
/// Arrays of more than [#MOST_RUNS] separate runs are left out, which can only lower the bound. In
/// a branch of an `If` only what this branch or what follows needs is live.
public final class LowerBound {
  private static final int MOST_RUNS = 4096;

  private final Lifetimes lifetimes;
  private final BaseArrays wholes;
  private final long n;
  private final long[] change;
  private final Map<Operand, Long> dying = new HashMap<>();

  /* The operand of a step that reads a byte last. */
  private record Operand(int step, int read) {}

  private record Read(int tick, @Nullable Operand operand) {
    static Read of(Definition.Use use) {
      Step step = use.step();
      return new Read(use.tick(), step == null ? null : new Operand(step.number(), use.read()));
    }

    static List<Operand> at(int tick, List<Read> reads) {
      return reads.stream()
          .filter(read -> read.tick == tick)
          .flatMap(read -> Stream.ofNullable(read.operand))
          .toList();
    }
  }

  /* Where a content's bytes are read, as runs of its block. */
  private record Reading(Definition.Use use, ElementRuns runs, List<ElementRuns> hidden) {
    boolean sees(long element) {
      return runs.contains(element) && hidden.stream().noneMatch(h -> h.contains(element));
    }
  }

  private LowerBound(Lifetimes lifetimes, BaseArrays wholes, long n) {
    this.lifetimes = lifetimes;
    this.wholes = wholes;
    this.n = n;
    change = new long[lifetimes.ticks() + 3];
  }

  public static long bytes(Program program, long n) {
    Lifetimes lifetimes = Lifetimes.of(program);
    BaseArrays wholes = BaseArrays.of(program);
    LowerBound bound = new LowerBound(lifetimes, wholes, n);
    Dataflow dataflow = Dataflow.least(program, lifetimes, wholes);
    Set<Array> initial = initial(lifetimes);
    new Sources(dataflow, wholes)
        .contents().stream()
            .filter(content -> !initial.contains(content.array()))
            .forEach(bound::follow);
    lifetimes.steps().forEach(bound::addScratch);
    lifetimes.steps().forEach(bound::leaveOutRows);
    return bound.most();
  }

  /* Parameters of loops that may have but one iteration, the operand of which they are then. */
  private static Set<Array> initial(Lifetimes lifetimes) {
    Set<Array> initial = Collections.newSetFromMap(new IdentityHashMap<>());
    for (TimedStep timed : lifetimes.steps()) {
      for (Body body : timed.step().bodies()) {
        initial.addAll(body.motion().fewest() == 1 ? body.parameters() : List.of());
      }
    }
    return initial;
  }

  private long most() {
    long[] saved = new long[change.length];
    for (TimedStep timed : lifetimes.steps()) {
      Step step = timed.step();
      for (int w = 0; w < step.writes().size() && step.bodies().isEmpty(); w++) {
        saved[timed.enter() + 1] += saved(step, w);
      }
    }
    long most = 0;
    long live = 0;
    for (int tick = -1; tick <= lifetimes.ticks(); tick++) {
      live += change[tick + 1];
      most = Math.max(most, live - saved[tick + 1]);
    }
    return most;
  }

  private void addScratch(TimedStep timed) {
    timed
        .step()
        .scratch()
        .forEach(block -> addLive(timed.enter(), timed.exit(), block.sizeBytes().at(n)));
  }

  /* While the last iteration runs all rows but its own are live; what becomes that one is counted by
  itself, and may be read on where it has become it. */
  private void leaveOutRows(TimedStep timed) {
    for (Body body : timed.step().bodies()) {
      for (LoopBuffers.Window window : body.motion().windows()) {
        addLive(timed.enter() + 1, timed.exit() - 1, -window.block().sizeBytes().at(n));
      }
    }
  }

  private void addLive(int from, int to, long bytes) {
    change[from + 1] += bytes;
    change[to + 2] -= bytes;
  }

  /* Runs of elements in logical order. */
  private Optional<ElementRuns> runs(Region place) {
    return place
        .index(IndexFunction.rowMajor(place.base()))
        .flatMap(index -> ElementRuns.of(index, n, MOST_RUNS));
  }

  /* Cuts the content where any reading starts or ends, and follows each piece through time. */
  private void follow(Definition content) {
    Block block = content.array().block();
    if (!wholes.isTraced(block)) {
      return;
    }
    TreeSet<Long> cuts = new TreeSet<>();
    List<Reading> readings = new ArrayList<>();
    for (Definition.Use use : content.uses()) {
      reading(content, use)
          .ifPresent(reading -> {
            readings.add(reading);
            add(cuts, reading.runs);
            reading.hidden.forEach(h -> add(cuts, h));
          });
    }
    Optional<ElementRuns> whole = runs(content.place());
    if (whole.isEmpty()) {
      return;
    }
    add(cuts, whole.get());
    if (!cuts.isEmpty()) {
      long start = cuts.removeFirst();
      for (long end : cuts) {
        if (whole.get().contains(start)) {
          piece(content, start, (end - start) * content.array().elementBytes(), readings);
        }
        start = end;
      }
    }
  }

  private static void add(TreeSet<Long> cuts, ElementRuns runs) {
    for (int i = 0; i < runs.count(); i++) {
      cuts.add(runs.starts()[i]);
      cuts.add(runs.ends()[i]);
    }
  }

  /* Of a view that is no movement only the index function is known. */
  private Optional<ElementRuns> seen(Definition content, Definition.Use use) {
    if (!use.place().spread()) {
      return runs(use.place());
    }
    Optional<Array> read = Optional.ofNullable(use.step()).map(s -> s.reads().get(use.read()));
    Block block = content.array().block();
    return read.filter(r -> r.block().id() == block.id() && wholes.index(block.id()).isRowMajor())
        .flatMap(r -> ElementRuns.of(r.index(), n, MOST_RUNS));
  }

  private Optional<Reading> reading(Definition content, Definition.Use use) {
    Optional<ElementRuns> seen = seen(content, use);
    List<ElementRuns> hidden = new ArrayList<>();
    for (Region place : use.hidden()) {
      Optional<ElementRuns> covered = runs(place);
      if (covered.isEmpty()) {
        return Optional.empty();
      }
      hidden.add(covered.get());
    }
    return seen.map(runs -> new Reading(use, runs, hidden));
  }

  private void piece(Definition content, long element, long bytes, List<Reading> readings) {
    List<Read> reads = new ArrayList<>();
    int last = content.first();
    for (Reading reading : readings) {
      if (reading.sees(element)) {
        reads.add(Read.of(reading.use));
        last = Math.max(last, reading.use.tick());
      }
    }
    boolean isOfLoop = content.step() == null && content.first() >= 0;
    if (isOfLoop && reads.isEmpty()) {
      return; // A parameter is written by nobody.
    }
    LiveRange range = new LiveRange(content.first(), last);
    addLive(range.first(), range.last(), bytes);
    Set<Operand> lastReads = new HashSet<>(Read.at(last, reads));
    for (List<LiveRange> sides : lifetimes.branches()) {
      lastReads.addAll(leaveOut(sides, range, reads, bytes));
    }
    lastReads.forEach(operand -> dying.merge(operand, bytes, Long::sum));
  }

  /* What one side makes is not there on the others; what only a later side reads is not needed on an
  earlier one after that one's own last read. Who reads it last there. */
  private Set<Operand> leaveOut(
      List<LiveRange> sides, LiveRange range, List<Read> reads, long bytes) {
    boolean madeInside = sides.stream().anyMatch(side -> side.contains(range.first()));
    boolean endsInside = sides.stream().anyMatch(side -> side.contains(range.last()));
    Set<Operand> lastReads = new HashSet<>();
    if (madeInside == endsInside) {
      return lastReads;
    }
    for (LiveRange side : sides) {
      int needed = side.first() - 1;
      for (Read read : reads) {
        needed = side.contains(read.tick) ? Math.max(needed, read.tick) : needed;
      }
      boolean crossed = range.first() < side.first() && side.last() < range.last();
      if (crossed) {
        addLive(needed + 1, side.last(), -bytes);
        lastReads.addAll(Read.at(needed, reads));
      }
    }
    return lastReads;
  }

  private long saved(Step step, int write) {
    Array written = step.writes().get(write);
    long most = 0;
    for (Step.InPlace pair : step.inPlace()) {
      Array read = step.reads().get(pair.read());
      boolean fits =
          pair.write() == write
              && read.elementBytes() == written.elementBytes()
              && Safety.sameOrder(read.index(), written.index());
      if (fits) {
        most = Math.max(most, dying.getOrDefault(new Operand(step.number(), pair.read()), 0L));
      }
    }
    return Math.min(most, written.index().elements().at(n) * written.elementBytes());
  }
}
