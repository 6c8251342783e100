package io.miniinference.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.interp.Interpreter;
import io.miniinference.interp.TensorView;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Graph;
import io.miniinference.ir.GraphCheck;
import io.miniinference.ir.GraphText;
import io.miniinference.ir.Tensor;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/// What every writer's kernels and every device make of branches and loops: what the plain
/// interpreter makes of them.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class ControlContract {
  private static final String GO = "const %go: bool[] = [true]\n";

  private Rig rig;

  abstract Rig open();

  @BeforeAll
  void openRig() {
    rig = open();
  }

  @AfterAll
  void closeRig() {
    rig.close();
  }

  private static Tensor truth(boolean value) {
    return whole(ElementType.BOOL, value ? 1 : 0);
  }

  private static Tensor count(long value) {
    return whole(ElementType.I64, value);
  }

  private static Tensor whole(ElementType type, long value) {
    Tensor tensor = Interpreter.allocate(type);
    TensorView.of(tensor).wholeAt(0, value);
    return tensor;
  }

  private static Tensor floats(double... values) {
    return floats(new long[] {values.length}, values);
  }

  private static Tensor floats(long[] shape, double... values) {
    Tensor tensor = Interpreter.allocate(ElementType.F32, shape);
    for (int i = 0; i < values.length; i++) {
      TensorView.of(tensor).realAt(i, values[i]);
    }
    return tensor;
  }

  private static Tensor random(long... shape) {
    return Data.NORMAL.fill(new Random(shape.length + 7L * shape[0]), ElementType.F32, shape);
  }

  private static Tensor rows(int n) {
    return floats(
        new long[] {n, 4}, DoubleStream.iterate(-3, x -> x + 1.25).limit(4L * n).toArray());
  }

  /// Runs the graph on each set of inputs and compares with the interpreter.
  ///
  /// @return further waits of one run of the graph, as the plan counts them
  private int holds(String body, List<List<Tensor>> sets) {
    Graph graph = GraphCheck.check(GraphText.parse("graph \"g\" {\n" + body + "}\n"));
    List<List<Tensor>> got = rig.run(graph, sets);
    List<String> wrong = new ArrayList<>();
    for (int s = 0; s < sets.size(); s++) {
      List<Tensor> expected = Interpreter.run(graph, sets.get(s));
      for (int i = 0; i < expected.size(); i++) {
        String where = "set %d, output %d: ".formatted(s, i);
        Tolerance.difference(expected.get(i), got.get(s).get(i), 1e-6)
            .ifPresent(difference -> wrong.add(where + difference));
      }
    }
    assertThat(wrong).isEmpty();
    return rig.lower(graph).hostSyncs();
  }

  private static final String BRANCH =
      """
      input %x: f32[N,4]
      input %c: bool[]
      CONDITION
      %y: f32[N,4], %m: f32[4] = if(%d, %x) graph "then" {
        input %x: f32[N,4]
        %t: f32[4,N] = transpose(%x) {permutation=[1,0]}
        %s: f32[4] = reduce_sum(%t) {axes=[1]}
        %a: f32[N,4] = elementwise(%x, %s) { a0 + a1 }
        output %a
        output %s
      } graph "else" {
        input %x: f32[N,4]
        const %k: f32[4] = [1.0, 2.0, 3.0, 4.0]
        output %x
        output %k
      }
      %z: f32[N,4] = elementwise(%y, %m) { a0 * a1 }
      output %z
      output %y
      """;

  @Test
  void aBranchOnAnInputIsDecidedByTheHost() {
    String body = BRANCH.replace("CONDITION", "%d: bool[] = elementwise(%c) { not(a0) }");
    int waits =
        holds(
            body,
            List.of(
                List.of(rows(3), truth(true)),
                List.of(rows(3), truth(false)),
                List.of(rows(0), truth(false)),
                List.of(rows(1), truth(true))));
    assertThat(waits).isZero();
  }

  @Test
  void aBranchOnAValueOfTheDeviceWaitsForNothing() {
    String condition =
        """
        %sum: f32[] = reduce_sum(%x) {axes=[0,1]}
        %d: bool[] = elementwise(%sum, %c) { (a0 > 0.0) ^^ a1 }
        """;
    int waits =
        holds(
            BRANCH.replace("CONDITION", condition),
            List.of(
                List.of(rows(1), truth(false)),
                List.of(rows(1), truth(true)),
                List.of(rows(7), truth(false)),
                List.of(rows(0), truth(true))));
    assertThat(waits).isZero();
  }

  @Test
  void branchesInBranches() {
    String body =
        """
        input %x: f32[6]
        %p: f32[] = reduce_max(%x) {axes=[0]}
        %c: bool[] = elementwise(%p) { a0 > 0.0 }
        %y: f32[6] = if(%c, %x, %p) graph "then" {
          input %x: f32[6]
          input %p: f32[]
          %big: bool[] = elementwise(%p) { a0 > 5.0 }
          %a: f32[6] = elementwise(%x) { a0 * 2.0 }
          %z: f32[6] = if(%big, %a, %x) graph "then" {
            input %a: f32[6]
            input %x: f32[6]
            %r: f32[6] = elementwise(%a) { a0[5 - i0] }
            %s: f32[6] = elementwise(%r, %x) { a0 + a1 }
            output %s
          } graph "else" {
            input %a: f32[6]
            input %x: f32[6]
            output %a
          }
          output %z
        } graph "else" {
          input %x: f32[6]
          input %p: f32[]
          %b: f32[6] = softmax(%x) {axis=0}
          output %b
        }
        output %y
        """;
    holds(
        body,
        List.of(
            List.of(floats(1, 2, 3, 4, 5, 6)),
            List.of(floats(1, 2, 3, 4, 5, 4)),
            List.of(floats(-1, -2, -3, -4, -5, -6))));
  }

  @Test
  void tunedKernelsWorkInBranchesAndLoops() {
    String body =
        """
        input %x: f32[N,3,6,6]
        input %v: f32[N,20]
        const %w: f32[18,3,3,3] = large 00
        const %u: f32[18,18,3,3] = large 01
        const %m: f32[20,20] = large 02
        const %trips: i64[] = [3]
        const %go: bool[] = [true]
        %p: f32[] = reduce_max(%v) {axes=[0,1]}
        %c: bool[] = elementwise(%p) { a0 > 1.5 }
        %a: f32[N,18,6,6] = conv(%x, %w) {kernel=[3,3], padsBegin=[1,1], padsEnd=[1,1]}
        %y: f32[N,18,6,6] = if(%c, %a, %u) graph "then" {
          input %a: f32[N,18,6,6]
          input %u: f32[18,18,3,3]
          %b: f32[N,18,6,6] = conv(%a, %u) {kernel=[3,3], padsBegin=[1,1], padsEnd=[1,1]} epilogue(%a) { max(a0, 0.0) + a1 }
          output %b
        } graph "else" {
          input %a: f32[N,18,6,6]
          input %u: f32[18,18,3,3]
          %b: f32[N,18,6,6] = elementwise(%a) { tanh(a0) }
          output %b
        }
        %k: f32[N,20] = loop(%trips, %go, %v, %m) {carried=1} graph "body" {
          input %i: i64[]
          input %q: f32[N,20]
          input %m: f32[20,20]
          GO%r: f32[N,20] = matmul(%q, %m) epilogue(%i) { tanh(a0 + f32(a1)) }
          output %go
          output %r
        }
        output %y
        output %k
        """
            .replace("GO", GO);
    Graph graph = filled(GraphText.parse("graph \"g\" {\n" + body + "}\n"));
    List<List<Tensor>> sets =
        List.of(
            List.of(random(2, 3, 6, 6), floats(new long[] {2, 20}, 1, 2)),
            List.of(random(1, 3, 6, 6), floats(new long[] {1, 20}, 0.5)));
    List<List<Tensor>> got = rig.run(graph, sets);
    for (int s = 0; s < sets.size(); s++) {
      List<Tensor> expected = Interpreter.run(graph, sets.get(s));
      for (int i = 0; i < expected.size(); i++) {
        assertThat(Tolerance.difference(expected.get(i), got.get(s).get(i), 1e-5)).isEmpty();
      }
    }
  }

  /* Large constants read as zeros. */
  private static Graph filled(Graph graph) {
    graph
        .constants()
        .forEach((value, tensor) -> {
          if (tensor.elements() > 64) {
            tensor.data().copyFrom(random(tensor.shape()).data());
          }
        });
    return graph;
  }

  private static final String LOOP =
      """
      input %x: f32[N,4]
      input %trips: i64[]
      input %first: bool[]
      BEFORE
      %y: f32[N,4] = loop(%trips, %first, %x, %x) {carried=1} graph "body" {
        input %i: i64[]
        input %p: f32[N,4]
        input %x: f32[N,4]
        GO%n: f32[N,4] = elementwise(%p, %x, %i) { a0 * 0.5 + a1 + f32(a2) }
        output %go
        output %n
      }
      %z: f32[N,4] = elementwise(%y, %x) { a0 - a1 }
      output %z
      output %y
      """
          .replace("BEFORE\n", "")
          .replace("GO", GO);

  @Test
  void aLoopOfACountThatTheHostKnowsWaitsForNothing() {
    int waits =
        holds(
            LOOP,
            List.of(
                List.of(rows(3), count(4), truth(true)),
                List.of(rows(3), count(4), truth(false)),
                List.of(rows(3), count(0), truth(true)),
                List.of(rows(1), count(-5), truth(true)),
                List.of(rows(0), count(2), truth(true)),
                List.of(rows(2), count(1), truth(true))));
    assertThat(waits).isZero();
  }

  @Test
  void carriedValuesMayChangePlaces() {
    String body =
        """
        input %a: f32[4]
        input %b: f32[4]
        input %c: f32[2,2]
        input %trips: i64[]
        const %go: bool[] = [true]
        %x: f32[4], %y: f32[4], %z: f32[2,2], %s: f32[4] = loop(%trips, %go, %a, %b, %c, %a) {carried=4} graph "body" {
          input %i: i64[]
          input %p: f32[4]
          input %q: f32[4]
          input %r: f32[2,2]
          input %s: f32[4]
          GO%t: f32[2,2] = transpose(%r) {permutation=[1,0]}
          output %go
          output %q
          output %p
          output %t
          output %s
        }
        output %x
        output %y
        output %z
        output %s
        """
            .replace("GO", GO);
    List<List<Tensor>> sets = new ArrayList<>();
    for (int trips = 0; trips < 4; trips++) {
      sets.add(
          List.of(
              floats(1, 2, 3, 4),
              floats(5, 6, 7, 8),
              floats(new long[] {2, 2}, 1, 2, 3, 4),
              count(trips)));
    }
    holds(body, sets);
  }

  @Test
  void rowsOfIterationsAreStackedAlsoThoseOfTheStateBefore() {
    String body =
        """
        input %x: f32[N,4]
        const %trips: i64[] = [5]
        const %go: bool[] = [true]
        %y: f32[N,4], %old: f32[5,N,4], %sums: f32[5,N] = loop(%trips, %go, %x) {carried=1, iterations=5} graph "body" {
          input %i: i64[]
          input %p: f32[N,4]
          GO%n: f32[N,4] = elementwise(%p) { a0 * a0 - 1.0 }
          %s: f32[N] = reduce_sum(%n) {axes=[1]}
          output %go
          output %n
          output %p
          output %s
        }
        %t: f32[N,5] = transpose(%sums) {permutation=[1,0]}
        output %y
        output %old
        output %t
        """
            .replace("GO", GO);
    holds(body, List.of(List.of(rows(2)), List.of(rows(0)), List.of(rows(1))));
  }

  @Test
  void thereMayBeNoRows() {
    String body =
        """
        input %x: f32[3]
        const %trips: i64[] = [0]
        const %go: bool[] = [true]
        %rows: f32[0,3] = loop(%trips, %go, %x) {carried=0, iterations=0} graph "body" {
          input %i: i64[]
          input %x: f32[3]
          GO%n: f32[3] = elementwise(%x) { a0 + 1.0 }
          output %go
          output %n
        }
        output %rows
        """
            .replace("GO", GO);
    holds(body, List.of(List.of(floats(1, 2, 3))));
  }

  private static final String WHILE =
      """
      input %x: f32[N,4]
      input %most: f32[]
      const %trips: i64[] = [20]
      const %go: bool[] = [true]
      %y: f32[N,4], %k: i64[] = loop(%trips, %go, %x, %zero, %most) {carried=2} graph "body" {
        input %i: i64[]
        input %p: f32[N,4]
        input %k: i64[]
        input %most: f32[]
        %n: f32[N,4] = elementwise(%p) { a0 * 2.0 + 1.0 }
        %m: f32[] = reduce_max(%n) {axes=[0,1]}
        %c: bool[] = elementwise(%m, %most) { a0 < a1 }
        %j: i64[] = elementwise(%k, %i) { a0 + a1 }
        output %c
        output %n
        output %j
      }
      output %y
      output %k
      """
          .replace("const %go", "const %zero: i64[] = [0]\nconst %go");

  @Test
  void aLoopOnAConditionOfTheDeviceIsReadAfterEachIteration() {
    int waits =
        holds(
            WHILE,
            List.of(
                List.of(rows(2), floats(new long[0], 100)),
                List.of(rows(2), floats(new long[0], -1)),
                List.of(rows(1), floats(new long[0], 5)),
                List.of(rows(2), floats(new long[0], 9.5))));
    assertThat(waits).isOne();
  }

  @Test
  void aCountOfTheDeviceIsReadOnce() {
    String body =
        LOOP.replace("input %trips: i64[]", "input %k: f32[3]")
            .replace(
                "%y: f32[N,4] = loop",
                """
                %sum: f32[] = reduce_sum(%k) {axes=[0]}
                %index: i64[1] = elementwise(%sum) { i64(a0) }
                const %table: i64[4] = [3, 0, 1, 5]
                %trips: i64[] = reshape(%looked)
                %y: f32[N,4] = loop\
                """)
            .replace(
                "%trips: i64[] =",
                "%looked: i64[1] = gather(%table, %index) {axis=0}\n%trips: i64[] =")
            .replace(
                "%index: i64[1] = elementwise(%sum) { i64(a0) }",
                "%one: f32[1] = reshape(%sum)\n%index: i64[1] = elementwise(%one) { i64(a0) }");
    int waits =
        holds(
            body,
            List.of(
                List.of(rows(3), floats(0, 0, 0), truth(true)),
                List.of(rows(3), floats(0, 0, 1), truth(true)),
                List.of(rows(2), floats(1, 1, 1), truth(true))));
    assertThat(waits).isOne();
  }

  @Test
  void theConditionMayBeWhatWasCarried() {
    String body =
        """
        input %x: f32[4]
        const %trips: i64[] = [9]
        const %go: bool[] = [true]
        %s: f32[] = reduce_sum(%x) {axes=[0]}
        %b0: bool[] = elementwise(%s) { a0 > 0.0 }
        %y: f32[4], %b: bool[] = loop(%trips, %go, %x, %b0) {carried=2} graph "body" {
          input %i: i64[]
          input %p: f32[4]
          input %b: bool[]
          %n: f32[4] = elementwise(%p) { a0 - 1.0 }
          %m: f32[] = reduce_sum(%n) {axes=[0]}
          %c: bool[] = elementwise(%m) { a0 > 0.0 }
          output %b
          output %n
          output %c
        }
        output %y
        output %b
        """;
    holds(
        body,
        List.of(
            List.of(floats(1, 2, 3, 4)),
            List.of(floats(-1, -2, 0, 0)),
            List.of(floats(3, 0, 0, 0))));
  }

  @Test
  void aCounterThatTheHostKnowsMayEndALoop() {
    String body =
        """
        input %x: f32[4]
        input %most: i64[]
        const %trips: i64[] = [1000]
        const %zero: i64[] = [0]
        const %go: bool[] = [true]
        %y: f32[4], %k: i64[] = loop(%trips, %go, %x, %zero, %most) {carried=2} graph "body" {
          input %i: i64[]
          input %p: f32[4]
          input %k: i64[]
          input %most: i64[]
          %n: f32[4] = elementwise(%p) { a0 * 2.0 }
          %j: i64[] = elementwise(%k) { a0 + 3 }
          %c: bool[] = elementwise(%j, %most) { a0 < a1 }
          output %c
          output %n
          output %j
        }
        output %y
        """;
    int waits =
        holds(
            body,
            List.of(List.of(floats(1, 2, 3, 4), count(10)), List.of(floats(1, 2, 3, 4), count(0))));
    assertThat(waits).isZero();
  }

  @Test
  void branchesInLoopsMayFollowTheNumberOfTheIteration() {
    String body =
        """
        input %x: f32[4]
        input %trips: i64[]
        const %go: bool[] = [true]
        %y: f32[4] = loop(%trips, %go, %x) {carried=1} graph "body" {
          input %i: i64[]
          input %p: f32[4]
          GO%even: bool[] = elementwise(%i) { mod(a0, 2) == 0 }
          %n: f32[4] = if(%even, %p) graph "then" {
            input %p: f32[4]
            %a: f32[4] = elementwise(%p) { a0 + 1.0 }
            output %a
          } graph "else" {
            input %p: f32[4]
            %r: f32[4] = slice(%p) {starts=[3], steps=[-1]}
            %b: f32[4] = elementwise(%r) { a0 * 3.0 }
            output %b
          }
          output %go
          output %n
        }
        output %y
        """
            .replace("GO", GO);
    int waits =
        holds(
            body,
            List.of(
                List.of(floats(1, 2, 3, 4), count(0)),
                List.of(floats(1, 2, 3, 4), count(3)),
                List.of(floats(1, 2, 3, 4), count(4))));
    assertThat(waits).isZero();
  }

  @Test
  void loopsInLoopsReadElementsByTheirNumbers() {
    String body =
        """
        input %x: f32[3,5]
        const %three: i64[] = [3]
        const %five: i64[] = [5]
        const %go: bool[] = [true]
        const %zero: f32[] = [0.0]
        %total: f32[], %sums: f32[3] = loop(%three, %go, %zero, %x, %five, %zero) {carried=1, iterations=3} graph "outer" {
          input %i: i64[]
          input %t: f32[]
          input %x: f32[3,5]
          input %five: i64[]
          input %zero: f32[]
          GO%s: f32[], %r: f32[5] = loop(%five, %go, %zero, %x, %i) {carried=1, iterations=5} graph "inner" {
            input %j: i64[]
            input %p: f32[]
            input %x: f32[3,5]
            input %i: i64[]
            const %more: bool[] = [true]
            %e: f32[] = elementwise(%x, %i, %j) { a0[a1, a2] }
            %q: f32[] = elementwise(%p, %e) { a0 + a1 }
            output %more
            output %q
            output %q
          }
          %last: f32[1] = slice(%r) {starts=[4]}
          %l: f32[] = reshape(%last)
          %u: f32[] = elementwise(%t, %l) { a0 * 10.0 + a1 }
          output %go
          output %u
          output %s
        }
        output %total
        output %sums
        """
            .replace("GO", GO);
    holds(body, List.of(List.of(random(3, 5))));
  }

  @Test
  void loopsInBranchesOfTheDevice() {
    String loop =
        """
        %n: f32[4] = loop(%k, %go, %x) {carried=1} graph "body" {
          input %i: i64[]
          input %p: f32[4]
          DECIDE
          %q: f32[4] = elementwise(%p) { a0 + 1.5 }
          output %go
          output %q
        }
        """;
    String body =
        """
        input %x: f32[4]
        %s: f32[] = reduce_sum(%x) {axes=[0]}
        %c: bool[] = elementwise(%s) { a0 > 0.0 }
        %y: f32[4] = if(%c, %x) graph "then" {
          input %x: f32[4]
          const %k: i64[] = [3]
          GOLOOP
          output %n
        } graph "else" {
          input %x: f32[4]
          %m: f32[4] = elementwise(%x) { neg(a0) }
          output %m
        }
        output %y
        """
            .replace("GO", GO);
    List<List<Tensor>> sets = List.of(List.of(floats(1, 2, 3, 4)), List.of(floats(-1, -2, -3, -4)));
    String counted = loop.replace("DECIDE", GO);
    assertThat(holds(body.replace("LOOP", counted), sets)).isZero();
    String decided =
        loop.replace(
            "DECIDE",
            """
            %t: f32[] = reduce_sum(%p) {axes=[0]}
            %go: bool[] = elementwise(%t) { a0 < 14.0 }
            """);
    assertThat(holds(body.replace("LOOP", decided), sets)).isEqualTo(2);
  }

  @Test
  void anUnrolledIterationIsAPartOfWhatIsAroundIt() {
    String body =
        """
        input %x: f32[N,4]
        %a: f32[N,8] = iteration(%x) {number=0} graph "body" {
          input %x: f32[N,4]
          %b: f32[N,8] = concat(%x, %x) {axis=1}
          output %b
        }
        %c: f32[N,12] = iteration(%a, %x) {number=1} graph "body" {
          input %a: f32[N,8]
          input %x: f32[N,4]
          %d: f32[N,12] = concat(%a, %x) {axis=1}
          output %d
        }
        output %c
        """;
    holds(body, List.of(List.of(rows(3)), List.of(rows(1))));
  }

  /// How many random graphs to run.
  abstract int randomGraphs();

  @Test
  void randomNestsGiveExactlyWhatTheInterpreterGives() {
    for (long seed = 0; seed < randomGraphs(); seed++) {
      String text = RandomNests.text(seed);
      List<List<Tensor>> sets = new ArrayList<>();
      for (int k = 0; k < 4; k++) {
        sets.add(List.of(wholes(seed + k, 1 + k, 4), wholes(seed - k, 4), count(k)));
      }
      try {
        holds(text, sets);
      } catch (RuntimeException | AssertionError e) {
        throw new AssertionError("seed " + seed + ":\n" + text, e);
      }
    }
  }

  /// How many random graphs to inject faults into.
  abstract int faultyGraphs();

  @Test
  void faultsInRandomNestsAreToldAsTheyHappenAndDoNoHarm() {
    int faults = 0;
    for (long seed = 0; seed < faultyGraphs(); seed++) {
      faults += FaultInjection.hold(rig, seed);
    }
    System.out.println(faults + " rows failed in " + faultyGraphs() + " random graphs");
    assertThat(faults).isGreaterThan(30 * faultyGraphs());
  }

  /// Whole numbers from −9 to 9.
  private static Tensor wholes(long seed, long... shape) {
    Random random = new Random(seed);
    long elements = Tensor.elements(shape);
    return floats(
        shape, DoubleStream.generate(() -> random.nextInt(-9, 10)).limit(elements).toArray());
  }
}
