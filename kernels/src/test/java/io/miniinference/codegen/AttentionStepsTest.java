package io.miniinference.codegen;

import static io.miniinference.ir.Exprs.add;
import static io.miniinference.ir.Exprs.arg;
import static io.miniinference.ir.Exprs.const_;
import static io.miniinference.ir.Exprs.mul;
import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.codegen.cpu.CpuTarget;
import io.miniinference.codegen.gpu.GpuTarget;
import io.miniinference.codegen.gpu.tile.TensorProducts;
import io.miniinference.interp.Interpreter;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Expr;
import io.miniinference.ir.Graph;
import io.miniinference.ir.Op;
import io.miniinference.ir.TensorType;
import io.miniinference.ir.Value;
import io.miniinference.ir.build.GraphBuilder;
import io.miniinference.layout.Affine;
import io.miniinference.lower.LoweredStep;
import io.miniinference.lower.Precision;
import io.miniinference.lower.Target;
import io.miniinference.lower.steps.Lowering;
import io.miniinference.pass.FuseAttention;
import io.miniinference.pass.FusionOptions;
import io.miniinference.pass.pipeline.Pipeline;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Attention as exporters write it is one step, with no array of scores.
final class AttentionStepsTest {
  private static final long HEADS = 12;
  private static final long LENGTH = 4096;

  private final GraphBuilder graph = new GraphBuilder("attention");

  /* Of positions, each with all its heads, as a product gives them. */
  private Value heads(String name, long size, List<Integer> permutation) {
    Value flat =
        graph.input(
            name,
            new TensorType(
                ElementType.F32,
                List.of(Affine.N, Affine.of(LENGTH), Affine.of(HEADS), Affine.of(size))));
    return graph.lowering(name + " turned", "Transpose").transpose(flat, permutation);
  }

  private static Stream<Target<?>> targets() {
    return Stream.of(new CpuTarget(), new GpuTarget());
  }

  private List<LoweredStep> steps(Target<?> target, Expr scores, long size, Value... others) {
    Value q = heads("q", 64, List.of(0, 2, 1, 3));
    Value k = heads("k", 64, List.of(0, 2, 3, 1));
    Value v = heads("v", size, List.of(0, 2, 1, 3));
    var layer = graph.lowering("layer", "Attention");
    Value product = layer.matMul(q, k);
    Value[] operands = new Value[others.length + 1];
    operands[0] = product;
    System.arraycopy(others, 0, operands, 1, others.length);
    Value weights = layer.op(new Op.Softmax(3, false), layer.elementwise(scores, operands));
    Graph passed =
        Pipeline.standard(
                (node, inputs) -> Optional.of(Interpreter.results(node, inputs, Long.MAX_VALUE)),
                Long.MAX_VALUE,
                FusionOptions.of(target))
            .apply(graph.build(List.of(layer.matMul(weights, v))));
    return Lowering.lower(new FuseAttention(target).apply(passed), target, List.of()).steps();
  }

  private static final Expr SCALED = mul(arg(0), const_(ElementType.F32, 0.125));

  private static void areOne(List<LoweredStep> steps) {
    assertThat(steps)
        .singleElement()
        .satisfies(
            step -> assertThat(step.strategy().algorithm(step).name()).startsWith("attention"));
  }

  @ParameterizedTest
  @MethodSource("targets")
  void scaledScoresAreNotStored(Target<?> target) {
    areOne(steps(target, SCALED, 64));
  }

  @ParameterizedTest
  @MethodSource("targets")
  void maskedScoresAreNotStored(Target<?> target) {
    TensorType mask =
        new TensorType(
            ElementType.F32, List.of(Affine.N, Affine.ONE, Affine.ONE, Affine.of(LENGTH)));
    areOne(steps(target, add(SCALED, arg(1)), 64, graph.input("mask", mask)));
  }

  /* Sixteen lanes hold no part of a value of ten. */
  @Test
  void valuesThatFillNoVectorsAreMultipliedApart() {
    assertThat(steps(new CpuTarget(), SCALED, 10)).hasSize(3);
  }

  @Test
  void onGpusValuesMayBeOfAnySize() {
    areOne(steps(new GpuTarget(), SCALED, 10));
  }

  /* On tensor cores the two products of as many keys take less time. */
  @Test
  void withTensorCoresLongOnesAreMultipliedApart() {
    assertThat(steps(new GpuTarget(TensorProducts.PTX, Precision.TF32), SCALED, 64)).hasSize(3);
  }
}
