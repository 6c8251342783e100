package io.miniinference.plan.verify;

import io.miniinference.layout.Axis;
import io.miniinference.plan.Array;
import io.miniinference.plan.Block;
import io.miniinference.plan.Body;
import io.miniinference.plan.Placement;
import io.miniinference.plan.Program;
import io.miniinference.plan.Step;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

/// One run of a program over its placed arrays at one batch size, in which bytes hold the names of
/// their writers instead of numbers.
///
/// A branch starts from the state before its step, and the states after all branches are joined; a
/// loop is repeated until the state at its head no longer changes, which then holds for any number
/// of iterations.
final class Replay {
  private final Program program;
  private final Placement placement;
  private final long n;
  private final ViewNames names;
  private final IdentityHashMap<Array, ByteRuns> runs = new IdentityHashMap<>();
  private final Set<Integer> openBlocks = new HashSet<>();
  private ArenaMap arena = new ArenaMap();

  Replay(Program program, Placement placement, long n, ViewNames names) {
    this.program = program;
    this.placement = placement;
    this.n = n;
    this.names = names;
  }

  void run() {
    checkBlocks();
    Body body = program.body();
    write(-1, "the request", body.parameters());
    body.steps().forEach(this::run);
    read("the end of the program", body.results());
  }

  private void checkBlocks() {
    for (Block block : program.blocks()) {
      if (block.isPlanned() && placement.isPlaced(block)) {
        long start = placement.offsetBytes(block);
        long end = Math.addExact(start, block.sizeBytes().at(n));
        if (end > placement.plannedBytes()) {
          throw wrong(
              "block '%s' lies at bytes %d to %d, outside the arena of %d",
              block.name(), start, end, placement.plannedBytes());
        }
      }
    }
  }

  @SuppressWarnings("AnnotateFormatMethod") // its annotation would be a dependency
  private VerificationException wrong(String text, Object... arguments) {
    return new VerificationException(
        "plan of '%s' at batch %d: %s".formatted(program.name(), n, text.formatted(arguments)));
  }

  private static String label(Step step) {
    return "step %d '%s' (%s)".formatted(step.number(), step.name(), step.op());
  }

  private void run(Step step) {
    if (step.kind() == Step.Kind.VIEW && isFree(step)) {
      step.writes().forEach(this::bytes);
      return;
    }
    read(label(step), step.reads());
    takeScratch(step);
    if (step.bodies().isEmpty()) {
      new StepConflicts(this, step).check();
      write(step.number(), label(step), step.writes());
    } else {
      runBodies(step);
    }
  }

  /* Whatever a view writes lies inside one of the blocks that it reads. */
  private static boolean isFree(Step step) {
    Set<Integer> blocks = new HashSet<>();
    step.reads().forEach(r -> blocks.add(r.block().id()));
    return step.writes().stream().allMatch(w -> blocks.contains(w.block().id()));
  }

  private void takeScratch(Step step) {
    for (Block block : step.scratch()) {
      ByteRuns whole = bytes(block);
      Owner owner = new Owner(Owner.Kind.SCRATCH, step.number(), block.name(), block.id());
      if (!whole.isEmpty()) {
        arena.put(whole.first(), whole.last(), Set.of(owner));
      }
    }
  }

  private void runBodies(Step step) {
    List<ArenaMap> ends = new ArrayList<>();
    ArenaMap before = arena.copy();
    for (Body body : step.bodies()) {
      switch (body.kind()) {
        case ONCE -> {
          enter(step, body);
          runOnce(step, body);
        }
        case BRANCH -> {
          arena = before.copy();
          enter(step, body);
          runOnce(step, body);
          move(step, body.results(), step.writes(), true);
          ends.add(arena);
        }
        case LOOP -> {
          runLoop(step, body);
          read(label(step), body.parameters());
          move(step, body.parameters(), step.writes(), true);
        }
      }
    }
    if (ends.size() == 1 && step.writes().isEmpty()) {
      ends.add(before);
    }
    ends.stream().reduce(this::join).ifPresent(joined -> arena = joined);
    if (step.bodies().stream().allMatch(b -> b.kind() == Body.Kind.ONCE)) {
      write(step.number(), label(step), step.writes());
    }
    step.scratch().forEach(block -> checkScratchLeft(step, block));
  }

