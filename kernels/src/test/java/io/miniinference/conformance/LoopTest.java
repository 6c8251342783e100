package io.miniinference.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.ir.Tensor;
import io.miniinference.testing.device.OnEachDevice;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What every writer's kernels and every device make of loops: what the plain interpreter makes of
/// them.
@OnEachDevice
final class LoopTest extends ControlRig {
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
  void aLoopThatAloneReadsAGatherIsNoKernelThatCouldGatherItself() {
    String body =
        """
        input %a: f32[N,4]
        input %b: f32[N,4]
        const %trips: i64[] = [2]
        const %go: bool[] = [true]
        const %picks: i64[4] = [3, 1, 0, 2]
        %g: f32[N,4] = gather(%a, %picks) {axis=1}
        %x: f32[N,4], %y: f32[N,4] = loop(%trips, %go, %g, %b) {carried=2} graph "body" {
          input %i: i64[]
          input %p: f32[N,4]
          input %q: f32[N,4]
          const %more: bool[] = [true]
          %n: f32[N,4] = elementwise(%p, %q) { a0 - a1 * 0.5 }
          output %more
          output %n
          output %p
        }
        output %x
        output %y
        """;
    holds(body, List.of(List.of(rows(3), rows(3)), List.of(rows(0), rows(0))));
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

  /* A state that the whole of the next one is made of, so that the two are in two places. */
  private static final String RECURRENT =
      """
      input %x: f32[16,16]
      input %w: f32[16,16]
      input %trips: i64[]
      const %go: bool[] = [true]
      %h: f32[16,16] = loop(%trips, %go, %x, %w) {carried=1} graph "body" {
        input %i: i64[]
        input %p: f32[16,16]
        input %w: f32[16,16]
        GO%n: f32[16,16] = matmul(%p, %w)
        output %go
        output %n
      }
      output %h
      """
          .replace("GO", GO);

  private static List<List<Tensor>> recurrent(int... trips) {
    List<List<Tensor>> sets = new ArrayList<>();
    for (int count : trips) {
      sets.add(List.of(wholes(3, 16, 16), wholes(4, 16, 16), count(count)));
    }
    return sets;
  }

  @Test
  void aStateAlternatesBetweenTwoPlacesHoweverManyIterationsThereAre() {
    holds(RECURRENT, recurrent(0, 1, 2, 3, 4, 1, 0));
  }

  @Test
  void aStateAlternatesBetweenTwoPlacesWhileTheFirstIsKept() {
    holds(RECURRENT.replace("output %h", "output %h\noutput %x"), recurrent(0, 1, 2, 3));
    holds(
        RECURRENT
            .replace("input %trips: i64[]", "input %unused: i64[]\nconst %trips: i64[] = [3]")
            .replace("output %h", "output %h\noutput %x"),
        recurrent(0));
  }

  @Test
  void statesOfInnerLoopsAlternateInEachIterationOfTheOuterOne() {
    String body =
        """
        input %x: f32[16,16]
        input %w: f32[16,16]
        input %trips: i64[]
        const %go: bool[] = [true]
        %h: f32[16,16] = loop(%trips, %go, %x, %w, %trips) {carried=1} graph "body" {
          input %i: i64[]
          input %p: f32[16,16]
          input %w: f32[16,16]
          input %trips: i64[]
          GO%m: f32[16,16] = loop(%trips, %go, %p, %w) {carried=1} graph "inner" {
            input %j: i64[]
            input %q: f32[16,16]
            input %w: f32[16,16]
            GO%n: f32[16,16] = matmul(%q, %w)
            output %go
            output %n
          }
          %s: f32[16,16] = matmul(%m, %p)
          %t: f32[16,16] = elementwise(%s) { a0 / 1024.0 }
          output %go
          output %t
        }
        output %h
        """
            .replace("GO", GO);
    holds(body, recurrent(0, 1, 2, 3));
  }

  @Test
  void twoStatesAlternateBesideOneThatDoesNot() {
    String body =
        """
        input %x: f32[16,16]
        input %w: f32[16,16]
        input %trips: i64[]
        const %go: bool[] = [true]
        %a: f32[16,16], %b: f32[16,16], %c: f32[16,16] = loop(%trips, %go, %x, %w, %x) {carried=3} graph "body" {
          input %i: i64[]
          input %p: f32[16,16]
          input %q: f32[16,16]
          input %r: f32[16,16]
          GO%m: f32[16,16] = matmul(%p, %q)
          %n: f32[16,16] = elementwise(%m) { a0 / 64.0 }
          %o: f32[16,16] = transpose(%q) {permutation=[1,0]}
          %u: f32[16,16] = elementwise(%o, %m) { a0 + a1 / 256.0 }
          %s: f32[16,16] = elementwise(%r) { a0 + 1.0 }
          output %go
          output %n
          output %u
          output %s
        }
        output %a
        output %b
        output %c
        """
            .replace("GO", GO);
    holds(body, recurrent(0, 1, 2, 3, 4));
  }
}
