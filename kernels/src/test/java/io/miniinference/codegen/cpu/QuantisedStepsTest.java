package io.miniinference.codegen.cpu;

import static io.miniinference.ir.Exprs.add;
import static io.miniinference.ir.Exprs.arg;
import static io.miniinference.ir.Exprs.cast;
import static io.miniinference.ir.Exprs.const_;
import static io.miniinference.ir.Exprs.max;
import static io.miniinference.ir.Exprs.min;
import static io.miniinference.ir.Exprs.mul;
import static io.miniinference.ir.Exprs.round;
import static io.miniinference.ir.Exprs.sub;
import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.codegen.CType;
import io.miniinference.interp.Interpreter;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Expr;
import io.miniinference.ir.Graph;
import io.miniinference.ir.Tensor;
import io.miniinference.ir.TensorType;
import io.miniinference.ir.Value;
import io.miniinference.ir.Window;
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

/// Convolutions of integers (QLinearConv) are direct convolutions of floats over weights of a byte
/// each, which shift, scale and round what they store.
final class QuantisedStepsTest {
  private static final long CHANNELS = 32;
  private static final long ZERO_POINT = 7;

  private final Random random = new Random(3);
  private final GraphBuilder graph = new GraphBuilder("quantised");

  private Value integers(int least, int greatest, long... shape) {
    int[] numbers = new int[Math.toIntExact(Tensor.elements(shape))];
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] = random.nextInt(least, greatest + 1);
    }
    return graph.constant(
        "w" + numbers.length + random.nextInt(), Tensor.of(numbers, shape).copy());
  }

  /* Of 8 bits, less its zero point, convolved, biased, and of 8 bits again. */
  private Value layer(String name, Value x) {
    var layer = graph.lowering(name, "QLinearConv");
    Expr centred = sub(cast(ElementType.I32, arg(0)), const_(ElementType.I32, ZERO_POINT));
    Value products =
        layer.conv(
            new Window(List.of(3, 3), List.of(1, 1), List.of(1, 1), List.of(1, 1), List.of(1, 1)),
            1,
            layer.elementwise(centred, x),
            integers(-127, 127, CHANNELS, CHANNELS, 3, 3));
    Value biased =
        layer.elementwise(add(arg(0), arg(1)), products, integers(-9000, 9000, CHANNELS, 1, 1));
    Expr scaled = mul(cast(ElementType.F32, arg(0)), const_(ElementType.F32, 0.0005));
    Expr shifted = add(round(scaled), cast(ElementType.F32, const_(ElementType.U8, ZERO_POINT)));
    Expr bounded = min(max(shifted, const_(ElementType.F32, 0.0)), const_(ElementType.F32, 255.0));
    return layer.elementwise(cast(ElementType.U8, bounded), biased);
  }

  private List<LoweredStep> steps() {
    List<Affine> shape = List.of(Affine.N, Affine.of(CHANNELS), Affine.of(8), Affine.of(8));
    Value x = graph.input("x", new TensorType(ElementType.U8, shape));
    Graph whole = graph.build(List.of(layer("second", layer("first", x))));
    CpuTarget target = new CpuTarget();
    Graph passed =
        Pipeline.standard(
                (node, inputs) -> Optional.of(Interpreter.results(node, inputs, Long.MAX_VALUE)),
                Long.MAX_VALUE,
                FusionOptions.of(target))
            .apply(whole);
    return Lowering.lower(passed, target, List.of()).steps();
  }

  @Test
  void convolutionsReadBytesAndStoreWhatTheNextOneReads() {
    List<LoweredStep> steps = steps();
    // x as floats, two convolutions, the second of which stores its sums in 8 bits, and these in
    // the
    // order of an output
    assertThat(steps).hasSize(4);
    for (LoweredStep step : steps.subList(1, 3)) {
      assertThat(step.strategy())
          .isInstanceOfSatisfying(
              CpuStrategy.DirectConv.class,
              direct -> assertThat(direct.weights().type()).isEqualTo(CType.I8));
    }
    assertThat(steps.subList(1, 3))
        .noneMatch(step -> step.strategy(CpuStrategy.class).algorithm(step).isPlain());
  }
}
