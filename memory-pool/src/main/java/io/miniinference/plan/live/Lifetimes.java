package io.miniinference.plan.live;

import io.miniinference.plan.Array;
import io.miniinference.plan.Block;
import io.miniinference.plan.Body;
import io.miniinference.plan.LoopBuffers;
import io.miniinference.plan.Program;
import io.miniinference.plan.Step;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// First and last use of each block of a program, over nested bodies.
///
/// Time is counted in ticks: a step without bodies takes one; a step with bodies takes one to read
/// its operands, then the ticks of its bodies one after the other, then one to write its results.
/// Branches thus lie beside each other in time: what is live in only one of them never meets what
/// is live only in the other. The request's inputs are live from tick -1, its results to tick
/// [#ticks()].
///
/// In a loop a block that is touched only between the loop's enter and exit tick is dead when the
/// next iteration starts and keeps its own range. All others (state, results, what comes from
/// outside, what is read after the loop) are live through the whole loop.
///
/// Views are no accesses: their operand's memory is touched by who reads the view. Who reads a
/// [LoopBuffers.Pointer] touches the memory of the state, and in the first iteration that of the
/// initial value, which is not live through the loop for that. Both places of a
/// [LoopBuffers.Alternation] are.
public final class Lifetimes {
  private final List<TimedStep> steps = new ArrayList<>();
  private final List<Loop> loops = new ArrayList<>();
  private final List<BitSet> openLoops = new ArrayList<>();
  private final @Nullable LiveRange[] ranges;
  private final List<List<LiveRange>> branches = new ArrayList<>();
  private final Map<Integer, Pointed> pointers = new HashMap<>();
  private final Map<Integer, LoopBuffers.Alternation> alternations = new HashMap<>();
  private final List<Reading> readings = new ArrayList<>();
  private int ticks;

  private record Loop(int enter, int exit, BitSet touched) {
    boolean isAround(int tick) {
      return enter < tick && tick < exit;
    }
  }

  /* A pointer, and the enter tick of its loop. */
  private record Pointed(LoopBuffers.Pointer pointer, int enter) {}

  /* That a pointer is read. */
  private record Reading(Pointed pointed, int tick) {}

  private Lifetimes(int blocks) {
    ranges = new LiveRange[blocks];
  }

  /// The lifetimes of a program's blocks.
  ///
  /// @throws IllegalArgumentException if the program's blocks are not numbered from 0 in order, or
  ///   one's size shrinks as the batch grows
  public static Lifetimes of(Program program) {
    checkBlocks(program);
    Lifetimes lifetimes = new Lifetimes(program.blocks().size());
    lifetimes.touch(program.body().parameters(), -1);
    lifetimes.walk(program.body().steps());
    lifetimes.touch(program.body().results(), lifetimes.ticks);
    lifetimes.readings.forEach(lifetimes::touchFirst);
    lifetimes.extendOverLoops();
    return lifetimes;
  }

  private static void checkBlocks(Program program) {
    for (int i = 0; i < program.blocks().size(); i++) {
      if (program.blocks().get(i).id() != i) {
        throw new IllegalArgumentException(
            "block '%s' has id %d and stands at place %d of program '%s'; blocks are listed by id"
                .formatted(
                    program.blocks().get(i).name(),
                    program.blocks().get(i).id(),
                    i,
                    program.name()));
      }
      checkSize(program.blocks().get(i));
    }
  }

  private static void checkSize(Block block) {
    if (block.sizeBytes().constant() < 0 || block.sizeBytes().perBatch() < 0) {
      throw new IllegalArgumentException(
          "block '%s' has size %s, which is negative or shrinks as the batch grows"
              .formatted(block.name(), block.sizeBytes()));
    }
  }

  /// Whether the step costs nothing: all it writes is memory of its operands.
  public static boolean isView(Step step) {
    return step.kind() == Step.Kind.VIEW
        && step.writes().stream()
            .allMatch(w ->
                w.block().isMoving()
                    || step.reads().stream().anyMatch(r -> r.block().id() == w.block().id()));
  }

  private void walk(List<Step> sequence) {
    for (Step step : sequence) {
      int enter = ticks++;
      int place = steps.size();
      steps.add(new TimedStep(step, enter, enter));
      if (isView(step)) {
        continue;
      }
      touch(step.reads(), enter);
      if (!step.bodies().isEmpty()) {
        step.scratch().forEach(block -> touch(block, enter));
        walkBodies(step, enter);
        int exit = ticks++;
        step.bodies().forEach(body -> touchResults(body, enter, exit));
        steps.set(place, new TimedStep(step, enter, exit));
      }
      int exit = steps.get(place).exit();
      step.scratch().forEach(block -> touch(block, exit));
      touch(step.writes(), exit);
    }
  }

  private void walkBodies(Step step, int enter) {
    for (Body body : step.bodies()) {
      body.motion().pointers().forEach(p -> pointers.put(p.block().id(), new Pointed(p, enter)));
      body.motion().alternations().forEach(a -> alternations.put(a.block().id(), a));
    }
    List<LiveRange> sides = new ArrayList<>();
    for (Body body : step.bodies()) {
      int first = ticks;
      walk(body, enter);
      if (body.kind() == Body.Kind.BRANCH && ticks > first) {
        sides.add(new LiveRange(first, ticks - 1));
      }
    }
    if (sides.size() > 1) {
      branches.add(sides);
    }
  }

