package io.miniinference.plan.verify;

import io.miniinference.layout.IndexFunction;
import io.miniinference.plan.Array;
import io.miniinference.plan.Block;
import io.miniinference.plan.Body;
import io.miniinference.plan.LoopBuffers;
import io.miniinference.plan.Program;
import io.miniinference.plan.Step;
import io.miniinference.plan.planner.MemoryPlan;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The proof that a planned program does what its source does, as far as that does not depend on
/// what lies where: the same steps in the same order over arrays of the same names, shapes and
/// types; views still the same views of the same arrays; all arrays of one block moved together;
/// and a copy left out only where both ends are the same elements of one block.
final class Correspondence {
  private final Program source;
  private final Map<Home, Home> homes = new HashMap<>();
  private final Set<Integer> moved = new HashSet<>();
  private final Set<Integer> hosts = new HashSet<>();
  private final Map<Integer, Set<IndexFunction>> wholes = new HashMap<>();
  private final Map<Integer, LoopBuffers.Pointer> pointers = new HashMap<>();
  private final Map<Integer, LoopBuffers.Alternation> alternations = new HashMap<>();
  private final Set<String> names = new HashSet<>();

  /* Where an array that is no view lies. */
  private record Home(Block block, IndexFunction index) {
    static Home of(Array array) {
      return new Home(array.block(), array.index());
    }
  }

  private Correspondence(Program source) {
    this.source = source;
  }

  /// Ids of the blocks in which the plan has put arrays that the program has elsewhere.
  ///
  /// @throws VerificationException if the two differ in anything but where arrays lie
  static Set<Integer> check(MemoryPlan plan) {
    Correspondence correspondence = new Correspondence(plan.source());
    correspondence.checkBlocks(plan.program().blocks());
    correspondence.collect(plan.program().body());
    correspondence.check(plan.source().body(), plan.program().body());
    correspondence.checkMovedTogether();
    return correspondence.hosts;
  }

  @SuppressWarnings("AnnotateFormatMethod") // its annotation would be a dependency
  private VerificationException wrong(String text, Object... details) {
    return new VerificationException(
        "plan of '%s': %s".formatted(source.name(), text.formatted(details)));
  }

  /* Pointers have blocks of their own. */
  private void checkBlocks(List<Block> planned) {
    List<Block> blocks = source.blocks();
    boolean same =
        planned.size() >= blocks.size()
            && planned.subList(0, blocks.size()).equals(blocks)
            && planned.stream().skip(blocks.size()).allMatch(Block::isMoving);
    if (!same) {
      throw wrong("its blocks are not those of the program");
    }
  }

  private void collect(Body body) {
    for (Step step : body.steps()) {
      step.bodies().forEach(inner -> collect(step, inner));
    }
  }

  private void collect(Step step, Body body) {
    for (int k = 0; k < body.parameters().size() && !body.motion().pointers().isEmpty(); k++) {
      names.add(body.parameters().get(k).name());
      names.add(step.reads().get(k).name());
      names.add(body.results().get(k).name());
    }
    for (LoopBuffers.Alternation each : body.motion().alternations()) {
      int block = each.block().id();
      if (block < source.blocks().size() || alternations.put(block, each) != null) {
        throw wrong("block '%s' takes turns in no loop of its own", each.block().name());
      }
      hosts.add(each.even().block().id());
      hosts.add(each.odd().block().id());
    }
    for (LoopBuffers.Pointer pointer : body.motion().pointers()) {
      int block = pointer.block().id();
      if (block < source.blocks().size() || pointers.put(block, pointer) != null) {
        throw wrong("block '%s' is no pointer of one loop", pointer.block().name());
      }
      hosts.add(pointer.first().block().id());
      hosts.add(pointer.next().block().id());
    }
    collect(body);
  }

  private void check(Body body, Body planned) {
    boolean same =
        body.name().equals(planned.name())
            && body.kind() == planned.kind()
            && body.steps().size() == planned.steps().size();
    if (!same) {
      throw wrong("body '%s' has other steps than in the program", body.name());
    }
    check("body '" + body.name() + "'", body.parameters(), planned.parameters());
    for (int i = 0; i < body.steps().size(); i++) {
      check(body.steps().get(i), planned.steps().get(i));
    }
    check("body '" + body.name() + "'", body.results(), planned.results());
    check(body.motion(), planned.motion());
  }

