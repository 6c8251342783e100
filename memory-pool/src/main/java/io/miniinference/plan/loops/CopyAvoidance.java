package io.miniinference.plan.loops;

import io.miniinference.layout.Affine;
import io.miniinference.plan.Array;
import io.miniinference.plan.Block;
import io.miniinference.plan.Body;
import io.miniinference.plan.LoopBuffers;
import io.miniinference.plan.Step;
import io.miniinference.plan.coalesce.AliasState;
import io.miniinference.plan.coalesce.Candidate;
import io.miniinference.plan.coalesce.Moved;
import io.miniinference.plan.live.BlockNames;
import io.miniinference.plan.live.Dataflow;
import io.miniinference.plan.live.Definition;
import io.miniinference.plan.live.Lifetimes;
import io.miniinference.plan.live.LiveRange;
import io.miniinference.plan.live.Region;
import io.miniinference.plan.live.TimedStep;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Values of loops that no merge brings to where the loop's state lies, and that need no copy all
/// the same: initial ones that the first iteration may read where they are ([LoopBuffers.Pointer]),
/// and those that iterations hand on, for which two places take turns ([LoopBuffers.Alternation]).
///
/// That is safe if nothing is written over such a value until the loop has read its parameter for
/// the last time in an iteration, and if every step that reads the parameter, or a view of it, can
/// do so wherever it starts.
public final class CopyAvoidance {
  private final AliasState sharing;
  private final Lifetimes lifetimes;
  private final Reach reach;
  private final Map<Integer, Integer> until = new HashMap<>();
  private final Map<Dataflow.Name, Moved.Base> pointers = new HashMap<>();
  private final Map<Body, List<Found>> found = new IdentityHashMap<>();
  private final Map<Body, List<LoopBuffers.Alternation>> turns = new IdentityHashMap<>();
  private final BlockNames names;
  private final Set<Integer> elided = new HashSet<>();
  private final List<Block> blocks = new ArrayList<>();

  /* A state of a loop, the copy that brings its initial value there, and its pointer. */
  private record Found(State state, Block pointer, Array initial) {}

  /// Which copies are to be left out.
  public enum Reach {
    /// All that may be.
    ALL,
    /// Of initial values, also where that keeps memory for longer than it is needed otherwise.
    INITIAL,
    /// Of initial values whose memory is needed as long anyway.
    SHORT
  }

  private record State(TimedStep loop, Body body, int number, @Nullable TimedStep copy) {
    Array start() {
      return loop.step().reads().get(number);
    }

    Array parameter() {
      return body.parameters().get(number);
    }

    Array next() {
      return body.results().get(number);
    }

    TimedStep brought() {
      return Objects.requireNonNull(copy, "the initial value is copied");
    }

    Array initial() {
      return brought().step().reads().getFirst();
    }
  }

  private CopyAvoidance(AliasState sharing, Lifetimes lifetimes, Reach reach) {
    this.sharing = sharing;
    this.lifetimes = lifetimes;
    this.reach = reach;
    names = BlockNames.of(sharing.program());
  }

  /// None.
  public static CopyAvoidance none(AliasState sharing, Lifetimes lifetimes) {
    return new CopyAvoidance(sharing, lifetimes, Reach.SHORT);
  }

