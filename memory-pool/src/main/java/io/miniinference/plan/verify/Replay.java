package io.miniinference.plan.verify;

import io.miniinference.plan.Array;
import io.miniinference.plan.Block;
import io.miniinference.plan.Body;
import io.miniinference.plan.LoopBuffers;
import io.miniinference.plan.Program;
import io.miniinference.plan.Step;
import io.miniinference.plan.planner.Placement;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// One run of a program over its placed arrays at one batch size, in which bytes hold the names of
/// their writers instead of numbers.
///
/// Inside a block every cell is followed by itself. Blocks that share addresses are never used
/// together, so that a write to one of them ends all that the others held.
///
/// A branch starts from the state before its step, and the states after all branches are joined; a
/// loop is repeated until the state at its head no longer changes, which then holds for any number
/// of iterations.
final class Replay {
  private final Program program;
  private final ArenaMap territory;
  private final ReachingDefinitions meanings;
  private Set<Integer> hosts = Set.of();
  private final List<LoopBuffers.Window> windows = new ArrayList<>();
  private final Set<Integer> whole = new HashSet<>();
  private ByteOwners holdings;

  Replay(Program program, Inventory inventory, Placement placement, long n) {
    this.program = program;
    territory = new ArenaMap(program, inventory, placement, n);
    meanings =
        new ReachingDefinitions(
            program, inventory, territory::cells, a -> territory.isExact(a.block()));
    holdings = territory.nothing();
  }

  /// @param hosts blocks in which every element must be followed, since the plan has put there what
  ///   the program has elsewhere
  void run(Set<Integer> hosts) {
    territory.checkBlocks();
    territory.checkExact(hosts);
    this.hosts = hosts;
    Body body = program.body();
    write(-1, "the request", body.parameters());
    body.steps().forEach(this::run);
    read("the end of the program", body.results());
  }

  static String label(Step step) {
    return "step " + step.number() + " '" + step.name() + "' (" + step.op() + ")";
  }

  private void run(Step step) {
    if (step.kind() == Step.Kind.VIEW && isFree(step)) {
      step.writes().forEach(territory::span);
      return;
    }
    read(label(step), step.reads());
    takeScratch(step);
    if (step.bodies().isEmpty()) {
      new StepConflicts(territory, step).check();
      write(step.number(), label(step), step.writes());
      windows.stream()
          .filter(window -> window.isWholeAt(step))
          .forEach(window -> whole.add(window.block().id()));
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
      Owner owner = new Owner(Owner.Kind.SCRATCH, step.number(), block.name(), block.id());
      end(territory.span(block), block, owner);
      holdings.putAll(territory.rank(block), Set.of(owner));
    }
  }

  private void runBodies(Step step) {
    List<ByteOwners> ends = new ArrayList<>();
    ByteOwners before = holdings.copy();
    for (Body body : step.bodies()) {
      switch (body.kind()) {
        case ONCE -> {
          enter(step, body);
          runOnce(step, body);
        }
        case BRANCH -> {
          holdings = before.copy();
          enter(step, body);
          runOnce(step, body);
          move(step, body.results(), step.writes(), true);
          ends.add(holdings);
        }
        case LOOP -> {}
      }
    }
    if (step.bodies().getFirst().kind() == Body.Kind.LOOP) {
      runLoop(step);
    }
    if (ends.size() == 1 && step.writes().isEmpty()) {
      ends.add(before);
    }
    ends.stream().reduce(ByteOwners::join).ifPresent(joined -> holdings = joined);
    if (step.bodies().stream().allMatch(b -> b.kind() == Body.Kind.ONCE)) {
      write(step.number(), label(step), step.writes());
    }
    step.scratch().forEach(block -> checkScratchLeft(step, block));
  }

  /* Scratch of a step with bodies belongs to it until they have run. */
  private void checkScratchLeft(Step step, Block block) {
    for (Owner owner : holdings.owners(territory.rank(block), 0)) {
      if (owner.block() != block.id()) {
        throw territory.wrong(
            "%s has scratch '%s' at %s, but bytes there %s",
            label(step), block.name(), territory.span(block), owner);
      }
    }
  }

  /* The operands become the body's parameters. */
  private void enter(Step step, Body body) {
    move(step, step.reads(), body.parameters(), false);
  }

  private void runOnce(Step step, Body body) {
    body.steps().forEach(this::run);
    read("the end of body '" + body.name() + "' of " + label(step), body.results());
  }

  /* All bodies but the first take turns, or the one that there is follows itself. */
  private void runLoop(Step step) {
    List<Body> bodies = step.bodies();
    List<LoopBuffers.Window> rows = bodies.getFirst().motion().windows();
    rows.forEach(territory::checkWindow);
    windows.addAll(rows);
    List<ByteOwners> ends = new ArrayList<>();
    List<Body> turns = bodies.subList(Math.min(1, bodies.size() - 1), bodies.size());
    if (bodies.size() > 1 && bodies.getFirst().motion().fewest() == 0) {
      ByteOwners before = holdings.copy();
      ends.add(leave(step, step.reads(), before));
      holdings = before;
    }
    enter(step, bodies.getFirst());
    if (bodies.size() > 1) {
      runIteration(step, bodies.getFirst(), bodies.get(1));
    }
    List<ByteOwners> heads = repeat(step, turns);
    windows.subList(windows.size() - rows.size(), windows.size()).clear();
    for (int i = 0; i < turns.size(); i++) {
      ends.add(leave(step, turns.get(i).parameters(), heads.get(i)));
    }
    holdings = ends.stream().reduce(ByteOwners::join).orElseThrow();
  }

