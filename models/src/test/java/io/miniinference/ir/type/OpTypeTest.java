package io.miniinference.ir.type;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.miniinference.ir.Graph;
import io.miniinference.ir.Node;
import io.miniinference.ir.OpNames;
import io.miniinference.ir.text.GraphText;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Each row is a node as text; its operands are `%a`, `%b`, … of the listed types.
final class OpTypeTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '`',
      value = {
        "f32[N,1,4] f32[3,1]; f32[N,3,4] = elementwise(%a, %b) { a0 * a1 }",
        "; i64[2N,3] = elementwise() { i0 * size(N) + i1 }",
        "f32[N,5] i64[2]; f32[2,5] = elementwise(%a, %b) { a0[a1[i0], i1] }",
        "f32[N,3,4]; f32[N,4] = reduce_sum(%a) {axes=[1]}",
        "f32[N,3,4]; f32[N,1,1] = reduce_max(%a) {axes=[1,2], keep=true} map { a0 * a0 }",
        "f32[N,3,4]; bool[N] = reduce_max(%a) {axes=[1,2]} map { a0 > 0.0 }",
        "f32[N,3]; i64[N] = reduce_arg_max(%a) {axes=[1]}",
        "f32[N,6]; f32[2N,3] = reshape(%a)",
        "f32[0,N]; f32[5,0] = reshape(%a)",
        "f32[N,3,4]; f32[3,4,N] = transpose(%a) {permutation=[1,2,0]}",
        "f32[N,10]; f32[N,3] = slice(%a) {starts=[0,9], steps=[1,-4]}",
        "f32[2N]; f32[N] = slice(%a) {starts=[N]}",
        "f32[N]; f32[1] = slice(%a) {starts=[-1+N]}",
        "f32[5]; f32[0] = slice(%a) {starts=[7]}",
        "f32[3,1]; f32[N,3,7] = expand(%a)",
        "f32[N,2] f32[N,3]; f32[N,5] = concat(%a, %b) {axis=1}",
        "f32[N] f32[2N]; f32[3N] = concat(%a, %b) {axis=0}",
        "f32[10,4] i32[N,7]; f32[N,7,4] = gather(%a, %b) {axis=0}",
        "f32[N,4] i64[]; f32[N] = gather(%a, %b) {axis=1}",
        "f32[N,4] i64[N,7]; f32[N,7] = gather_elements(%a, %b) {axis=1}",
        "f32[10,4] i64[N,3]; f32[N,3] = gather_elements(%a, %b) {axis=0}",
        "f32[N,4] i64[2N,3]; f32[2N,3] = gather_elements(%a, %b) {axis=0, fromEnd=false, ignored=-100}",
        "f32[10,4,5] i64[N,3,2]; f32[N,3,5] = gather_nd(%a, %b)",
        "f32[10,4] i64[2]; f32[] = gather_nd(%a, %b)",
        "f32[N,4,5] i64[N,3,1]; f32[N,3,5] = gather_nd(%a, %b) {batchDims=1}",
        "f32[N,4] i64[N,7] f32[N,7]; f32[N,4] = scatter_elements(%a, %b, %c) {axis=1, kind=add}",
        "i8[N,4,5] i64[N,3,2] i8[N,3,5]; i8[N,4,5] = scatter_nd(%a, %b, %c) {kind=max}",
        "bool[10,4] i64[N] bool[N,4]; bool[10,4] = scatter(%a, %b, %c) {axis=0}",
        "f32[N,1,2,3] f32[5,3,4]; f32[N,5,2,4] = matmul(%a, %b)",
        "i32[3,2] i32[4,3]; i32[2,4] = matmul(%a, %b) {transposeA=true, transposeB=true}",
        "f32[N,4,28,28] f32[8,2,5,5]; f32[N,8,28,28] = conv(%a, %b) {kernel=[5,5], padsBegin=[2,2], padsEnd=[2,2], groups=2}",
        "f32[N,4,9] f32[8,4,3]; f32[N,8,3] = conv(%a, %b) {kernel=[3], strides=[2], dilations=[2]}",
        "f32[N,4,3] f32[4,2,3]; f32[N,4,8] = conv_transpose(%a, %b) {kernel=[3], strides=[2], groups=2, outputPads=[1]}",
        "f32[N,4,4] ; f32[N,4,2] = pool_max(%a) {kernel=[3], strides=[2], padsBegin=[0], padsEnd=[1], ceil=true}",
        "f32[1,1,4] ; f32[1,1,2] = pool_max(%a) {kernel=[1], strides=[2], ceil=true}",
        "f32[1,1,4] ; f32[1,1,2] = pool_average(%a) {kernel=[3], strides=[2], ceil=true}",
        "f32[N,4] ; f32[N,4] = log_softmax(%a) {axis=1}",
        "f16[N,4] ; f16[N,4] = normalize(%a) {axes=[1], epsilon=1.0E-5}",
        "i64[N,4] ; i64[N,4] = scan_sum(%a) {axis=1, exclusive=true}",
        "f32[N,4] f32[4,5] f32[5] bool[N,1]; bool[N,5] = matmul(%a, %b) epilogue(%c, %d) { a0 + a1 > 0.0 && a2 }",
      })
  void theOperandsDecideTheResult(String operands, String node) {
    Graph graph = graph(operands, node);
    Node only = graph.nodes().getFirst();
    assertThat(OpType.of(only)).isEqualTo(only.output().type());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '`',
      value = {
        "f32[N] f32[3]; f32[3] = elementwise(%a, %b) { a0 + a1 }; operand 0 f32[N] does not broadcast to [3]",
        "f32[N]; f32[N] = elementwise(%a) { a0 + f32(i1) }; i1 is no axis of rank 1",
        "f32[N,2]; f32[N] = elementwise(%a) { a0[i0] }; of rank 2",
        "f32[N]; f32[] = reduce_sum(%a) {axes=[1]}; axis 1 is outside [0, 0]",
        "f32[N]; f32[] = reduce_sum(%a) {axes=[0]} map { f32(i0) }; no index",
        "f32[N,2]; i64[] = reduce_arg_min(%a) {axes=[0,1]}; takes one axis",
        "f32[N,3]; f32[N,2] = reshape(%a); not as many elements",
        "f32[4]; f32[N] = reshape(%a); not as many elements",
        "f32[4,4]; f32[4,4] = transpose(%a) {permutation=[1,1]}; no permutation",
        "f32[4]; f32[3] = slice(%a) {starts=[2]}; indices 2 to 4 of 4",
        "f32[N]; f32[2] = slice(%a); indices 0 to 1 of N",
        "f32[N,2] f32[2]; f32[N,4] = concat(%a, %b) {axis=1}; ranks differ",
        "f32[N] f32[2]; f32[N] = concat(%a, %b) {axis=0}; would be 2+N",
        "f32[4] f32[2]; f32[2] = gather(%a, %b) {axis=0}; indices must be integers",
        "f32[4,4] i64[4]; f32[4] = gather_elements(%a, %b) {axis=0}; differ in rank",
        "f32[4,4] i64[4,5]; f32[4,5] = gather_elements(%a, %b) {axis=0}; axis 1 has 5 indices and 4 elements",
        "f32[4,4] i64[N,4]; f32[N,4] = gather_elements(%a, %b) {axis=1}; axis 0 has N indices and 4 elements",
        "f32[4,4] i64[]; f32[] = gather_nd(%a, %b); an axis of tuples",
        "f32[4,4] i64[3]; f32[] = gather_nd(%a, %b); tuples of 3 indices for 2 axes",
        "f32[4,4] i64[4,2]; f32[4] = gather_nd(%a, %b) {batchDims=1}; tuples of 2 indices for 1 axes",
        "f32[4,4] i64[2,0]; f32[2,4,4] = gather_nd(%a, %b); tuples of 0 indices",
        "f32[4,4] i64[2,N]; f32[2] = gather_nd(%a, %b); tuples of N indices",
        "f32[4,4] i64[2,1]; f32[2] = gather_nd(%a, %b) {batchDims=1}; the first 1 axes differ",
        "f32[4,4] i64[4,1]; f32[4] = gather_nd(%a, %b) {batchDims=2}; 2 axes in common are too many",
        "f32[4,4] i64[4,3] f32[4,4]; f32[4,4] = scatter_elements(%a, %b, %c) {axis=1}; updates must be f32[4,3]",
        "f32[4,4] i64[2,1] f32[2]; f32[4,4] = scatter_nd(%a, %b, %c); updates must be f32[2,4]",
        "f32[4,4] i64[2,1] f16[2,4]; f32[4,4] = scatter_nd(%a, %b, %c); updates must be f32[2,4]",
        "bool[4] i64[2,1] bool[2]; bool[4] = scatter_nd(%a, %b, %c) {kind=add}; needs numbers",
        "f32[4] i64[2,1]; f32[4] = scatter_nd(%a, %b); takes 3 operands",
        "f32[2,3] f32[4,5]; f32[2,5] = matmul(%a, %b); inner dimensions 3 and 4 differ",
        "f32[2,3,3] f32[4,3,3]; f32[2,3,3] = matmul(%a, %b); leading axes [2] and [4] differ",
        "f32[N,3,9] f32[8,4,3]; f32[N,8,7] = conv(%a, %b) {kernel=[3]}; X has 3 channels",
        "f32[N,4,9] f32[8,4,5]; f32[N,8,7] = conv(%a, %b) {kernel=[3]}; not that of kernel",
        "f32[1,4,N] f32[8,4,3]; f32[1,8,N] = conv(%a, %b) {kernel=[3]}; depends on the batch",
        "f32[1,1,2]; f32[1,1,1] = pool_max(%a) {kernel=[3]}; does not fit spatial axis 0",
        "f32[1,1,2]; f32[1,1,1] = pool_max(%a) {kernel=[3], strides=[0]}; strides [0]",
        "f32[1,1,2]; f32[1,1,1] = pool_max(%a) {kernel=[2147483647], dilations=[2147483647]}; window of",
        "i64[N,4]; i64[N,4] = softmax(%a) {axis=1}; needs floats",
        "f32[N,4] f32[4,5] f32[7,1,5]; f32[N,5] = matmul(%a, %b) epilogue(%c) { a0 + a1 }; does not broadcast",
        "f32[N,4] f32[4,5]; f32[N,5] = matmul(%a, %b) epilogue { a0[i0,i1] }; at other indices",
        "f32[N,1] f32[N]; f32[N,N] = elementwise(%a, %b) { a0 * a1 }; N squared",
        "f32[4,4611686018427387904] ; f32[4,4] = reshape(%a); too large",
      })
  void whatDoesNotFitIsNamed(String operands, String node, String reason) {
    Node only = graph(operands, node).nodes().getFirst();
    assertThatThrownBy(() -> OpType.of(only))
        .isInstanceOf(ShapeException.class)
        .hasMessageContaining(reason)
        .hasMessageStartingWith(OpNames.of(only.op()) + "(");
  }

  @Test
  void anElementwiseNodeHasNoEpilogue() {
    Graph graph = graph("f32[2]", "f32[2] = elementwise(%a) { a0 } epilogue { a0 }");
    assertThatThrownBy(() -> OpType.of(graph.nodes().getFirst()))
        .hasMessageContaining("has no epilogue");
  }

  private static Graph graph(String operands, String node) {
    StringBuilder text = new StringBuilder("graph \"g\" {\n");
    char name = 'a';
    for (String type :
        operands == null || operands.isBlank() ? new String[0] : operands.trim().split(" ")) {
      text.append("input %").append(name++).append(": ").append(type).append('\n');
    }
    return GraphText.parse(text + "%y: " + node + "\noutput %y }");
  }
}
