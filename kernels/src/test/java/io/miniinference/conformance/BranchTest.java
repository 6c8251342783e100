package io.miniinference.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.interp.Interpreter;
import io.miniinference.ir.Graph;
import io.miniinference.ir.Tensor;
import io.miniinference.ir.text.GraphText;
import io.miniinference.testing.device.OnEachDevice;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What every writer's kernels and every device make of branches: what the plain interpreter makes
/// of them.
@OnEachDevice
final class BranchTest extends ControlRig {
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
    List<List<Tensor>> got = rig().run(graph, sets);
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
}