  /* Bodies by turns, until what is held at the head of the first no longer changes. What is then held
  at the head of each holds after any number of iterations. */
  private List<ByteOwners> repeat(Step step, List<Body> turns) {
    ByteOwners head = holdings.copy();
    while (true) {
      List<ByteOwners> heads = new ArrayList<>();
      for (int i = 0; i < turns.size(); i++) {
        heads.add(holdings.copy());
        runIteration(step, turns.get(i), turns.get((i + 1) % turns.size()));
      }
      ByteOwners next = head.join(holdings);
      if (next.sameAs(head)) {
        return heads;
      }
      holdings = next.copy();
      head = next;
    }
  }

  /* The loop ends, and what would be an iteration's parameters are its results. */
  private ByteOwners leave(Step step, List<Array> parameters, ByteOwners held) {
    holdings = held.copy();
    read(label(step), parameters);
    move(step, parameters, step.writes(), true);
    return holdings;
  }

  private void runIteration(Step step, Body body, Body next) {
    openWindows(body);
    runOnce(step, body);
    openWindows(body);
    move(step, body.results(), next.parameters(), true);
  }

  /* What lay in the row of an iteration is not found in that of the next. */
  private void openWindows(Body body) {
    for (LoopBuffers.Window window : body.motion().windows()) {
      holdings.putAll(territory.rank(window.block()), ByteOwners.UNWRITTEN);
      whole.remove(window.block().id());
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
        if (territory.overlap(target, source)
            && !(mayStay && territory.samePlace(target, source))) {
          throw territory.wrong(
              "%s moves '%s' at %s over '%s' at %s",
              label(step),
              target.name(),
              territory.span(target),
              source.name(),
              territory.span(source));
        }
      }
    }
    write(step.number(), label(step), to);
  }

  private void read(String who, List<Array> arrays) {
    for (Array array : arrays) {
      territory.span(array);
      if (array.block().isPlanned()) {
        read(who, array);
      }
    }
  }

  private void read(String who, Array array) {
    List<ReachingDefinitions.Part> parts = meanings.of(array);
    BitSet cells = territory.cells(array);
    BitSet known = new BitSet();
    for (ReachingDefinitions.Part part :
        parts == null ? List.<ReachingDefinitions.Part>of() : parts) {
      part.cells().stream().forEach(cell -> check(who, array, cell, part.value()));
      known.or(part.cells());
    }
    if (parts == null && hosts.contains(array.block().id())) {
      throw territory.wrong(
          "%s reads '%s', which no step makes, in a block that others were moved to",
          who, array.name());
    } else if (parts == null) {
      cells.stream().forEach(cell -> check(who, array, cell, null));
    } else if (!known.equals(cells)) {
      throw territory.wrong(
          "%s reads '%s' at %s, of which no step makes a part",
          who, array.name(), territory.span(array));
    }
  }

  private void check(String who, Array array, int cell, @Nullable String value) {
    Block block = array.block();
    Set<Owner> owners = holdings.owners(territory.rank(block), cell);
    boolean exact = territory.isExact(block);
    boolean found = false;
    for (Owner owner : owners) {
      boolean mine = owner.kind() == Owner.Kind.VALUE && owner.block() == block.id();
      boolean right = mine && (value == null || owner.value().equals(value));
      found |= right;
      boolean other = !exact && (mine || owner.equals(Owner.NOBODY));
      if (!right && !other) {
        throw wrong(who, array, owner);
      }
    }
    if (!found) {
      throw wrong(who, array, owners.iterator().next());
    }
  }

  private VerificationException wrong(String who, Array array, Owner owner) {
    return territory.wrong(
        "%s reads '%s' at %s, but bytes there %s", who, array.name(), territory.span(array), owner);
  }

  private void write(int step, String who, List<Array> arrays) {
    for (Array array : arrays) {
      if (!array.block().isPlanned()) {
        throw territory.wrong("%s writes '%s' into weights", who, array.name());
      }
      if (territory.mayRepeat(array)) {
        throw territory.wrong(
            "%s writes '%s' at %s, where not each index is an element of its own",
            who, array.name(), territory.span(array));
      }
      if (whole.contains(array.block().id())) {
        throw territory.wrong(
            "%s writes '%s' into '%s', which is one of the rows already",
            who, array.name(), array.block().name());
      }
      write(new Owner(Owner.Kind.VALUE, step, array.name(), array.block().id()), array);
    }
  }

  private void write(Owner owner, Array array) {
    Block block = array.block();
    end(territory.span(array), block, owner);
    int rank = territory.rank(block);
    Set<Owner> owners = Set.of(owner);
    boolean exact = territory.isExact(block);
    territory.cells(array).stream()
        .forEach(cell ->
            holdings.put(rank, cell, exact ? owners : ByteOwners.union(mine(block, cell), owners)));
  }

  /* What the block still holds of its own, where not every element is followed. */
  private Set<Owner> mine(Block block, int cell) {
    Set<Owner> owners = holdings.owners(territory.rank(block), cell);
    boolean all = owners.stream().allMatch(o -> o.block() == block.id() || o.equals(Owner.NOBODY));
    return all ? owners : ByteOwners.UNWRITTEN;
  }

  /* What other blocks held in the bytes that are written is lost. */
  private void end(Span written, Block block, Owner owner) {
    BitSet met = territory.in(written, holdings.live());
    met.clear(territory.rank(block));
    met.stream().forEach(other -> holdings.end(other, Set.of(owner)));
  }
}