  /* Scratch of a step with bodies belongs to it until they have run. */
  private void checkScratchLeft(Step step, Block block) {
    ByteRuns whole = bytes(block);
    for (int i = 0; i < whole.count(); i++) {
      for (ArenaMap.Piece piece : arena.pieces(whole.start(i), whole.end(i))) {
        if (piece.owners().stream().anyMatch(o -> o.block() != block.id())) {
          throw wrong(
              "%s has scratch '%s' at %s, but bytes %d to %d %s",
              label(step), block.name(), whole, piece.start(), piece.end(), piece.owners());
        }
      }
    }
  }

  private ArenaMap join(ArenaMap a, ArenaMap b) {
    return a.join(b, placement.plannedBytes());
  }

  /* The operands become the body's parameters. */
  private void enter(Step step, Body body) {
    move(step, step.reads(), body.parameters(), false);
  }

  private void runOnce(Step step, Body body) {
    body.steps().forEach(this::run);
    read("the end of body '" + body.name() + "' of " + label(step), body.results());
  }

  private void runLoop(Step step, Body body) {
    enter(step, body);
    ArenaMap head = arena.copy();
    while (true) {
      runOnce(step, body);
      move(step, body.results(), body.parameters(), true);
      ArenaMap next = head.join(arena, placement.plannedBytes());
      arena = next.copy();
      if (next.sameAs(head, placement.plannedBytes())) {
        return;
      }
      head = next;
    }
  }

  /* Copies arrays into others all at once: none of the written bytes may be one that is read, except
  where a value stays in its place. `ordered`: the i-th goes to the i-th. */
  private void move(Step step, List<Array> from, List<Array> to, boolean ordered) {
    for (int i = 0; i < to.size(); i++) {
      for (int j = 0; j < from.size(); j++) {
        Array target = to.get(i);
        Array source = from.get(j);
        boolean mayStay = i == j || !ordered;
        if (overlap(target, source) && !(mayStay && samePlace(target, source))) {
          throw wrong(
              "%s moves '%s' at %s over '%s' at %s",
              label(step), target.name(), bytes(target), source.name(), bytes(source));
        }
      }
    }
    write(step.number(), label(step), to);
  }

  private void read(String who, List<Array> arrays) {
    for (Array array : arrays) {
      if (array.block().isPlanned()) {
        read(who, array);
      }
    }
  }

  private void read(String who, Array array) {
    ByteRuns at = bytes(array);
    for (int i = 0; i < at.count(); i++) {
      for (ArenaMap.Piece piece : arena.pieces(at.start(i), at.end(i))) {
        for (Owner owner : piece.owners()) {
          if (!isRight(array, owner, piece.owners().size() > 1)) {
            throw wrong(
                "%s reads '%s' at %s, but bytes %d to %d %s",
                who, array.name(), at, piece.start(), piece.end(), owner);
          }
        }
      }
    }
  }

  private boolean isRight(Array array, Owner owner, boolean amongOthers) {
    return owner.block() == array.block().id()
        && switch (owner.kind()) {
          case VALUE -> names.allows(array.name(), owner.value());
          case OPEN -> amongOthers;
          case SCRATCH, NOTHING -> false;
        };
  }

  private void write(int step, String who, List<Array> arrays) {
    for (Array array : arrays) {
      if (!array.block().isPlanned()) {
        throw wrong("%s writes '%s' into weights", who, array.name());
      }
      write(
          bytes(array), new Owner(Owner.Kind.VALUE, step, array.name(), array.block().id()), array);
    }
  }