  private void check(LoopBuffers motion, LoopBuffers planned) {
    if (motion.fewest() != planned.fewest()) {
      throw wrong("a loop has another number of iterations than in the program");
    }
    List<Block> windows = motion.windows().stream().map(LoopBuffers.Window::block).toList();
    if (!planned.windows().stream().map(LoopBuffers.Window::block).toList().equals(windows)) {
      throw wrong("a loop has other windows than in the program");
    }
    check(
        "a window",
        motion.windows().stream().map(LoopBuffers.Window::rows).toList(),
        planned.windows().stream().map(LoopBuffers.Window::rows).toList());
  }

  private void check(Step step, Step planned) {
    boolean same =
        step.number() == planned.number()
            && step.name().equals(planned.name())
            && step.op().equals(planned.op())
            && step.scratch().equals(planned.scratch())
            && step.inPlace().equals(planned.inPlace())
            && step.bodies().size() == planned.bodies().size();
    if (!same || (step.kind() != planned.kind() && !isNeedless(step, planned))) {
      throw wrong("%s is another step than in the program", Replay.label(planned));
    }
    check(Replay.label(step), step.reads(), planned.reads());
    check(Replay.label(step), step.writes(), planned.writes());
    for (int i = 0; i < step.bodies().size(); i++) {
      check(step.bodies().get(i), planned.bodies().get(i));
      checkPointers(planned, planned.bodies().get(i));
      checkAlternations(step.bodies().get(i), planned, planned.bodies().get(i));
    }
  }

  /* What a loop reads through a pointer is its parameter: the operand at first, then what the body
  results in. */
  private void checkPointers(Step step, Body body) {
    for (LoopBuffers.Pointer pointer : body.motion().pointers()) {
      int k = 0;
      while (k < body.parameters().size()
          && !body.parameters().get(k).block().equals(pointer.block())) {
        k++;
      }
      boolean follows =
          k < body.parameters().size()
              && isStart(body.parameters().get(k), pointer.next())
              && isSame(body.results().get(k), pointer.next())
              && isOperand(step.reads().get(k), pointer);
      if (!follows) {
        throw wrong(
            "%s does not hand on what '%s' points to", Replay.label(step), pointer.block().name());
      }
      if (body.motion().fewest() < 1 && !isSame(pointer.first(), step.writes().get(k))) {
        throw wrong("a loop that may have no iteration reads none but its state");
      }
    }
  }

  private static boolean isOperand(Array operand, LoopBuffers.Pointer pointer) {
    return operand.block().equals(pointer.block())
        ? isStart(operand, pointer.first())
        : isSame(operand, pointer.first());
  }

  /* What takes turns is handed on to a parameter that follows it, and copied to where the loop's
  result is if the last iteration has left it elsewhere. */
  private void checkAlternations(Body body, Step step, Body planned) {
    for (LoopBuffers.Alternation each : planned.motion().alternations()) {
      int k = 0;
      while (k < planned.results().size()
          && !planned.results().get(k).block().equals(each.block())) {
        k++;
      }
      boolean follows =
          k < planned.results().size()
              && pointers.containsKey(planned.parameters().get(k).block().id())
              && isStart(planned.results().get(k), each.even())
              && isStart(planned.results().get(k), each.odd())
              && isSame(each.odd(), step.writes().get(k))
              && isCopied(body, each.copy(), body.results().get(k));
      if (!follows) {
        throw wrong("%s does not hand on '%s' by turns", Replay.label(step), each.block().name());
      }
    }
  }

  private static boolean isCopied(Body body, int copy, Array result) {
    return body.steps().stream()
        .anyMatch(step ->
            step.number() == copy
                && step.kind() == Step.Kind.COPY
                && step.writes().size() == 1
                && step.writes().getFirst().name().equals(result.name()));
  }