  /// Those of a program whose merges are decided, of inner loops first: what an inner loop reads of
  /// an outer one's parameter is read of the outer one's initial value, too.
  public static CopyAvoidance of(AliasState sharing, Lifetimes lifetimes, Reach reach) {
    CopyAvoidance references = new CopyAvoidance(sharing, lifetimes, reach);
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
      for (int i = 0; i < body.parameters().size(); i++) {
        TimedStep copy = copies.get(Dataflow.name(loop.step().reads().get(i)));
        TimedStep carry = copies.get(Dataflow.name(body.results().get(i)));
        State state = new State(loop, body, i, copy);
        boolean alternates = reach == Reach.ALL && carry != null && alternate(state, carry);
        if (!alternates && copy != null && body.motion().fewest() > 0) {
          add(state);
        }
      }
    }
  }

  private void add(State state) {
    if (!isPointable(state)) {
      return;
    }
    Block pointer = moving(state.parameter(), 0);
    Map<Dataflow.Name, Moved.Base> with = new HashMap<>(pointers);
    Moved.Base base = new Moved.Base(pointer, there(state.parameter()).index().offset());
    with.put(Dataflow.name(state.start()), base);
    with.put(Dataflow.name(state.parameter()), base);
    Reachable reachable = new Reachable(sharing, new Moved(sharing, with));
    if (isReachable(state, reachable)
        && reachable.byStepsAt(state.parameter().block().id(), state.copy)) {
      pointers.putAll(with);
      blocks.add(pointer);
      point(state, pointer);
    }
  }

  /* Whether the first iteration may read the initial value where it lies, rather than a copy. */
  private boolean isPointable(State state) {
    Optional<Integer> last = lastRead(state);
    return last.isPresent()
        && isTraced(state)
        && !isOverwritten(state, last.get())
        && (reach != Reach.SHORT || isLive(state, last.get()));
  }

  private void point(State state, Block pointer) {
    int last = lastRead(state).orElseThrow();
    elided.add(state.brought().step().number());
    found
        .computeIfAbsent(state.body, _ -> new ArrayList<>())
        .add(new Found(state, pointer, state.initial()));
    sharing.dataflow().meaning(state.initial()).stream()
        .forEach(leaf -> until.merge(leaf.content(), last, Math::max));
  }

  private Block moving(Array array, int further) {
    return new Block(
        sharing.program().blocks().size() + blocks.size() + further,
        array.name(),
        array.index().denseElements().times(array.elementBytes()),
        Block.Space.MOVING);
  }

  /* The array in the block that it has become a part of. */
  private Array there(Array array) {
    return new Moved(sharing).array(array).orElse(array);
  }

  /* What an iteration hands on, as it would take turns with the state.

  `second`: the block that is the other place; `even`, `odd`: what is handed on, in each;
  `own`, `handed`: what moves, with the parameter and with what is handed on; `pointed`: whether the
  first iteration reads the initial value where it lies. */
  private record Turn(
      State state,
      TimedStep carry,
      int second,
      Array even,
      Array odd,
      Block own,
      Block handed,
      boolean pointed) {
    Array target() {
      return carry.step().writes().getFirst();
    }
  }

  /* What the body makes for its next iteration, in a block that lives in one iteration only, and the
  state take turns, if nothing else lies in the state's place meanwhile. */
  private boolean alternate(State state, TimedStep carry) {
    Array made = carry.step().reads().getFirst();
    Array target = carry.step().writes().getFirst();
    int second = sharing.host(made);
    if (!isForOneIteration(second, state) || !isFree(state, target) || lastRead(state).isEmpty()) {
      return false;
    }
    boolean pointed = state.copy != null && state.body.motion().fewest() > 0 && isPointable(state);
    Turn turn =
        new Turn(
            state,
            carry,
            second,
            there(made),
            there(target),
            moving(state.parameter(), 0),
            moving(made, 1),
            pointed);
    Map<Dataflow.Name, Moved.Base> with = moved(turn);
    Reachable reachable = new Reachable(sharing, new Moved(sharing, with));
    boolean reaches = isEqual(turn, reachable) && isReachable(turn, reachable);
    if (reaches) {
      pointers.putAll(with);
      make(turn);
    }
    return reaches;
  }

  private Map<Dataflow.Name, Moved.Base> moved(Turn turn) {
    Moved.Base own = new Moved.Base(turn.own, turn.odd.index().offset());
    Map<Dataflow.Name, Moved.Base> with = new HashMap<>(pointers);
    with.put(Dataflow.name(turn.state.parameter()), own);
    with.put(Dataflow.name(turn.target()), new Moved.Base(turn.handed, turn.odd.index().offset()));
    names
        .ofAll(sharing.guests(turn.second))
        .forEach(name -> with.put(name, new Moved.Base(turn.handed, Affine.ZERO)));
    if (turn.pointed) {
      with.put(Dataflow.name(turn.state.start()), own);
    }
    return with;
  }

  /* Whether each place holds what the other does, from its first byte on. */
  private boolean isEqual(Turn turn, Reachable reachable) {
    return turn.handed.sizeBytes().equals(sharing.program().blocks().get(turn.second).sizeBytes())
        && turn.even.index().offset().isZero()
        && reachable.isAlike(turn.even, turn.odd)
        && reachable.isAlike(turn.odd, turn.even)
        && (!turn.pointed || reachable.isAlike(there(turn.state.initial()), turn.odd));
  }

  private boolean isReachable(Turn turn, Reachable reachable) {
    return sharing.guests(turn.second).stream().allMatch(g -> reachable.byStepsAt(g, turn.carry))
        && reachable.byStepsAt(turn.state.parameter().block().id(), turn.carry, turn.state.copy)
        && reachable.isCopied(turn.carry, turn.odd);
  }

  private void make(Turn turn) {
    blocks.add(turn.own);
    blocks.add(turn.handed);
    int copy = turn.carry.step().number();
    elided.add(copy);
    turns
        .computeIfAbsent(turn.state.body, _ -> new ArrayList<>())
        .add(new LoopBuffers.Alternation(turn.handed, turn.even, turn.odd, copy));
    if (turn.pointed) {
      point(turn.state, turn.own);
    } else {
      found
          .computeIfAbsent(turn.state.body, _ -> new ArrayList<>())
          .add(new Found(turn.state, turn.own, turn.state.start()));
    }
  }

  /* Whether all that lies in a block is made and used up in one iteration, and can be moved. */
  private boolean isForOneIteration(int host, State state) {
    TimedStep loop = state.loop;
    return host != sharing.host(state.parameter())
        && sharing.isMovable(host)
        && names.ofAll(sharing.guests(host)).stream().noneMatch(pointers::containsKey)
        && sharing.guests(host).stream()
            .allMatch(g ->
                sharing.isTraced(sharing.program().blocks().get(g))
                    && sharing.windows().through(g).isEmpty())
        && sharing.contents(host).stream()
            .map(c -> new LiveRange(c.first(), c.last()))
            .allMatch(range -> range.strictlyInside(loop.enter(), loop.exit()));
  }

  /* Whether in the loop nothing but the state lies in its place. */
  private boolean isFree(State state, Array target) {
    Block block = state.parameter().block();
    Region place = sharing.place(state.parameter());
    Set<Dataflow.Name> own = new HashSet<>();
    List.of(state.parameter(), state.start(), target, state.loop.step().writes().get(state.number))
        .forEach(array -> own.add(Dataflow.name(array)));
    return target.block().equals(block)
        && state.start().block().equals(block)
        && sharing.isTraced(block)
        && !block.isMoving()
        && !place.spread()
        && own.equals(names.of(block.id()))
        && own.stream().noneMatch(pointers::containsKey)
        && sharing.contents(sharing.host(block.id())).stream()
            .filter(content -> content.array().block().id() != block.id())
            .filter(content -> !content.place().isApartFrom(place))
            .allMatch(content ->
                content.last() <= state.loop.enter() || content.first() >= state.loop.exit());
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
    for (Definition content : sharing.dataflow().contents()) {
      if (content.array() == state.parameter() && content.first() == state.loop.enter()) {
        last = Math.max(last, until.getOrDefault(content.id(), last));
        for (Definition.Use use : content.uses()) {
          Definition.Use.Handing handing = use.handing();
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
    Region place = sharing.place(state.initial());
    return sharing.contents(sharing.host(state.initial())).stream()
        .anyMatch(content ->
            state.brought().exit() < content.first()
                && content.first() <= last
                && !content.place().isApartFrom(place));
  }

  /* Whether the memory of the initial value is needed that long anyway. */
  private boolean isLive(State state, int tick) {
    return sharing.guests(sharing.host(state.initial())).stream()
        .map(lifetimes::range)
        .anyMatch(range -> range != null && tick <= range.last());
  }

  private boolean isReachable(State state, Reachable reachable) {
    Optional<Array> initial = reachable.moved().array(state.initial());
    Optional<Array> next = reachable.moved().array(state.next());
    Optional<Array> start = reachable.moved().array(state.start());
    return initial.isPresent()
        && next.isPresent()
        && start.isPresent()
        && reachable.isAlike(initial.get(), start.get())
        && reachable.isAlike(next.get(), start.get());
  }

  /// Whether the copy is not made any more.
  public boolean isElided(Step copy) {
    return elided.contains(copy.number());
  }

  /// The arrays of the program with all that merges and pointers have moved.
  public Moved moved() {
    return new Moved(sharing, pointers);
  }

  /// The blocks of the pointers.
  public List<Block> blocks() {
    return blocks;
  }

  /// The pointers of a loop's body, by parameter.
  public List<LoopBuffers.Pointer> pointers(Body body) {
    Moved moved = moved();
    return found.getOrDefault(body, List.of()).stream()
        .sorted(Comparator.comparingInt(f -> f.state.number))
        .map(f ->
            new LoopBuffers.Pointer(
                f.pointer,
                moved.array(f.initial).orElseThrow(),
                moved.array(f.state.next()).orElseThrow()))
        .toList();
  }

  /// What takes turns in a loop's body.
  public List<LoopBuffers.Alternation> alternations(Body body) {
    return turns.getOrDefault(body, List.of());
  }
}
