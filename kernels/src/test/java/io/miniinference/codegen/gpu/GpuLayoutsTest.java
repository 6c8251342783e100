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

  /* As ShuffleNet has them, of twelve channels. */
  private Value shuffled() {
    Affine n = Affine.N;
    Value w = node.constant(Interpreter.allocate(ElementType.F32, 12, 8, 1, 1));
    Value image = node.conv(window(1), 1, image(), w);
    Value groups =
        node.reshape(image, List.of(n, Affine.of(2), Affine.of(6), Affine.of(6), Affine.of(5)));
    Value turned = node.transpose(groups, List.of(0, 2, 1, 3, 4));
    return node.reshape(turned, List.of(n, Affine.of(12), Affine.of(6), Affine.of(5)));
  }

  private static List<String> moves(Graph graph) {
    return steps(graph).stream()
        .filter(step -> step.kind() != Step.Kind.COMPUTE)
        .map(step -> step.output().index().toString())
        .toList();
  }

  /// A half of them is read where all of them were put.
  @Test
  void shuffledChannelsAreMovedOnceToWhereAConvolutionReadsThem() {
    Value half = node.slice(shuffled(), 1, Affine.of(6), Affine.of(6));
    Value w = node.constant(Interpreter.allocate(ElementType.F32, 8, 6, 1, 1));
    Graph built = graph.build(List.of(node.conv(window(1), 1, half, w)));

    assertThat(moves(built))
        .containsExactly("0+{N:240, 8:1, 6:40, 5:8}", "0+{N:360, 6:2, 2:1, 6:60, 5:12}");
  }

  @Test
  void shuffledChannelsThatNoConvolutionReadsAreInOrder() {
    Graph built = graph.build(List.of(node.softmax(1, false, shuffled())));

    assertThat(moves(built))
        .containsExactly("0+{N:240, 8:1, 6:40, 5:8}", "0+{N:360, 6:60, 2:30, 6:5, 5:1}");
  }
}
