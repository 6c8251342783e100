package io.miniinference.plan.coalesce;

import io.miniinference.plan.Array;
import io.miniinference.plan.Condition;
import io.miniinference.plan.LoopBuffers;
import io.miniinference.plan.Step;
import io.miniinference.plan.live.Definition;
import io.miniinference.plan.live.Region;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// One attempt to make the two arrays of a candidate the same memory. It changes nothing.
///
/// One of the two blocks becomes a part of the other. A copy's source goes into its destination, if
/// it fits there, or else the destination goes into the source (a Concat that is a part of a later,
/// larger one); what works in place goes the other way first, and so does a block of many steps
/// whose other block has few, since each step of what moves is looked at. All copies that then move
/// something to where it is already are dropped with it.
public final class Merger {
  /// Uses by steps of a block that moves wherever the candidate has it move.
  private static final int FEW_USES = 64;

  private static final Set<Condition> CLASHES =
      EnumSet.of(Condition.SC1, Condition.SC2, Condition.SC3, Condition.IF);

  private final AliasState sharing;
  private final Candidate candidate;
  private final Effort effort;
  private final Safety safety;

  private Merger(AliasState sharing, Candidate candidate, Effort effort, Set<Condition> ignored) {
    this.sharing = sharing;
    this.candidate = candidate;
    this.effort = effort;
    this.safety = new Safety(candidate, sharing.branches(), ignored);
  }

  /// What came of it: a merge that may be made, or else what forbids it.
  public record Attempt(@Nullable Merged merged, @Nullable Condition obstacle) {}

  /// A merge that may be made.
  ///
  /// @param guest what becomes a part of the host; the host itself where both were there already
  /// @param place where in the host
  /// @param contents all that then lies in the host
  /// @param elided copies that are not made any more
  record Merged(
      int host, int guest, Region place, List<Definition> contents, List<Candidate> elided) {}

  /// @param effort pays for what the attempt looks at beside contents
  public static Attempt attempt(
      AliasState sharing, Candidate candidate, Effort effort, Set<Condition> ignored) {
    return new Merger(sharing, candidate, effort, ignored).attempt();
  }

  private Attempt attempt() {
    Optional<Condition> obstacle = safety.ofArrays(sharing);
    if (obstacle.isPresent()) {
      return new Attempt(null, obstacle.get());
    }
    int source = sharing.host(candidate.source());
    int destination = sharing.host(candidate.destination());
    Region from = sharing.place(candidate.source()).exact();
    Region to = sharing.place(candidate.destination()).exact();
    if (source == destination) {
      return from.equals(to)
          ? evaluated(source, source, Region.whole(from.base()))
          : new Attempt(null, Condition.INDEX);
    }
    Way there = new Way(sharing.uses(source), () -> moved(source, from, destination, to));
    Way back = new Way(sharing.uses(destination), () -> moved(destination, to, source, from));
    return attempt(there, back, goesThere(there.uses, back.uses));
  }

  /* One of two ways to make the merge.
  `uses`: of what it moves. */
  private record Way(int uses, Supplier<Optional<Attempt>> attempt) {}

  /* Whether the source goes into the destination first. */
  private boolean goesThere(int source, int destination) {
    int preferred = candidate.isCopy() ? source : destination;
    boolean isTurned = preferred > FEW_USES && preferred > Math.min(source, destination);
    return candidate.isCopy() != isTurned;
  }

  /* The second way is only looked at where the first is barred, since it may move a block in which
  very much lies; and then not where it is barred by what both ways have in common. */
  private static Attempt attempt(Way there, Way back, boolean thereFirst) {
    Optional<Attempt> first = (thereFirst ? there : back).attempt.get();
    Way other = thereFirst ? back : there;
    if (isMade(first) || (other.uses > FEW_USES && isClash(first))) {
      return first.get();
    }
    Optional<Attempt> second = other.attempt.get();
    if (isMade(second)) {
      return second.get();
    }
    Optional<Attempt> intoDestination = thereFirst ? first : second;
    return intoDestination
        .or(() -> thereFirst ? second : first)
        .orElse(new Attempt(null, Condition.SC4));
  }

