package io.miniinference.codegen.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.interp.Interpreter;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Graph;
import io.miniinference.ir.TensorType;
import io.miniinference.ir.Value;
import io.miniinference.ir.Window;
import io.miniinference.ir.build.GraphBuilder;
import io.miniinference.layout.Affine;
import io.miniinference.lower.LoweredStep;
import io.miniinference.lower.steps.Lowering;
import io.miniinference.plan.Step;
import java.util.List;
import org.junit.jupiter.api.Test;

/// In which order GPUs keep the axes of images.
final class GpuLayoutsTest {
  private static final List<Integer> TO_LAST = List.of(0, 2, 3, 1);
  private static final List<Integer> TO_SECOND = List.of(0, 3, 1, 2);

  private final GraphBuilder graph = new GraphBuilder("images");
  private final io.miniinference.ir.build.Lowering node = graph.lowering("node", "Test");

  private static Window window(int kernel) {
    List<Integer> one = List.of(1, 1);
    List<Integer> pads = List.of(kernel / 2, kernel / 2);
    return new Window(List.of(kernel, kernel), one, one, pads, pads);
  }

  private Value image() {
    List<Affine> shape = List.of(Affine.N, Affine.of(8), Affine.of(6), Affine.of(5));
    return graph.input("x", new TensorType(ElementType.F32, shape));
  }

  private Value depthwise(Value x) {
    Value w = node.constant(Interpreter.allocate(ElementType.F32, 8, 1, 7, 7));
    return node.conv(window(7), 8, x, w);
  }

  private Value normalized(Value x) {
    Value channelsLast = node.transpose(x, TO_LAST);
    return node.transpose(node.normalize(List.of(3), 1e-5, false, channelsLast), TO_SECOND);
  }

  private static List<LoweredStep> steps(Graph graph) {
    return Lowering.lower(graph, new GpuTarget(), List.of()).steps();
  }

  /// A block of ConvNeXt: the image is put in order once, and its transpositions cost nothing.
  @Test
  void whatIsReadWithItsChannelsOnTheLastAxisIsWrittenSo() {
    List<LoweredStep> steps =
        steps(graph.build(List.of(depthwise(normalized(depthwise(image()))))));

    assertThat(steps)
        .extracting(s -> s.kind())
        .containsExactly(
            Step.Kind.CONVERT, Step.Kind.COMPUTE, Step.Kind.COMPUTE, Step.Kind.COMPUTE);
    assertThat(GpuLayouts.isChannelsLast(steps.get(1).output().index())).isTrue();
    assertThat(steps.get(2).output().index().hasRowMajorStrides()).isTrue();
  }
}
