package io.miniinference.plan.planner;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.layout.Affine;
import io.miniinference.layout.IndexFunction;
import io.miniinference.plan.Array;
import io.miniinference.plan.Block;
import io.miniinference.plan.Body;
import io.miniinference.plan.Condition;
import io.miniinference.plan.PlanOptions;
import io.miniinference.plan.Program;
import io.miniinference.plan.RandomPrograms;
import io.miniinference.plan.Step;
import io.miniinference.plan.TinyMachine;
import io.miniinference.plan.live.Lifetimes;
import io.miniinference.plan.live.LiveRange;
import io.miniinference.plan.live.TimedStep;
import io.miniinference.plan.packing.Packing;
import io.miniinference.plan.packing.PackingProblem;
import io.miniinference.plan.packing.Rectangle;
import io.miniinference.plan.packing.RectanglePacker;
import io.miniinference.plan.verify.PlanVerifier;
import io.miniinference.plan.verify.VerificationException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Plans of random programs, each broken on purpose in one way: where that changes what the program
/// computes, the verifier refuses the plan.
final class RandomMutationTest {
  private static final int PROGRAMS = Integer.getInteger("mie.mutated.programs", 150);
  private static final int PATHS = 3;
  private static final long BATCH = 2;
  private static final PlanOptions OPTIONS = PlanOptions.upTo(BATCH);

  private static final List<MemoryPlan> GOOD =
      IntStream.range(0, PROGRAMS)
          .mapToObj(seed -> RandomPrograms.of(seed, 4 + seed % 24))
          .map(program -> Planner.planAt(program, BATCH, OPTIONS))
          .toList();

  /// A way to break a plan.
  private interface Mutation {

    /// @return nothing where the plan has nothing of the kind
    Optional<MemoryPlan> of(MemoryPlan good, Random random);
  }

  /* Each mutant that is harmful on some path through its program is refused. */
  private static void checkThat(Mutation mutation, int leastHarmful) {
    int harmful = 0;
    for (int seed = 0; seed < PROGRAMS; seed++) {
      MemoryPlan good = GOOD.get(seed);
      Optional<MemoryPlan> mutant = mutation.of(good, new Random(seed));
      if (mutant.isPresent() && isHarmful(good, mutant.get(), seed)) {
        harmful++;
        assertThat(isRefused(mutant.get())).as("seed %d is refused", seed).isTrue();
      }
    }
    assertThat(harmful).as("harmful mutants").isGreaterThanOrEqualTo(leastHarmful);
  }

  /// What the good plan of a program gives on each path, once a mutant has asked.
  private static final Map<Long, List<List<Long>>> RESULTS = new HashMap<>();

  private static boolean isHarmful(MemoryPlan good, MemoryPlan mutant, long seed) {
    for (long path = seed; path < seed + PATHS; path++) {
      long which = PATHS * seed + path - seed;
      long chosen = path;
      var expected = RESULTS.computeIfAbsent(which, _ -> run(good, chosen).orElseThrow());
      if (!run(mutant, path).equals(Optional.of(expected))) {
        return true;
      }
    }
    return false;
  }

