package io.miniinference.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.ir.Graph;
import io.miniinference.ir.Tensor;
import io.miniinference.ir.text.GraphText;
import io.miniinference.plan.PlanOptions;
import io.miniinference.plan.certificate.Certificate;
import io.miniinference.plan.certificate.PlanHeader;
import io.miniinference.plan.planner.MemoryPlan;
import io.miniinference.plan.planner.Planner;
import io.miniinference.testing.device.OnEachDevice;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Programs of the kinds that the figures of *Memory Block Merging in Futhark* show, each with the
/// rows of 256 floats that it cannot do without and the copies that are left then. All compute what
/// the plain interpreter does.
@OnEachDevice
final class FiguresTest extends ControlRig {
  private static final long ROW_BYTES = 1024;

  /* Values of less than 256 bytes share these. */
  private static final long SLAB_BYTES = 256;

  private static final PlanHeader NOWHERE = new PlanHeader("g", "", 0, 0, 0, 0, 0);

  private static final String SELECT =
      """
      input %x: f32[8,256]
      input %a: f32[256]
      input %c: bool[]
      const %at: i64[1,1] = [2]
      """;

  private void needs(String body, int rows, int copies, List<List<Tensor>> sets) {
    holds(body, sets);
    Graph graph = GraphText.parse("graph \"g\" {\n" + body + "}\n");
    MemoryPlan plan = Planner.planAt(rig().lower(graph).plan(), 1, PlanOptions.upTo(1));
    Certificate certificate = Certificate.of(plan, 1, NOWHERE);
    assertThat(certificate.plannedBytes())
        .as(certificate::text)
        .isBetween(rows * ROW_BYTES, rows * ROW_BYTES + SLAB_BYTES);
    assertThat(certificate.copies()).as(certificate::text).isEqualTo(copies);
    assertThat(certificate.lowerBoundBytes()).isLessThanOrEqualTo(certificate.plannedBytes());
  }

  private static List<List<Tensor>> eitherWay(Tensor... before) {
    return List.of(with(truth(true), before), with(truth(false), before));
  }

  private static List<Tensor> with(Tensor last, Tensor... before) {
    List<Tensor> all = new ArrayList<>(List.of(before));
    all.add(last);
    return all;
  }

  /* 9.8: the first elements are few, so that they are copied, and all the rest is written over. */
  @Test
  void theFirstElementOfEachRowIsAddedToAllOfIt() {
    needs(
        """
        input %x: f32[8,256]
        %y: f32[8,256] = elementwise(%x) { a0 + 1.0 }
        %k: f32[8,1] = slice(%y) {starts=[0,0]}
        %z: f32[8,256] = elementwise(%y, %k) { a0 + a1[i0, 0] }
        output %z
        """,
        8, 0, List.of(List.of(wholes(1, 8, 256))));
  }

  /* 5.13 the other way round: the element is read before the row in which the value is built. */
  @Test
  void aRowIsBuiltOfOneOfItsOldElements() {
    needs(
        """
        input %x: f32[8,256]
        input %a: f32[256]
        const %at: i64[1,1] = [3]
        %old: f32[1,1] = slice(%x) {starts=[3,1]}
        %v: f32[1,256] = elementwise(%a, %old) { a0[i1] + a1[0, 0] }
        %y: f32[8,256] = scatter_nd(%x, %at, %v)
        output %y
        output %a
        """,
        9, 0, List.of(List.of(wholes(1, 8, 256), wholes(2, 256))));
  }

  /* 5.19 with the read first: both results are built in the row. */
  @Test
  void anElementIsReadBeforeABranchBuildsItsResultOverIt() {
    needs(
        SELECT
            + """
            %b: f32[256] = elementwise(%a) { a0 + 1.0 }
            %v: f32[256], %r: f32[1] = if(%c, %a, %b) graph "then" {
              input %a: f32[256]
              input %b: f32[256]
              %first: f32[1] = slice(%b) {starts=[0]}
              %d: f32[256] = elementwise(%a) { a0 * 2.0 }
              output %d
              output %first
            } graph "else" {
              input %a: f32[256]
              input %b: f32[256]
              const %zero: f32[1] = [0.0]
              output %b
              output %zero
            }
            %u: f32[1,256] = reshape(%v)
            %y: f32[8,256] = scatter_nd(%x, %at, %u)
            output %y
            output %r
            output %a
            """,
        9,
        0,
        eitherWay(wholes(1, 8, 256), wholes(2, 256)));
  }

  /* 5.20: one of the two is built in the row. */
  @Test
  void ofTwoValuesMadeBeforeABranchOneIsCopied() {
    needs(
        SELECT
            + """
            %p: f32[256] = elementwise(%a) { a0 + 1.0 }
            %q: f32[256] = elementwise(%a) { a0 * 2.0 }
            %v: f32[256] = if(%c, %p, %q) graph "then" {
              input %p: f32[256]
              input %q: f32[256]
              output %p
            } graph "else" {
              input %p: f32[256]
              input %q: f32[256]
              output %q
            }
            %u: f32[1,256] = reshape(%v)
            %y: f32[8,256] = scatter_nd(%x, %at, %u)
            output %y
            """,
        9,
        1,
        eitherWay(wholes(1, 8, 256), wholes(2, 256)));
  }