  /* Of contents, whose places beside each other are those of the other way. */
  private static boolean isClash(Optional<Attempt> attempt) {
    return attempt.map(a -> a.obstacle).filter(CLASHES::contains).isPresent();
  }

  /* `guest` moved into `host` so that what is at `from` comes to `to`. */
  private Optional<Attempt> moved(int guest, Region from, int host, Region to) {
    return sharing.isMovable(guest)
        ? from.wholeFor(to).filter(safety::isWhole).map(at -> evaluated(host, guest, at))
        : Optional.empty();
  }

  private static boolean isMade(Optional<Attempt> attempt) {
    return attempt.map(a -> a.merged != null).orElse(false);
  }

  private Attempt evaluated(int host, int guest, Region at) {
    Moved moved = new Moved(sharing, guest, host, at);
    List<Candidate> elided = elided(host, guest, moved);
    Left left = left(host, guest, at).without(elided, sharing, moved);
    List<Definition> mine = left.mine;
    List<Definition> theirs = left.theirs;
    boolean guestIsSource = guest == sharing.host(candidate.source());
    Interferences clashes = new Interferences(moved, sharing.branches());
    Optional<Condition> obstacle =
        safety
            .ofIteration(sharing.windows().holds(host, mine))
            .or(() -> takesValues(host) ? Optional.empty() : safety.layout())
            .or(() -> clash(mine, theirs, guestIsSource, clashes))
            .or(() -> extendedClash(mine, theirs, left.extended, clashes))
            .or(() -> host == guest ? Optional.empty() : unreachable(guest, moved));
    return obstacle.isPresent()
        ? new Attempt(null, obstacle.get())
        : new Attempt(new Merged(host, guest, at, left.all(), elided), null);
  }

  private Left left(int host, int guest, Region at) {
    List<Definition> coming = host == guest ? List.of() : sharing.contents(guest);
    effort.spendOnMoving(coming);
    List<Definition> mine = coming.stream().map(c -> c.in(at)).toList();
    return new Left(mine, sharing.contents(host), Set.of());
  }

  /* What lies in the host after a merge: what came with the guest, and what was there.
  `extended`: ids of contents with further uses since copies of them are dropped. */
  private record Left(List<Definition> mine, List<Definition> theirs, Set<Integer> extended) {
    List<Definition> all() {
      List<Definition> all = new ArrayList<>(mine.size() + theirs.size());
      all.addAll(theirs);
      all.addAll(mine);
      return all;
    }

    Left without(List<Candidate> copies, AliasState sharing, Moved moved) {
      if (copies.isEmpty()) {
        return this;
      }
      Elision elision = new Elision(sharing, moved, all());
      Set<Integer> more = elision.drop(copies);
      Set<Integer> guests = new HashSet<>();
      mine.forEach(content -> guests.add(content.id()));
      List<Definition> came = new ArrayList<>();
      List<Definition> stayed = new ArrayList<>();
      elision.contents().forEach(c -> (guests.contains(c.id()) ? came : stayed).add(c));
      return new Left(came, stayed, more);
    }
  }

  /* Copies whose two ends would be one place. */
  private List<Candidate> elided(int host, int guest, Moved moved) {
    Map<Integer, Candidate> found = new HashMap<>();
    for (Candidate copy : near(host, guest)) {
      if (!sharing.isElided(copy.step()) && coincides(copy, moved)) {
        found.put(copy.step().number(), copy);
      }
    }
    return List.copyOf(found.values());
  }

  /* Copies between the two; inside one of them nothing comes together that was not. */
  private List<Candidate> near(int host, int guest) {
    List<Candidate> theirs = sharing.copies(host);
    List<Candidate> mine = sharing.copies(guest);
    List<Candidate> fewer = mine.size() < theirs.size() ? mine : theirs;
    return host == guest
        ? theirs
        : fewer.stream()
            .filter(c -> sharing.host(c.source()) != sharing.host(c.destination()))
            .filter(c -> isOneOf(sharing.host(c.source()), host, guest))
            .filter(c -> isOneOf(sharing.host(c.destination()), host, guest))
            .toList();
  }