  private static boolean isSame(Array a, Array b) {
    return a.block().equals(b.block())
        && a.elementBytes() == b.elementBytes()
        && a.index().coincides(b.index());
  }

  /* Whether the array of a pointer has the order of elements of what it points to. */
  private static boolean isStart(Array array, Array target) {
    return array.elementBytes() == target.elementBytes()
        && array.index().coincides(target.index().fromStart());
  }

  /* Whether a copy moves nothing any more. */
  private boolean isNeedless(Step step, Step planned) {
    if (step.kind() != Step.Kind.COPY
        || planned.kind() != Step.Kind.VIEW
        || step.reads().size() != 1
        || step.writes().size() != 1) {
      return false;
    }
    Array read = planned.reads().getFirst();
    Array written = planned.writes().getFirst();
    LoopBuffers.Pointer pointer = pointers.get(written.block().id());
    return pointer == null || written.block().equals(read.block())
        ? isSame(read, written)
        : isSame(read, pointer.first()) && isStart(written, pointer.first());
  }

  private void check(String where, List<Array> arrays, List<Array> planned) {
    if (arrays.size() != planned.size()) {
      throw wrong("%s has other operands than in the program", where);
    }
    for (int i = 0; i < arrays.size(); i++) {
      check(where, arrays.get(i), planned.get(i));
    }
  }

  private void check(String where, Array array, Array planned) {
    boolean same =
        array.name().equals(planned.name())
            && array.elementBytes() == planned.elementBytes()
            && array.index().shape().equals(planned.index().shape())
            && array.block().isPlanned() == planned.block().isPlanned();
    if (!same) {
      throw wrong("%s has '%s' in the place of '%s'", where, planned.name(), array.name());
    }
    Array.@Nullable Origin origin = array.origin();
    Array.@Nullable Origin plannedOrigin = planned.origin();
    if (origin != null && plannedOrigin != null) {
      checkView(where, array, origin, planned, plannedOrigin);
    } else if (origin == null && plannedOrigin == null) {
      checkHome(where, array, planned);
    } else {
      throw wrong("%s has '%s' as another view than in the program", where, array.name());
    }
  }

  private void checkView(
      String where, Array array, Array.Origin origin, Array planned, Array.Origin plannedOrigin) {
    boolean follows =
        origin.movement().equals(plannedOrigin.movement())
            && planned.block().equals(plannedOrigin.source().block())
            && plannedOrigin
                .movement()
                .of(plannedOrigin.source().index())
                .map(index -> index.coincides(planned.index()))
                .orElse(false);
    if (!follows) {
      throw wrong("%s has '%s' where it is no such view of its source", where, array.name());
    }
    check(where, origin.source(), plannedOrigin.source());
  }

  private void checkHome(String where, Array array, Array planned) {
    LoopBuffers.Pointer pointer = pointers.get(planned.block().id());
    if (pointer != null) {
      if (!names.contains(array.name()) || !isStart(planned, pointer.next())) {
        throw wrong("%s has '%s' where a loop's parameter is", where, array.name());
      }
      return;
    }
    LoopBuffers.Alternation turn = alternations.get(planned.block().id());
    if (turn != null && names.contains(array.name()) && isStart(planned, turn.odd())) {
      return;
    }
    Home before = Home.of(array);
    Home after = Home.of(planned);
    Home known = homes.putIfAbsent(before, after);
    if (known != null && !known.equals(after)) {
      throw wrong("%s has '%s' in another place than others have it", where, array.name());
    }
    wholes.computeIfAbsent(array.block().id(), _ -> new HashSet<>()).add(array.index());
    if (!before.equals(after)) {
      moved.add(array.block().id());
      hosts.add(planned.block().id());
    }
  }

  /* Of a block in which arrays lie that are no views of one, nothing says how they moved together. */
  private void checkMovedTogether() {
    for (int block : moved) {
      if (Objects.requireNonNull(wholes.get(block)).size() > 1) {
        throw wrong(
            "block '%s' was moved, and not all that lies in it is known",
            source.blocks().get(block).name());
      }
    }
  }
}
