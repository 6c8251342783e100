package io.miniinference.plan.verify;

import io.miniinference.plan.Array;
import io.miniinference.plan.Body;
import io.miniinference.plan.LoopBuffers;
import io.miniinference.plan.Program;
import io.miniinference.plan.Step;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// A planned program in which loops with pointers have two bodies, one for the first iteration and
/// one for all others, so that each array is in one place: what a pointer points to gets a name of
/// its own in each. Where two places take turns, there are two bodies for the others, by turns.
///
/// @param places where pointers point here
/// @param announced those of loops that have not begun: kernels do not know them yet
/// @param turn tells names of different iterations apart
record Unrolled(
    Program program, Map<Integer, Pointed> places, Set<Integer> announced, String turn) {

  /* What a pointer points to, and what its names end in there. */
  private record Pointed(Array target, String turn) {}

  /// @throws VerificationException if a kernel outside a loop would use the loop's pointers
  static Program of(Program program) {
    return hasPointers(program.body())
        ? new Program(
            program.name(),
            new Unrolled(program, Map.of(), Set.of(), "").body(program.body(), LoopBuffers.NONE),
            program.blocks(),
            program.naiveSizes())
        : program;
  }

  private static boolean hasPointers(Body body) {
    return !body.motion().pointers().isEmpty()
        || body.steps().stream()
            .anyMatch(step -> step.bodies().stream().anyMatch(Unrolled::hasPointers));
  }

  private Body body(Body body, LoopBuffers motion) {
    Unrolled inside = before(body.steps());
    return new Body(
        body.name(),
        body.kind(),
        arrays(body.parameters()),
        body.steps().stream().map(inside::step).toList(),
        arrays(body.results()),
        motion);
  }

  /* Where loops among the steps will begin. */
  private Unrolled before(List<Step> steps) {
    Map<Integer, Pointed> all = new HashMap<>(places);
    Set<Integer> early = new HashSet<>(announced);
    for (Step step : steps) {
      for (Body body : step.bodies()) {
        for (LoopBuffers.Pointer pointer : body.motion().pointers()) {
          all.put(pointer.block().id(), new Pointed(array(pointer.first()), turn));
          early.add(pointer.block().id());
        }
        for (LoopBuffers.Alternation each : body.motion().alternations()) {
          all.put(each.block().id(), new Pointed(array(each.even()), turn));
          early.add(each.block().id());
        }
      }
    }
    return new Unrolled(program, all, early, turn);
  }

  private Step step(Step step) {
    if (step.kind() != Step.Kind.VIEW && step.bodies().isEmpty()) {
      step.reads().forEach(array -> checkBegun(step, array));
      step.writes().forEach(array -> checkBegun(step, array));
    }
    List<Body> bodies = new ArrayList<>();
    step.bodies().forEach(body -> bodies.addAll(bodies(step, body)));
    return new Step(
        step.number(),
        step.name(),
        step.op(),
        step.kind(),
        arrays(step.reads()),
        arrays(step.writes()),
        step.scratch(),
        step.inPlace(),
        bodies);
  }

  private void checkBegun(Step step, Array array) {
    if (announced.contains(array.block().id())) {
      throw new VerificationException(
          "plan of '%s': %s uses '%s' of a loop that has not begun"
              .formatted(program.name(), Replay.label(step), array.name()));
    }
  }

  private List<Body> bodies(Step step, Body body) {
    LoopBuffers motion =
        new LoopBuffers(body.motion().fewest(), body.motion().windows(), List.of());
    if (body.motion().pointers().isEmpty()) {
      return List.of(body(body, motion));
    }
    int turns = body.motion().alternations().isEmpty() ? 2 : 3;
    List<Body> bodies = new ArrayList<>();
    Unrolled before = this;
    for (int k = 0; k < turns; k++) {
      before = iteration(body.motion(), before, k);
      bodies.add(before.body(body, motion));
    }
    bodies.set(0, named(step, body, bodies.getFirst()));
    return bodies;
  }

  /* What pointers point to in iteration `k`: in the first their own first array, in each other one
  where that before has left the next. */
  private Unrolled iteration(LoopBuffers motion, Unrolled before, int k) {
    String own = turn + "#" + k;
    Map<Integer, Pointed> all = new HashMap<>(places);
    Set<Integer> early = new HashSet<>(announced);
    for (LoopBuffers.Alternation each : motion.alternations()) {
      all.put(each.block().id(), new Pointed(array(k % 2 == 0 ? each.even() : each.odd()), own));
      early.remove(each.block().id());
    }
    for (LoopBuffers.Pointer pointer : motion.pointers()) {
      Array target = k == 0 ? array(pointer.first()) : before.array(pointer.next());
      all.put(pointer.block().id(), new Pointed(target, own));
      early.remove(pointer.block().id());
    }
    return new Unrolled(program, all, early, own);
  }

  /* In the first iteration a pointer's parameter is another name for the operand. One in memory that
  moves for a loop around this one stays in its place through all iterations: as of any state, its
  name means what was handed on last. */
  private Body named(Step loop, Body body, Body first) {
    List<Array> parameters = new ArrayList<>();
    List<Step> steps = new ArrayList<>();
    for (int k = 0; k < body.parameters().size(); k++) {
      Array parameter = first.parameters().get(k);
      if (isPointer(body.parameters().get(k), body.motion())) {
        steps.add(
            new Step(
                loop.number(),
                loop.name(),
                loop.op(),
                Step.Kind.VIEW,
                List.of(array(loop.reads().get(k))),
                List.of(parameter),
                List.of(),
                List.of(),
                List.of()));
      } else {
        parameters.add(parameter);
      }
    }
    steps.addAll(first.steps());
    return new Body(first.name(), first.kind(), parameters, steps, first.results(), first.motion());
  }

  private static boolean isPointer(Array parameter, LoopBuffers motion) {
    return motion.pointers().stream().anyMatch(p -> p.block().equals(parameter.block()));
  }

  private List<Array> arrays(List<Array> arrays) {
    return arrays.stream().map(this::array).toList();
  }

  private Array array(Array array) {
    Pointed pointed = places.get(array.block().id());
    if (pointed == null) {
      return array;
    }
    Array target = pointed.target;
    return new Array(
        array.name() + pointed.turn,
        target.block(),
        array.index().shifted(target.index().offset()),
        array.elementBytes());
  }
}