  /* 5.21 with the row itself as operand: each branch changes it in place. */
  @Test
  void bothBranchesChangeARowInPlace() {
    needs(
        """
        input %x: f32[8,256]
        input %c: bool[]
        const %at: i64[1] = [2]
        %old: f32[1,256] = slice(%x) {starts=[2,0]}
        %v: f32[1,256] = if(%c, %old) graph "then" {
          input %old: f32[1,256]
          %p: f32[1,256] = elementwise(%old) { a0 * 2.0 }
          output %p
        } graph "else" {
          input %old: f32[1,256]
          %q: f32[1,256] = elementwise(%old) { a0 + 1.0 }
          output %q
        }
        %u: f32[256] = reshape(%v)
        %y: f32[8,256] = scatter_nd(%x, %at, %u)
        output %y
        """,
        8, 0, eitherWay(wholes(1, 8, 256)));
  }

  /* chain2: the matrix cannot be built in the cube, which is read while it is there; the row can be
  built in the matrix. */
  @Test
  void ofAChainOnlyTheFirstLinkIsBuiltInPlace() {
    needs(
        """
        input %x: f32[3,3,256]
        input %a: f32[256]
        input %s: f32[]
        const %one: i64[1] = [1]
        const %two: i64[1] = [2]
        %cube: f32[3,3,256] = elementwise(%x) { a0 + 1.0 }
        %matrix: f32[3,256] = expand(%s)
        %row: f32[256] = elementwise(%a) { a0 + 1.0 }
        %k: f32[1] = slice(%row) {starts=[0]}
        %use: f32[3,3,256] = elementwise(%cube, %k) { a0 + a1[0] }
        %first: f32[3,256] = scatter_nd(%matrix, %one, %row)
        %second: f32[3,3,256] = scatter_nd(%cube, %two, %first)
        output %second
        output %use
        output %a
        """,
        22, 1, List.of(List.of(wholes(1, 3, 3, 256), wholes(2, 256), floats(new long[0], 7))));
  }

  /* if-nonexist: the matrix is filled before the branches, each of which builds a row of it. */
  @Test
  void branchesBuildRowsOfAMatrixThatWasFilledBeforeThem() {
    needs(
        """
        input %s: f32[]
        input %a: f32[256]
        input %c: bool[]
        %m: f32[4,256] = expand(%s)
        %y: f32[4,256] = if(%c, %m, %a) graph "then" {
          input %m: f32[4,256]
          input %a: f32[256]
          const %at: i64[1,1] = [0]
          %p: f32[1,256] = elementwise(%a) { a0[i1] * 2.0 }
          %r: f32[4,256] = scatter_nd(%m, %at, %p)
          output %r
        } graph "else" {
          input %m: f32[4,256]
          input %a: f32[256]
          const %at: i64[1,1] = [1]
          %q: f32[1,256] = elementwise(%a) { a0[i1] + 1.0 }
          %r: f32[4,256] = scatter_nd(%m, %at, %q)
          output %r
        }
        output %y
        output %a
        """,
        5, 0, eitherWay(floats(new long[0], 7), wholes(2, 256)));
  }

  /* 9.4: the state is built in the second half, and its initial value read from the first. */
  @Test
  void aLoopsStateIsBuiltBesideItsInitialValue() {
    needs(
        GO
            + """
            input %a: f32[256]
            const %trips: i64[] = [3]
            %s: f32[256] = loop(%trips, %go, %a) {carried=1} graph "body" {
              input %i: i64[]
              input %p: f32[256]
              const %more: bool[] = [true]
              %n: f32[256] = elementwise(%p) { a0 + 1.0 }
              output %more
              output %n
            }
            %y: f32[512] = concat(%a, %s) {axis=0}
            output %y
            """,
        2,
        0,
        List.of(List.of(wholes(1, 256))));
  }

  /* The state as each iteration finds it is one of the rows; then it is written over. */
  @Test
  void aStateIsCopiedToItsRowBeforeItIsChangedInPlace() {
    needs(
        GO
            + """
            input %a: f32[256]
            const %trips: i64[] = [4]
            %s: f32[256], %rows: f32[4,256] = loop(%trips, %go, %a) {carried=1, iterations=4} graph "body" {
              input %i: i64[]
              input %p: f32[256]
              const %more: bool[] = [true]
              %n: f32[256] = elementwise(%p) { a0 * 2.0 }
              output %more
              output %n
              output %p
            }
            output %s
            output %rows
            """,
        5,
        1,
        List.of(List.of(wholes(1, 256))));
  }

  /* n12 without its reversal: whichever branch runs, the state dies in it. */
  @Test
  void bothBranchesOfALoopChangeItsStateInPlace() {
    needs(
        GO
            + """
            input %a: f32[256]
            const %trips: i64[] = [4]
            %s: f32[256] = loop(%trips, %go, %a) {carried=1} graph "body" {
              input %i: i64[]
              input %p: f32[256]
              const %more: bool[] = [true]
              %even: bool[] = elementwise(%i) { mod(a0, 2) == 0 }
              %n: f32[256] = if(%even, %p) graph "then" {
                input %p: f32[256]
                %u: f32[256] = elementwise(%p) { a0 + 1.0 }
                output %u
              } graph "else" {
                input %p: f32[256]
                %u: f32[256] = elementwise(%p) { a0 * 3.0 }
                output %u
              }
              output %more
              output %n
            }
            output %s
            """,
        1,
        0,
        List.of(List.of(wholes(1, 256))));
  }
}
