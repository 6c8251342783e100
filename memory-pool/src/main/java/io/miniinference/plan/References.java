package io.miniinference.plan;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Initial values of loops that no merge brings to where the loop's state lies, and that the first
/// iteration may read where they are ([Motion.Pointer]), so that nobody copies them.
///
/// That is safe if nothing is written over such a value until the loop has read its parameter for
/// the last time in an iteration, and if every step that reads the parameter, or a view of it, can
/// do so wherever it starts.
final class References {
  private final Sharing sharing;
  private final Lifetimes lifetimes;
  private final boolean longer;
  private final Map<Integer, Integer> until = new HashMap<>();
  private final Map<Dataflow.Name, Block> pointers = new HashMap<>();
  private final Map<Body, List<Found>> found = new IdentityHashMap<>();
  private final Set<Integer> elided = new HashSet<>();
  private final List<Block> blocks = new ArrayList<>();

  /* A state of a loop, the copy that brings its initial value there, and its pointer. */
  private record Found(State state, Block pointer) {}

  private record State(TimedStep loop, Body body, int number, TimedStep copy) {
    Array start() {
      return loop.step().reads().get(number);
    }

    Array parameter() {
      return body.parameters().get(number);
    }

    Array next() {
      return body.results().get(number);
    }

    Array initial() {
      return copy.step().reads().getFirst();
    }
  }

  private References(Sharing sharing, Lifetimes lifetimes, boolean longer) {
    this.sharing = sharing;
    this.lifetimes = lifetimes;
    this.longer = longer;
  }

  /// None.
  static References none(Sharing sharing, Lifetimes lifetimes) {
    return new References(sharing, lifetimes, false);
  }

  /// Those of a program whose merges are decided, of inner loops first: what an inner loop reads of
  /// an outer one's parameter is read of the outer one's initial value, too.
  ///
  /// @param longer also those that keep memory for longer than it is needed otherwise
  static References of(Sharing sharing, Lifetimes lifetimes, boolean longer) {
    References references = new References(sharing, lifetimes, longer);
    Map<Dataflow.Name, TimedStep> copies = new HashMap<>();
    for (TimedStep timed : lifetimes.steps()) {
      if (Candidate.isMove(timed.step()) && !sharing.isElided(timed.step())) {
        copies.put(Dataflow.name(timed.step().writes().getFirst()), timed);
      }
    }
    lifetimes.steps().reversed().forEach(timed -> references.add(timed, copies));
    return references;
  }

  private void add(TimedStep loop, Map<Dataflow.Name, TimedStep> copies) {
    for (Body body : loop.step().bodies()) {
      for (int i = 0; i < body.parameters().size() && body.motion().fewest() > 0; i++) {
        TimedStep copy = copies.get(Dataflow.name(loop.step().reads().get(i)));
        if (copy != null) {
          add(new State(loop, body, i, copy));
        }
      }
    }
  }

  private void add(State state) {
    Optional<Integer> last = lastRead(state);
    if (last.isEmpty()
        || !isTraced(state)
        || isOverwritten(state, last.get())
        || !(longer || isLive(state, last.get()))) {
      return;
    }
    Array parameter = state.parameter();
    Block pointer =
        new Block(
            sharing.program().blocks().size() + blocks.size(),
            parameter.name(),
            parameter.index().denseElements().times(parameter.elementBytes()),
            Block.Space.MOVING);
    Map<Dataflow.Name, Block> with = new HashMap<>(pointers);
    with.put(Dataflow.name(state.start()), pointer);
    with.put(Dataflow.name(parameter), pointer);
    if (isReachable(state, new Moved(sharing, with))) {
      pointers.putAll(with);
      blocks.add(pointer);
      elided.add(state.copy.step().number());
      found.computeIfAbsent(state.body, _ -> new ArrayList<>()).add(new Found(state, pointer));
      sharing.dataflow().meaning(state.initial()).stream()
          .forEach(leaf -> until.merge(leaf.content(), last.get(), Math::max));
    }
  }

