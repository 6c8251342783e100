package io.miniinference.conformance;

import static io.miniinference.conformance.WindowCases.weights;
import static io.miniinference.conformance.WindowCases.window;
import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.codegen.gpu.GpuTarget;
import io.miniinference.interp.Interpreter;
import io.miniinference.ir.Graph;
import io.miniinference.ir.Op;
import io.miniinference.ir.Value;
import io.miniinference.ir.Window;
import io.miniinference.pass.JoinProducts;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Convolutions that read a part of what several of one operand became.
@Tag("opencl")
final class JoinedConvolutionsTest {
  private static final Window POINT = window(2, 1, 1, 1, 0, 0);
  private static final Window THREE = window(2, 3, 1, 1, 1, 1);

  private static Value conv(Sheet s, Value x, long outputs, Window w) {
    return s.at("c").conv(w, 1, x, weights(s, outputs, x.type().dim(1).asConstant(), w));
  }

  /* Branches as an Inception block has them, each of them beginning with the same window. */
  private static Sheet branches(int each, Window first) {
    Sheet s = new Sheet("branches of " + each + " channels, " + first.kernel(), 290 + each);
    s.batches(1L, 3L);
    Value x = s.input(Sheet.batch(24, 9, 11));
    List<Value> joined =
        IntStream.range(0, 3).mapToObj(i -> conv(s, x, each + 4 * i, first)).toList();
    s.check("pointwise", conv(s, joined.get(0), 20, POINT));
    s.check("3 x 3", conv(s, joined.get(1), 32, THREE));
    s.check("5 x 5, two apart", conv(s, joined.get(2), 16, window(2, 5, 2, 1, 2, 2)));
    return s;
  }

  private static long convolutions(Graph graph) {
    return graph.nodes().stream().filter(node -> node.op() instanceof Op.Conv).count();
  }

  @ParameterizedTest
  @ValueSource(ints = {4, 12})
  void readTheirPartsInPlace(int each) {
    for (Window first : List.of(POINT, THREE)) {
      Sheet sheet = branches(each, first);
      Graph joined =
          new JoinProducts(
                  (node, inputs) -> Optional.of(Interpreter.results(node, inputs, Long.MAX_VALUE)),
                  new GpuTarget())
              .apply(sheet.graph());
      try (Rig rig = Writer.GPU.open()) {
        assertThat(convolutions(joined)).isEqualTo(4);
        assertThat(rig.generate(joined).launches()).as("with the input's own").hasSize(5);
        assertThat(sheet.differences(rig, joined, Sheet.Case::tolerance)).isEmpty();
      }
    }
  }
}
