package io.miniinference.codegen.cpu;

import static io.miniinference.ir.Exprs.arg;
import static io.miniinference.ir.Exprs.cast;
import static io.miniinference.ir.Exprs.sub;
import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.interp.Interpreter;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Graph;
import io.miniinference.ir.Tensor;
import io.miniinference.ir.TensorType;
import io.miniinference.ir.Value;
import io.miniinference.ir.build.GraphBuilder;
import io.miniinference.layout.Affine;
import io.miniinference.lower.LoweredStep;
import io.miniinference.lower.steps.Lowering;
import io.miniinference.pass.FusionOptions;
import io.miniinference.pass.pipeline.Pipeline;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class ByteProductsTest {
  private final Random random = new Random(3);
  private final GraphBuilder graph = new GraphBuilder("bytes");

  private Value integers(int least, int greatest, long... shape) {
    int[] numbers = new int[Math.toIntExact(Tensor.elements(shape))];
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] = random.nextInt(least, greatest + 1);
    }
    return graph.constant("w" + random.nextInt(), Tensor.of(numbers, shape).copy());
  }

  @Test
  void productsOfBytesAreOneStep() {
    Value x = graph.input("x", new TensorType(ElementType.U8, List.of(Affine.N, Affine.of(64))));
    Value z = graph.input("z", new TensorType(ElementType.U8, List.of()));
    var layer = graph.lowering("product", "MatMulInteger");
    Value centred =
        layer.elementwise(sub(cast(ElementType.I32, arg(0)), cast(ElementType.I32, arg(1))), x, z);
    Value sums = layer.matMul(centred, integers(-127, 127, 64, 48));
    Graph whole = graph.build(List.of(layer.elementwise(cast(ElementType.F32, arg(0)), sums)));
    CpuTarget target = new CpuTarget().withByteSums();
    Graph passed =
        Pipeline.standard(
                (node, inputs) -> Optional.of(Interpreter.results(node, inputs, Long.MAX_VALUE)),
                Long.MAX_VALUE,
                FusionOptions.of(target))
            .apply(whole);
    List<LoweredStep> steps = Lowering.lower(passed, target, List.of()).steps();
    assertThat(steps).hasSize(1);
  }
}