  private boolean isTraced(State state) {
    return sharing.isTraced(state.initial().block())
        && sharing.isTraced(state.parameter().block())
        && !sharing.place(state.initial()).spread()
        && !state.next().name().equals(state.parameter().name());
  }

  /* The last tick at which an iteration reads its parameter; nothing where the parameter itself is
  what it hands on. */
  private Optional<Integer> lastRead(State state) {
    int last = state.loop.enter();
    for (Content content : sharing.dataflow().contents()) {
      if (content.array() == state.parameter() && content.first() == state.loop.enter()) {
        last = Math.max(last, until.getOrDefault(content.id(), last));
        for (Content.Use use : content.uses()) {
          Content.Use.Handing handing = use.handing();
          if (handing == null || handing.body() != state.body) {
            last = Math.max(last, use.tick());
          } else if (handing.isResult()) {
            return Optional.empty();
          }
        }
      }
    }
    return Optional.of(last);
  }

  /* Whether something comes to lie over the initial value too early. */
  private boolean isOverwritten(State state, int last) {
    Place place = sharing.place(state.initial());
    return sharing.contents(sharing.host(state.initial())).stream()
        .anyMatch(content ->
            state.copy.exit() < content.first()
                && content.first() <= last
                && !content.place().isApartFrom(place));
  }

  /* Whether the memory of the initial value is needed that long anyway. */
  private boolean isLive(State state, int tick) {
    return sharing.guests(sharing.host(state.initial())).stream()
        .map(lifetimes::range)
        .anyMatch(range -> range != null && tick <= range.last());
  }

  private boolean isReachable(State state, Moved moved) {
    Optional<Array> initial = moved.array(state.initial());
    Optional<Array> next = moved.array(state.next());
    Optional<Array> start = moved.array(state.start());
    return initial.isPresent()
        && next.isPresent()
        && start.isPresent()
        && isReachable(initial.get(), start.get())
        && isReachable(next.get(), start.get())
        && sharing.steps(state.parameter().block().id()).stream()
            .allMatch(step -> step == state.copy.step() || isReachable(step, moved));
  }

  private static boolean isReachable(Array array, Array start) {
    return array.elementBytes() == start.elementBytes()
        && array.index().fromStart().equivalent(start.index())
        && array.offsetBytes().isMultipleOf(Motion.VECTOR_BYTES);
  }

  /* A view, or a copy that is one now, stays with what it is a view of. */
  private boolean isReachable(Step step, Moved moved) {
    Optional<Step> there = moved.step(step);
    boolean isView = step.kind() == Step.Kind.VIEW || sharing.isElided(step);
    return there.isPresent()
        && (isView
            ? isTogether(there.get())
            : sharing.program().kernels().canRun(step, there.get()));
  }

  private static boolean isTogether(Step view) {
    Set<Integer> blocks = new HashSet<>();
    view.reads().stream()
        .filter(a -> a.block().isPlanned())
        .forEach(a -> blocks.add(a.block().id()));
    view.writes().forEach(a -> blocks.add(a.block().id()));
    return blocks.size() == 1 || view.reads().stream().noneMatch(a -> a.block().isMoving());
  }

  /// Whether the copy is not made any more.
  boolean isElided(Step copy) {
    return elided.contains(copy.number());
  }

  /// The arrays of the program with all that merges and pointers have moved.
  Moved moved() {
    return new Moved(sharing, pointers);
  }

  /// The blocks of the pointers.
  List<Block> blocks() {
    return blocks;
  }

  /// The pointers of a loop's body, by parameter.
  List<Motion.Pointer> pointers(Body body) {
    Moved moved = moved();
    return found.getOrDefault(body, List.of()).stream()
        .sorted(Comparator.comparingInt(f -> f.state.number))
        .map(f ->
            new Motion.Pointer(
                f.pointer,
                moved.array(f.state.initial()).orElseThrow(),
                moved.array(f.state.next()).orElseThrow()))
        .toList();
  }
}
