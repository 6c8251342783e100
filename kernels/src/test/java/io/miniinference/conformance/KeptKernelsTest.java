package io.miniinference.conformance;

import static io.miniinference.ir.Exprs.arg;
import static io.miniinference.ir.Exprs.const_;
import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.Expr;
import io.miniinference.ir.Graph;
import io.miniinference.ir.Op;
import io.miniinference.ir.Tensor;
import io.miniinference.ir.TensorType;
import io.miniinference.ir.Value;
import io.miniinference.ir.Window;
import io.miniinference.ir.build.GraphBuilder;
import io.miniinference.layout.Affine;
import io.miniinference.lower.LoweredStep;
import io.miniinference.lower.Target;
import io.miniinference.lower.TargetProvider;
import io.miniinference.lower.Targets;
import io.miniinference.lower.steps.Lowering;
import io.miniinference.pass.FuseElementwise;
import io.miniinference.pass.FusionOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// What a target accepts as an epilogue does not cost a convolution, a matrix product or a pool the
/// kernel that it has by itself.
final class KeptKernelsTest {
  private static final Expr HALF = const_(ElementType.F32, 0.5);

  private static Stream<Target<?>> targets() {
    return Targets.all().stream().map(TargetProvider::target);
  }

  /// Operators whose epilogues are asked about.
  private enum Host {
    CONVOLUTION,
    TRANSPOSED_CONVOLUTION,
    PRODUCT,
    POOL;

    private static final Window WINDOW = WindowCases.window(2, 3, 1, 1, 1, 1);

    Value in(GraphBuilder graph) {
      return switch (this) {
        case CONVOLUTION -> convolution(graph);
        case TRANSPOSED_CONVOLUTION ->
            graph
                .lowering("h", "ConvTranspose")
                .convTranspose(
                    WINDOW, 1, List.of(0, 0), image(graph), weights(graph, 32, 32, 3, 3));
        case PRODUCT ->
            graph
                .lowering("h", "MatMul")
                .matMul(graph.input("x", type(Sheet.batch(7, 64))), weights(graph, 64, 32));
        case POOL ->
            graph.lowering("h", "MaxPool").pool(Op.PoolKind.MAX, WINDOW, false, convolution(graph));
      };
    }

    private static Value image(GraphBuilder graph) {
      return graph.input("x", type(Sheet.batch(32, 8, 8)));
    }

    private static Value convolution(GraphBuilder graph) {
      return graph
          .lowering("c", "Conv")
          .conv(WINDOW, 1, image(graph), weights(graph, 32, 32, 3, 3));
    }

    private static Value weights(GraphBuilder graph, long... shape) {
      return graph.constant("w", numbers(shape));
    }
  }

  private static Tensor numbers(long... shape) {
    return Data.NORMAL.fill(new Random(1), ElementType.F32, shape);
  }

  private static TensorType type(List<Affine> shape) {
    return new TensorType(ElementType.F32, shape);
  }

  /// What else a function reads.
  private enum Operand {
    NUMBER,
    CONSTANT_PER_LANE,
    INPUT_PER_LANE,
    INPUT,
    CONVERTED_INPUT;

    Value in(GraphBuilder graph, Value host) {
      List<Affine> shape = host.type().shape();
      return switch (this) {
        case NUMBER -> graph.constant("s", numbers());
        case CONSTANT_PER_LANE -> graph.constant("s", numbers(lanes(shape)));
        case INPUT_PER_LANE -> graph.input("s", type(Sheet.dims(lanes(shape))));
        case INPUT -> graph.input("s", type(shape));
        case CONVERTED_INPUT ->
            graph
                .lowering("s", "Cast")
                .elementwise(
                    new Expr.Cast(ElementType.F32, arg(0)),
                    graph.input("s", new TensorType(ElementType.BOOL, shape)));
      };
    }

    private static long[] lanes(List<Affine> shape) {
      return shape.size() == 4 ? new long[] {32, 1, 1} : new long[] {32};
    }
  }

  private static Graph graph(Host host, Expr function, Operand operand) {
    GraphBuilder graph = new GraphBuilder("g");
    Value h = host.in(graph);
    Value s = operand.in(graph, h);
    Value y = graph.lowering("f", "Test").elementwise(function, h.type().shape(), List.of(h, s));
    return graph.build(List.of(y));
  }

  private static Graph graph(Host host) {
    GraphBuilder graph = new GraphBuilder("g");
    return graph.build(List.of(host.in(graph)));
  }

  private static Graph fused(Target<?> target, Graph graph) {
    return new FuseElementwise(FusionOptions.of(target)).apply(graph);
  }

  /* What the target chose for the host; copies and what is elementwise by itself are left out. */
  private static List<Class<?>> kernels(Target<?> target, Graph graph) {
    List<Class<?>> chosen = new ArrayList<>();
    for (LoweredStep step : Lowering.lower(graph, target, List.of()).steps()) {
      if (!(step.node().op() instanceof Op.Elementwise)) {
        chosen.add(step.strategy().getClass());
      }
    }
    return chosen;
  }

  private static List<String> lost(Target<?> target, ElementType result) {
    List<String> lost = new ArrayList<>();
    for (Host host : Host.values()) {
      List<Class<?>> plain = kernels(target, graph(host));
      for (Operand operand : Operand.values()) {
        Map<String, Expr> functions = EpilogueCases.functions(arg(0), arg(1), result);
        functions.forEach((name, function) -> {
          Graph fused = fused(target, graph(host, function, operand));
          if (!kernels(target, fused).equals(plain)) {
            lost.add(host + " " + name + " " + operand);
          }
        });
      }
    }
    return lost;
  }

  @ParameterizedTest
  @MethodSource("targets")
  void everyFunctionKeepsTheKernelBeforeIt(Target<?> target) {
    assertThat(lost(target, ElementType.F32)).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("targets")
  void everyTestKeepsTheKernelBeforeIt(Target<?> target) {
    assertThat(lost(target, ElementType.BOOL)).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("targets")
  void everyFunctionOfTheResultAloneIsFused(Target<?> target) {
    for (Host host : Host.values()) {
      EpilogueCases.functions(arg(0), HALF, ElementType.F32)
          .forEach((name, function) ->
              assertThat(fused(target, graph(host, function, Operand.NUMBER)).nodes())
                  .as(host + " " + name)
                  .hasSameSizeAs(graph(host).nodes()));
    }
  }
}