  private void write(ByteRuns at, Owner owner, Array array) {
    if (at.isExact()) {
      Set<Owner> owners = Set.of(owner);
      for (int i = 0; i < at.count(); i++) {
        arena.put(at.start(i), at.end(i), owners);
      }
      return;
    }
    open(array.block());
    arena.change(at.first(), at.last(), old -> ArenaMap.union(old, Set.of(owner)));
  }

  /* A block whose elements are not looked at one by one takes all its bytes with its first write. */
  private void open(Block block) {
    if (openBlocks.add(block.id())) {
      ByteRuns whole = bytes(block);
      Owner open = new Owner(Owner.Kind.OPEN, -1, block.name(), block.id());
      arena.change(
          whole.first(),
          whole.last(),
          old -> old.stream().allMatch(o -> o.block() == block.id()) ? old : Set.of(open));
    }
  }

  /// The whole block in the arena.
  ByteRuns bytes(Block block) {
    if (!block.isPlanned()) {
      throw wrong("block '%s' lies with the weights, where nothing is written", block.name());
    }
    long start = placement.offsetBytes(block);
    return ByteRuns.range(start, start + block.sizeBytes().at(n));
  }

  /// The bytes of an array in the arena, or in the weights' block that it is a part of.
  ByteRuns bytes(Array array) {
    ByteRuns known = runs.get(array);
    if (known == null) {
      known = located(array);
      runs.put(array, known);
    }
    return known;
  }

  private ByteRuns located(Array array) {
    ByteRuns inside = ByteRuns.of(array.index(), array.elementBytes(), n);
    long size = array.block().sizeBytes().at(n);
    if (!inside.isEmpty() && (inside.first() < 0 || inside.last() > size)) {
      throw wrong(
          "'%s' takes %s of block '%s', which has %d bytes",
          array.name(), inside, array.block().name(), size);
    }
    if (!array.block().isPlanned()) {
      return inside;
    }
    if (!placement.isPlaced(array.block())) {
      throw wrong(
          "'%s' lies in block '%s', which has no place", array.name(), array.block().name());
    }
    return inside.shifted(placement.offsetBytes(array.block()));
  }

  /// Whether the two share bytes of the arena. Inside one block the program says where things lie,
  /// so that arrays there count as overlapping only if that is known for certain.
  boolean overlap(Array a, Array b) {
    if (!a.block().isPlanned() || !b.block().isPlanned() || !bytes(a).overlaps(bytes(b))) {
      return false;
    }
    return a.block().id() != b.block().id() || (bytes(a).isExact() && bytes(b).isExact());
  }

  /// Whether each index is the same bytes in both, at this batch and at all smaller ones.
  boolean samePlace(Array a, Array b) {
    return a.elementBytes() == b.elementBytes()
        && a.index().rank() == b.index().rank()
        && start(a, n) == start(b, n)
        && start(a, n - 1) == start(b, n - 1)
        && sameStrides(a.index().axes(), b.index().axes());
  }

  private long start(Array array, long batch) {
    return placement.offsetBytes(array.block())
        + array.index().offset().at(batch) * array.elementBytes();
  }

  private boolean sameStrides(List<Axis> a, List<Axis> b) {
    for (int i = 0; i < a.size(); i++) {
      Axis x = a.get(i);
      boolean single = x.extent().at(n) <= 1 && !x.isBlocked();
      boolean same =
          single
              ? x.extent().equals(b.get(i).extent()) && !b.get(i).isBlocked()
              : x.equals(b.get(i));
      if (!same) {
        return false;
      }
    }
    return true;
  }

  @SuppressWarnings("AnnotateFormatMethod") // its annotation would be a dependency
  VerificationException conflict(Step step, String text, Object... arguments) {
    return wrong("%s %s", label(step), text.formatted(arguments));
  }
}