  /* Nothing where the plan leads out of the arena. */
  private static Optional<List<List<Long>>> run(MemoryPlan plan, long path) {
    Placement placement = plan.placement(BATCH);
    try {
      return Optional.of(
          new TinyMachine(
                  plan.program(),
                  placement::offsetBytes,
                  placement.plannedBytes(),
                  BATCH,
                  path,
                  plan.hashCode())
              .run());
    } catch (IndexOutOfBoundsException | IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  private static boolean isRefused(MemoryPlan plan) {
    try {
      PlanVerifier.verify(plan);
      return false;
    } catch (VerificationException e) {
      return true;
    }
  }

  private static MemoryPlan with(MemoryPlan plan, Program program) {
    return new MemoryPlan(
        plan.source(), program, plan.lifetimes(), plan.merges(), plan.refused(), plan.placements());
  }

  /* SC5 and IF forbid next to nothing here: SafetyTest has a case of each. */
  @ParameterizedTest(name = "{0}")
  @EnumSource(names = {"SC1", "SC2", "SC3", "SC4", "INDEX"})
  void aSafetyConditionThatIsSwitchedOff(Condition condition) {
    checkThat((good, _) -> planned(good.source(), OPTIONS.ignoring(condition)), 1);
  }

  /* Nothing where the planner itself stumbles over what the condition would have kept from it. */
  private static Optional<MemoryPlan> planned(Program program, PlanOptions options) {
    try {
      return Optional.of(Planner.planAt(program, BATCH, options));
    } catch (IllegalStateException e) {
      return Optional.empty();
    }
  }

  @Test
  void aLiveRangeThatStartsOneTickLate() {
    checkThat((good, random) -> packed(good, random, 1, 0), PROGRAMS / 50);
  }

  @Test
  void aLiveRangeThatEndsOneTickEarly() {
    checkThat((good, random) -> packed(good, random, 0, 1), PROGRAMS / 50);
  }

  /* All blocks packed anew, one of them with a shorter range. */
  private static Optional<MemoryPlan> packed(MemoryPlan good, Random random, int late, int early) {
    Placement placement = good.placement(BATCH);
    List<Block> blocks =
        new ArrayList<>(
            good.program().blocks().stream()
                .filter(b -> b.isPlanned() && placement.isPlaced(b))
                .toList());
    Collections.shuffle(blocks, random);
    List<Rectangle> rectangles = new ArrayList<>();
    for (Block block : blocks) {
      LiveRange range = Objects.requireNonNull(good.lifetimes().range(block.id()));
      boolean isShorter = rectangles.isEmpty() && range.last() - range.first() > 1;
      rectangles.add(
          new Rectangle(
              range.first() + (isShorter ? late : 0),
              range.last() + 1L - (isShorter ? early : 0),
              block.sizeBytes().at(BATCH)));
    }
    Packing packing =
        RectanglePacker.pack(
            PackingProblem.of(rectangles).alignedTo(Placement.SMALL_ALIGNMENT_BYTES));
    long[] offsets = new long[good.program().blocks().size()];
    Arrays.fill(offsets, -1);
    for (int i = 0; i < blocks.size(); i++) {
      offsets[blocks.get(i).id()] = packing.offsets()[i];
    }
    return Optional.of(
        good.with(List.of(new Placement(BATCH, offsets, new Packed(rectangles, packing), 0))));
  }

  @Test
  void anArrayThatLiesOneElementBeside() {
    checkThat((good, random) -> changed(good, random, RandomMutationTest::shifted), PROGRAMS / 4);
  }

  private static Array shifted(Array array) {
    IndexFunction index = array.index();
    return new Array(
        array.name(),
        array.block(),
        new IndexFunction(index.offset().plus(Affine.ONE), index.axes()),
        array.elementBytes(),
        array.origin());
  }

  /* One operand or result of one step changed. */
  private static Optional<MemoryPlan> changed(
      MemoryPlan good, Random random, UnaryOperator<Array> change) {
    return withStep(
        good,
        random,
        step -> {
          List<Array> reads = new ArrayList<>(step.reads());
          List<Array> writes = new ArrayList<>(step.writes());
          List<Array> either = reads.isEmpty() || random.nextBoolean() ? writes : reads;
          if (!either.isEmpty()) {
            int at = random.nextInt(either.size());
            either.set(at, change.apply(either.get(at)));
          }
          return step.with(reads, writes);
        });
  }

  private static Optional<MemoryPlan> withStep(
      MemoryPlan good, Random random, UnaryOperator<Step> change) {
    int steps = good.lifetimes().steps().size();
    if (steps == 0) {
      return Optional.empty();
    }
    int number = good.lifetimes().steps().get(random.nextInt(steps)).step().number();
    return withEach(good, step -> step.number() == number ? change.apply(step) : step);
  }

  private static Body body(Body body, UnaryOperator<Step> change) {
    List<Step> steps = new ArrayList<>();
    for (Step step : body.steps()) {
      List<Body> bodies = step.bodies().stream().map(b -> body(b, change)).toList();
      steps.add(change.apply(step.with(step.kind(), bodies)));
    }
    return new Body(
        body.name(), body.kind(), body.parameters(), steps, body.results(), body.motion());
  }

  /* A step reads its operand where it lay before the merges. */
  @Test
  void aDroppedAlias() {
    checkThat(
        (good, random) -> {
          List<TimedStep> sources = Lifetimes.of(good.source()).steps();
          return withStep(good, random, step -> unmoved(step, sources));
        },
        PROGRAMS / 50);
  }

  private static Step unmoved(Step step, List<TimedStep> sources) {
    return sources.stream()
        .map(TimedStep::step)
        .filter(source -> source.number() == step.number())
        .map(source -> step.with(source.reads(), step.writes()))
        .findFirst()
        .orElseThrow();
  }

  /* Offsets of a planner that has not seen that one step reads a block. */
  @Test
  void aReadThatThePlannerOverlooked() {
    checkThat(
        (good, random) ->
            withStep(good, random, step -> step.with(List.of(), step.writes()))
                .map(blind -> Lifetimes.of(blind.program()))
                .map(lifetimes -> new BlockPlacer(good.program(), lifetimes, OPTIONS))
                .map(placer -> placer.place(BATCH, Optional.empty(), OPTIONS.search()))
                .map(placement -> good.with(List.of(placement))),
        PROGRAMS / 50);
  }

  @Test
  void aSwappedBranch() {
    checkThat(
        (good, _) -> withEach(good, step -> step.with(step.kind(), step.bodies().reversed())),
        PROGRAMS / 50);
  }

  @Test
  void branchesWithTheResultsOfTheOther() {
    checkThat(
        (good, _) -> withEach(good, step -> step.with(step.kind(), exchanged(step.bodies()))),
        PROGRAMS / 100);
  }

  private static Optional<MemoryPlan> withEach(MemoryPlan good, UnaryOperator<Step> change) {
    Program program = good.program();
    return Optional.of(with(good, program.with(body(program.body(), change))));
  }

  private static List<Body> exchanged(List<Body> bodies) {
    if (bodies.size() < 2) {
      return bodies;
    }
    Body first = bodies.getFirst();
    Body second = bodies.getLast();
    return List.of(resulting(first, second.results()), resulting(second, first.results()));
  }

  private static Body resulting(Body body, List<Array> results) {
    return new Body(
        body.name(), body.kind(), body.parameters(), body.steps(), results, body.motion());
  }

  @Test
  void aCopyThatIsLeftOut() {
    checkThat(
        (good, random) ->
            withStep(
                good,
                random,
                step ->
                    step.kind() == Step.Kind.COPY
                        ? step.with(Step.Kind.VIEW, step.bodies())
                        : step),
        PROGRAMS / 50);
  }

  @Test
  void twoStepsThatChangePlaces() {
    checkThat(
        (good, random) -> {
          Body body = good.program().body();
          if (body.steps().size() < 2) {
            return Optional.empty();
          }
          List<Step> steps = new ArrayList<>(body.steps());
          Collections.swap(steps, random.nextInt(steps.size()), random.nextInt(steps.size()));
          Body swapped =
              new Body(
                  body.name(),
                  body.kind(),
                  body.parameters(),
                  steps,
                  body.results(),
                  body.motion());
          return Optional.of(with(good, good.program().with(swapped)));
        },
        PROGRAMS / 4);
  }

  @Test
  void twoBlocksThatChangePlaces() {
    checkThat(
        (good, random) -> {
          Placement placement = good.placement(BATCH);
          List<Block> placed =
              good.program().blocks().stream()
                  .filter(b -> b.isPlanned() && placement.isPlaced(b))
                  .toList();
          Block a = placed.get(random.nextInt(placed.size()));
          Block b = placed.get(random.nextInt(placed.size()));
          return Optional.of(
              good.with(
                  List.of(
                      placement
                          .withOffset(a, placement.offsetBytes(b))
                          .withOffset(b, placement.offsetBytes(a)))));
        },
        PROGRAMS / 10);
  }
}