  private void walk(Body body, int enter) {
    if (body.kind() == Body.Kind.LOOP) {
      openLoops.add(new BitSet());
    }
    touch(body.parameters(), enter);
    walk(body.steps());
  }

  /* The results of all bodies are read at the step's exit tick; a loop closes there. */
  private void touchResults(Body body, int enter, int exit) {
    touch(body.results(), exit);
    if (body.kind() == Body.Kind.LOOP) {
      body.parameters().forEach(parameter -> touchLast(parameter.block(), exit));
      BitSet touched = openLoops.removeLast();
      if (!openLoops.isEmpty()) {
        openLoops.getLast().or(touched);
      }
      loops.add(new Loop(enter, exit, touched));
    }
  }

  private void touch(List<Array> arrays, int tick) {
    arrays.forEach(array -> touch(array.block(), tick));
  }

  private void touch(Block block, int tick) {
    LiveRange old = ranges[block.id()];
    ranges[block.id()] = old == null ? new LiveRange(tick, tick) : old.including(tick);
    if (!openLoops.isEmpty()) {
      openLoops.getLast().set(block.id());
    }
    LoopBuffers.Alternation alternation = alternations.get(block.id());
    if (alternation != null) {
      touch(alternation.even().block(), tick);
      touch(alternation.odd().block(), tick);
    }
    Pointed pointed = pointers.get(block.id());
    if (pointed != null) {
      touch(pointed.pointer.next().block(), tick);
      readings.add(new Reading(pointed, tick));
    }
  }

  /* After the last iteration a parameter is where that has left it. */
  private void touchLast(Block parameter, int exit) {
    Pointed pointed = pointers.get(parameter.id());
    touch(pointed == null ? parameter : pointed.pointer.next().block(), exit);
  }

  /* The initial value is read in the first iteration only, in all iterations of loops inside. */
  private void touchFirst(Reading reading) {
    int enter = reading.pointed.enter;
    int last = reading.tick;
    int id = reading.pointed.pointer.first().block().id();
    for (Loop loop : loops) {
      if (enter < loop.enter && loop.isAround(reading.tick)) {
        last = Math.max(last, loop.exit);
      }
      if (loop.isAround(enter)) {
        loop.touched.set(id);
      }
    }
    LiveRange old = ranges[id];
    ranges[id] = (old == null ? new LiveRange(enter, last) : old.including(enter)).including(last);
    Pointed outer = pointers.get(id);
    if (outer != null) {
      touchFirst(new Reading(outer, last));
    }
  }

  /* Inner loops were closed, hence listed, before the loops around them. */
  private void extendOverLoops() {
    for (Loop loop : loops) {
      loop.touched.stream().forEach(id -> extend(id, loop));
    }
  }

  private void extend(int id, Loop loop) {
    LiveRange range = ranges[id];
    if (range != null && !range.strictlyInside(loop.enter, loop.exit)) {
      ranges[id] = range.including(loop.enter).including(loop.exit);
    }
  }

  /* When a value written at one tick and read at another is needed last: to the end of each loop that
  has the read inside and the write outside. */
  int endOfLoops(int written, int read) {
    int last = read;
    for (Loop loop : loops) {
      if (loop.enter < read && read < loop.exit && written < loop.enter) {
        last = Math.max(last, loop.exit);
      }
    }
    return last;
  }

  /// Number of ticks of a body.
  static int ticks(Body body) {
    return body.steps().stream()
        .mapToInt(step ->
            step.bodies().isEmpty()
                ? 1
                : 2 + step.bodies().stream().mapToInt(Lifetimes::ticks).sum())
        .sum();
  }

  /// Number of ticks; also the tick at which the program's results are read.
  public int ticks() {
    return ticks;
  }

  /// Most bytes of blocks that are live at one tick.
  public long mostBytes(List<Block> blocks, long n) {
    long[] change = new long[ticks + 3];
    for (Block block : blocks) {
      LiveRange range = ranges[block.id()];
      if (range != null && block.isPlanned() && !block.isMoving()) {
        change[range.first() + 1] += block.sizeBytes().at(n);
        change[range.last() + 2] -= block.sizeBytes().at(n);
      }
    }
    long live = 0;
    long most = 0;
    for (long each : change) {
      live += each;
      most = Math.max(most, live);
    }
    return most;
  }

  /// The range of a block, null if nothing reads or writes it.
  public @Nullable LiveRange range(int blockId) {
    return ranges[blockId];
  }

  /// Per step with branches, the ticks of each; of two such ranges at most one is run.
  public List<List<LiveRange>> branches() {
    return branches;
  }

  /// All steps, those of bodies included, by enter tick.
  public List<TimedStep> steps() {
    return steps;
  }

  /// The number of the step that happens at a tick.
  public int stepNumber(int tick) {
    int step = -1;
    for (TimedStep timed : steps) {
      if (timed.enter() <= tick) {
        step = timed.step().number();
      }
    }
    return step;
  }
}
