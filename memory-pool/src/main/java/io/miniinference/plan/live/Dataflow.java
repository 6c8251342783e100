package io.miniinference.plan.live;

import io.miniinference.plan.Array;
import io.miniinference.plan.Block;
import io.miniinference.plan.Body;
import io.miniinference.plan.Program;
import io.miniinference.plan.Step;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Which contents each array of a program stands for, and when each is used, over nested bodies:
/// last-use analysis (thesis ch. 6) by elements instead of by names.
///
/// A view step makes a name for what its operands hold: of operands that overlap, the later lies
/// over the earlier (a Concat's parts, an updated row over its matrix).
public final class Dataflow {
  private final Lifetimes lifetimes;
  private final BaseArrays wholes;
  private final boolean least;
  private final Map<Step, TimedStep> times = new IdentityHashMap<>();
  private final Map<Name, List<Leaf>> meanings = new HashMap<>();
  private final List<Open> open = new ArrayList<>();
  private final List<Definition> contents = new ArrayList<>();
  private final BitSet unnamed = new BitSet();

  /// What an array is called in its block.
  public record Name(int block, String name) {}

  /// A content, or the part of it at a place, less what other contents hide of it.
  public record Leaf(int content, Region place, List<Region> hidden) {}

  /* A content whose uses are still being found. */
  private record Open(
      Array array, Region place, @Nullable Step step, int tick, List<Definition.Use> uses) {}

  private Dataflow(Program program, Lifetimes lifetimes, BaseArrays wholes, boolean least) {
    this.lifetimes = lifetimes;
    this.wholes = wholes;
    this.least = least;
    lifetimes.steps().forEach(timed -> times.put(timed.step(), timed));
    Body body = program.body();
    write(body.parameters(), null, -1);
    body.steps().forEach(this::add);
    int end = lifetimes.ticks();
    use(body.results(), new Reader(end, end, null, null));
    for (Open each : open) {
      contents.add(closed(contents.size(), each));
    }
  }

  public static Dataflow of(Program program, Lifetimes lifetimes, BaseArrays wholes) {
    return new Dataflow(program, lifetimes, wholes, false);
  }

  /// With uses no longer than any plan must have them: what a body results in may be the result of
  /// its step, or the next state of its loop, at once, and an operand the first one.
  public static Dataflow least(Program program, Lifetimes lifetimes, BaseArrays wholes) {
    return new Dataflow(program, lifetimes, wholes, true);
  }

  /// All contents, by id.
  public List<Definition> contents() {
    return contents;
  }

  /// What an array stands for. An array that no step makes stands for nothing that is known.
  public List<Leaf> meaning(Array array) {
    return meanings.getOrDefault(name(array), List.of());
  }

  /// Whether everything that lies in the block and is read is known by a name that a step makes.
  public boolean isKnown(Block block) {
    return !unnamed.get(block.id());
  }

  public static Name name(Array array) {
    return new Name(array.block().id(), array.name());
  }

  private Definition closed(int id, Open each) {
    return Definition.of(id, each.array, each.place, each.step, each.tick, each.uses);
  }

  private void add(Step step) {
    if (Lifetimes.isView(step)) {
      step.writes().forEach(view -> view(step, view));
      return;
    }
    TimedStep timed = Objects.requireNonNull(times.get(step), "every step has its ticks");
    use(step.reads(), new Reader(timed.enter(), timed.enter(), step, null));
    int end = timed.enter();
    for (Body body : step.bodies()) {
      end += Lifetimes.ticks(body);
      write(body.parameters(), null, least ? timed.enter() + 1 : timed.enter());
      body.steps().forEach(this::add);
      handOn(timed, body, end);
    }
    write(step.writes(), step, timed.exit());
  }

  private void handOn(TimedStep timed, Body body, int end) {
    Definition.Use.Handing result = new Definition.Use.Handing(body, true);
    int until = least ? end : timed.exit();
    use(body.results(), new Reader(end, until, timed.step(), result));
    if (body.kind() == Body.Kind.LOOP && !least) {
      Definition.Use.Handing last = new Definition.Use.Handing(body, false);
      use(body.parameters(), new Reader(timed.exit(), timed.exit(), timed.step(), last));
    }
  }

  private void write(List<Array> arrays, @Nullable Step step, int tick) {
    for (Array array : arrays) {
      if (array.block().isPlanned()) {
        Region place = wholes.place(array);
        meanings.put(name(array), List.of(new Leaf(open.size(), place, List.of())));
        open.add(new Open(array, place, step, tick, new ArrayList<>()));
      }
    }
  }

  /* A view of a name that no step makes is such a name itself. */
  private void view(Step step, Array view) {
    boolean isKnown =
        step.reads().stream()
            .filter(read -> read.block().id() == view.block().id())
            .allMatch(read -> meanings.containsKey(name(read)));
    if (!isKnown) {
      return;
    }
    Region place = wholes.place(view);
    List<Leaf> leaves = new ArrayList<>();
    for (Array read : step.reads()) {
      if (read.block().id() == view.block().id()) {
        Region over = wholes.place(read);
        leaves.replaceAll(leaf -> hidden(leaf, over));
        leaves.removeIf(leaf -> leaf.place.isInside(over));
        meaning(read).forEach(leaf -> seen(leaf, place, leaves));
      }
    }
    meanings.put(name(view), List.copyOf(leaves));
  }

  private static Leaf hidden(Leaf leaf, Region over) {
    if (leaf.place.isApartFrom(over)) {
      return leaf;
    }
    List<Region> hidden = new ArrayList<>(leaf.hidden);
    hidden.add(over);
    return new Leaf(leaf.content, leaf.place, List.copyOf(hidden));
  }

  private static void seen(Leaf leaf, Region by, List<Leaf> leaves) {
    boolean unseen = leaf.place.isApartFrom(by) || leaf.hidden.stream().anyMatch(by::isInside);
    if (!unseen) {
      leaves.add(by.isInside(leaf.place) ? new Leaf(leaf.content, by, leaf.hidden) : leaf);
    }
  }

  /* Who reads arrays, and when. */
  private record Reader(
      int at, int until, @Nullable Step step, Definition.Use.@Nullable Handing handing) {}

  private void use(List<Array> arrays, Reader reader) {
    for (int i = 0; i < arrays.size(); i++) {
      if (arrays.get(i).block().isPlanned()) {
        use(arrays.get(i), i, reader);
      }
    }
  }

  private void use(Array array, int read, Reader reader) {
    List<Leaf> leaves = meanings.get(name(array));
    if (leaves == null) {
      unnamed.set(array.block().id());
      return;
    }
    for (Leaf leaf : leaves) {
      Open content = open.get(leaf.content);
      int until = until(content.tick, reader.until);
      content.uses.add(
          new Definition.Use(
              leaf.place,
              leaf.hidden,
              until > reader.until ? until : reader.at,
              until,
              reader.step,
              read,
              reader.handing));
    }
  }

  /// Until when a content must last that is written at one tick and used at another.
  public int until(int written, int used) {
    return lifetimes.endOfLoops(written, used);
  }
}
