package io.miniinference.plan.growth;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.miniinference.layout.Affine;
import io.miniinference.layout.IndexFunction;
import io.miniinference.plan.Array;
import io.miniinference.plan.Block;
import io.miniinference.plan.Body;
import io.miniinference.plan.PlanOptions;
import io.miniinference.plan.Program;
import io.miniinference.plan.Step;
import io.miniinference.plan.verify.VerifiedPlan;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;

/// Planning and verification take about as much for each of many steps as for each of few. Work is
/// counted as the thread's own processor time and the bytes it allocates, which other processes on
/// the machine change little or not at all.
final class PlanningGrowthTest {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private static final int FEW = 500;
  private static final int FACTOR = 4;
  private static final int ROUNDS = 5;

  /// What one plan with its proof takes.
  private record Work(long nanos, long bytes) {
    static Work of(Program program) {
      long thread = Thread.currentThread().threadId();
      long bytes = THREADS.getThreadAllocatedBytes(thread);
      long nanos = THREADS.getCurrentThreadCpuTime();
      VerifiedPlan plan = VerifiedPlan.of(program, PlanOptions.upTo(256).searching(0));
      Work work =
          new Work(
              THREADS.getCurrentThreadCpuTime() - nanos,
              THREADS.getThreadAllocatedBytes(thread) - bytes);
      assertThat(plan.fallback()).isEmpty();
      return work;
    }

    Work least(Work other) {
      return new Work(Math.min(nanos, other.nanos), Math.min(bytes, other.bytes));
    }

    static Work least(Program program) {
      Work least = of(program);
      for (int i = 1; i < ROUNDS; i++) {
        least = least.least(of(program));
      }
      return least;
    }
  }

  /* Squares would be sixteen times as much. */
  private static void checkThat(IntFunction<Program> programs) {
    Work few = Work.least(programs.apply(FEW));
    Work many = Work.least(programs.apply(FACTOR * FEW));
    System.out.printf("%d steps: %s, %d steps: %s%n", FEW, few, FACTOR * FEW, many);
    assertThat((double) many.bytes / few.bytes).as("bytes").isLessThan(1.5 * FACTOR);
    assertThat((double) many.nanos / few.nanos).as("processor time").isLessThan(2.5 * FACTOR);
  }

  @Test
  void networksOfBranchesThatAConcatJoins() {
    checkThat(LongNetwork::of);
  }

  @Test
  void valuesOfManySizes() {
    checkThat(SyntheticProgram::of);
  }

  @Test
  void oneValueThatIsWrittenOverAgainAndAgain() {
    checkThat(steps -> new Nested().chain(steps));
  }

  @Test
  void oneIfAfterTheOther() {
    checkThat(steps -> new Nested().branches(steps));
  }

  @Test
  void oneLoopAfterTheOther() {
    checkThat(steps -> new Nested().loops(steps));
  }

  /// Programs in which step follows step, some of them in bodies.
  private static final class Nested {
    private static final int INSIDE = 8;

    private final List<Block> blocks = new ArrayList<>();
    private final List<Step> steps = new ArrayList<>();
    private final Array input = fresh("input");
    private int number;

    private Array fresh(String name) {
      IndexFunction index = IndexFunction.rowMajor(List.of(Affine.N, Affine.of(200)));
      Block block = new Block(blocks.size(), name, Affine.batch(800), Block.Space.ARENA);
      blocks.add(block);
      return new Array(name, block, index, 4);
    }

    private static Step step(
        int number, Array read, Array written, List<Step.InPlace> inPlace, List<Body> bodies) {
      return new Step(
          number,
          written.name(),
          "op",
          Step.Kind.COMPUTE,
          List.of(read),
          List.of(written),
          List.of(),
          inPlace,
          bodies);
    }

    /* Every other step may work in place. */
    private Array add(String prefix, int count, Array from, List<Step> to) {
      Array last = from;
      for (int i = 0; i < count; i++) {
        Array next = fresh(prefix + "v" + number);
        List<Step.InPlace> pairs = i % 2 == 0 ? List.of() : List.of(new Step.InPlace(0, 0));
        to.add(step(number++, last, next, pairs, List.of()));
        last = next;
      }
      return last;
    }

    private Body body(String name, Body.Kind kind, Array from, List<Array> parameters) {
      List<Step> inside = new ArrayList<>();
      Array result = add(name, INSIDE, from, inside);
      return new Body(name, kind, parameters, inside, List.of(result));
    }

    private Program program(Array result) {
      Body body = new Body("", Body.Kind.ONCE, List.of(input), steps, List.of(result));
      return new Program("nested", body, blocks, List.of());
    }

    Program chain(int count) {
      Array last = input;
      for (int i = 0; i < count; i++) {
        Array next = fresh("v" + i);
        steps.add(step(i, last, next, List.of(new Step.InPlace(0, 0)), List.of()));
        last = next;
      }
      return program(last);
    }

    Program branches(int count) {
      Array last = input;
      while (number < count) {
        int at = number++;
        List<Body> sides = new ArrayList<>();
        for (String side : List.of("then", "else")) {
          sides.add(body("if" + at + side + "/", Body.Kind.BRANCH, last, List.of()));
        }
        Array next = fresh("if" + at);
        steps.add(step(at, last, next, List.of(), sides));
        last = next;
      }
      return program(last);
    }

    Program loops(int count) {
      Array last = input;
      while (number < count) {
        int at = number++;
        Array state = fresh("loop" + at + "/state");
        Body body = body("loop" + at + "/", Body.Kind.LOOP, state, List.of(state));
        Array next = fresh("loop" + at);
        steps.add(step(at, last, next, List.of(), List.of(body)));
        last = next;
      }
      return program(last);
    }
  }
}
