package io.miniinference.pass.views;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.interp.Interpreter;
import io.miniinference.ir.Graph;
import io.miniinference.ir.Op;
import io.miniinference.ir.Tensor;
import io.miniinference.ir.text.GraphText;
import io.miniinference.ir.type.GraphCheck;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// A network as Keras writes it gives the same bits when it is computed channels first, and when
/// windows pad by themselves. No two axes are of one size.
final class ChannelsLastTest {
  private static final String NETWORK =
      """
      graph "g" {
        input %x: f32[N,9,7,3]
        input %w: f32[4,3,3,3]
        input %v: f32[6,8,2,2]
        const %b: f32[4] = [1.0, -2.0, 3.0, -4.0]
        const %m: f32[1,1,1,4] = [0.5, 2.0, -1.0, 0.25]
        %x1: f32[N,11,8,3] = elementwise(%x) { select(i1 - 1 >= 0 && i1 - 1 < 9 && (i2 >= 0 && i2 < 7), a0[i0, i1 - 1, i2, i3], 0.0) }
        %x2: f32[N,3,11,8] = transpose(%x1) {permutation=[0,3,1,2]}
        %c: f32[N,4,9,6] = conv(%x2, %w) {kernel=[3,3]}
        %t: f32[N,9,6,4] = transpose(%c) {permutation=[0,2,3,1]}
        %a: f32[N,9,6,4] = elementwise(%t, %b, %m) { max((a0 + a1) * a2, 0.0) }
        %p: f32[N,10,7,4] = elementwise(%a) { select(i1 >= 0 && i1 < 9 && (i2 - 1 >= 0 && i2 - 1 < 6), a0[i0, i1, i2 - 1, i3], 0.0) }
        %u: f32[N,4,10,7] = transpose(%p) {permutation=[0,3,1,2]}
        %l: f32[N,4,5,3] = pool_max(%u) {kernel=[2,2], strides=[2,2]}
        %k: f32[N,5,3,4] = transpose(%l) {permutation=[0,2,3,1]}
        %s: f32[N,1,1,4] = reduce_sum(%k) {axes=[1,2], keep=true}
        %g: f32[N,5,3,4] = elementwise(%k, %s) { a0 * a1 }
        %r: f32[N,5,3,2] = slice(%g) {starts=[0,0,0,2]}
        %q: f32[N,5,3,2] = slice(%k) {starts=[0,0,0,1]}
        %j: f32[N,5,3,8] = concat(%r, %g, %q) {axis=3}
        %o: f32[N,8,5,3] = transpose(%j) {permutation=[0,3,1,2]}
        %d: f32[N,6,4,2] = conv(%o, %v) {kernel=[2,2]}
        %e: f32[N,4,2,6] = transpose(%d) {permutation=[0,2,3,1]}
        %h: f32[N,6] = reduce_sum(%e) {axes=[1,2]} map { a0 * a0 }
        %y: f32[N,4,2,6] = elementwise(%e) { a0 - 1.0 }
        output %j
        output %y
        output %h
      }
      """;

  private final Random random = new Random(5);

  private Tensor numbers(long... shape) {
    float[] numbers = new float[(int) Tensor.elements(shape)];
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] = random.nextInt(-3, 4); // sums are exact in any order
    }
    return Tensor.of(numbers, shape);
  }

  @Test
  void answersAreTheSame() {
    Graph before = GraphCheck.check(GraphText.parse(NETWORK));
    Graph moved = GraphCheck.check(new ChannelsFirst().apply(before));
    Graph padded = GraphCheck.check(new PadsInWindows().apply(moved));
    List<Tensor> inputs = List.of(numbers(2, 9, 7, 3), numbers(4, 3, 3, 3), numbers(6, 8, 2, 2));

    assertThat(transposes(before)).isEqualTo(6);
    assertThat(transposes(moved)).isEqualTo(5); // of the input, of outputs, and of two constants
    assertThat(moved.nodes()).hasSizeGreaterThan(padded.nodes().size());
    for (Graph after : List.of(moved, padded)) {
      List<Tensor> expected = Interpreter.run(before, inputs);
      List<Tensor> answers = Interpreter.run(after, inputs);
      for (int k = 0; k < expected.size(); k++) {
        assertThat(answers.get(k).data().mismatch(expected.get(k).data())).isEqualTo(-1);
      }
    }
  }

  private static long transposes(Graph graph) {
    return graph.nodes().stream()
        .filter(node ->
            node.op() instanceof Op.View view && view.map().toString().contains("Transpose"))
        .count();
  }
}