  private static boolean isOneOf(int block, int host, int guest) {
    return block == host || block == guest;
  }

  private boolean coincides(Candidate copy, Moved moved) {
    Optional<Array> source = moved.array(copy.source());
    Optional<Array> destination = moved.array(copy.destination());
    return source.isPresent()
        && destination.isPresent()
        && source.get().block().id() == destination.get().block().id()
        && source.get().elementBytes() == destination.get().elementBytes()
        && safety.isKnown(moved.place(copy.destination()))
        && (moved.samePlace(copy.source(), copy.destination())
            || moved.place(copy.source()).equals(moved.place(copy.destination()).exact()));
  }

  private Optional<Condition> clash(
      List<Definition> mine,
      List<Definition> theirs,
      boolean guestIsSource,
      Interferences clashes) {
    int made = made(guestIsSource ? theirs : mine);
    for (Definition content : mine) {
      Optional<Condition> obstacle =
          clashes.first(
              content,
              theirs,
              clash -> safety.of(clash, isOf(clash.later(), content) == guestIsSource, made));
      if (obstacle.isPresent()) {
        return obstacle;
      }
    }
    return Optional.empty();
  }

  private static boolean isOf(Definition one, Definition other) {
    return one.id() == other.id();
  }

  private static int made(List<Definition> contents) {
    return contents.stream().mapToInt(Definition::first).min().orElse(-1);
  }

  /* What a dropped copy's source is now needed for may clash with what lies beside it already. */
  private Optional<Condition> extendedClash(
      List<Definition> mine,
      List<Definition> theirs,
      Set<Integer> extended,
      Interferences clashes) {
    for (List<Definition> side : List.of(mine, theirs)) {
      for (Definition content : side) {
        if (extended.contains(content.id())) {
          Optional<Condition> obstacle =
              clashes.first(content, side, clash -> safety.of(clash, true, -1));
          if (obstacle.isPresent()) {
            return obstacle;
          }
        }
      }
    }
    return Optional.empty();
  }

  /* Whether all steps can still run, and inputs and outputs still be brought and taken. */
  private Optional<Condition> unreachable(int guest, Moved moved) {
    effort.spendOnSteps(sharing.uses(guest));
    for (int block : sharing.guests(guest)) {
      if (!sharing.windows().through(block).stream().allMatch(w -> isReached(w, moved))) {
        return safety.layout();
      }
      for (Step step : sharing.steps(block)) {
        Optional<Step> there = moved.step(step);
        if (there.isEmpty()) {
          return Optional.of(Condition.LAYOUT);
        }
        if (!sharing.program().kernels().canRun(step, there.get())) {
          return safety.layout();
        }
      }
    }
    return order(moved).or(() -> transfers(guest, moved));
  }

  /* Rows follow each other without gaps, from where kernels may read vectors. */
  private boolean isReached(LoopBuffers.Window window, Moved moved) {
    int vectorBytes = sharing.program().kernels().vectorBytes();
    return moved.array(window.rows()).filter(r -> window.isReached(r, vectorBytes)).isPresent();
  }

  private boolean takesValues(int host) {
    return sharing.windows().takesValues(host, sharing.program().kernels().vectorBytes());
  }

  private Optional<Condition> order(Moved moved) {
    return order(candidate.destination(), moved).or(() -> order(candidate.source(), moved));
  }

  private Optional<Condition> order(Array array, Moved moved) {
    return moved.array(array).flatMap(after -> safety.ofOrder(array.index(), after.index()));
  }

  private Optional<Condition> transfers(int guest, Moved moved) {
    for (Array end :
        sharing.guests(guest).stream().flatMap(b -> sharing.ends(b).stream()).toList()) {
      if (!moved.array(end).map(sharing.program().kernels()::canTransfer).orElse(false)) {
        return safety.layout();
      }
    }
    return Optional.empty();
  }
}
