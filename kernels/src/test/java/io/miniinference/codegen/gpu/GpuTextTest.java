package io.miniinference.codegen.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.device.Launch;
import io.miniinference.interp.Interpreter;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Expr;
import io.miniinference.ir.Exprs;
import io.miniinference.ir.Graph;
import io.miniinference.ir.TensorType;
import io.miniinference.ir.Value;
import io.miniinference.ir.Window;
import io.miniinference.ir.build.GraphBuilder;
import io.miniinference.layout.Affine;
import io.miniinference.lower.Generated;
import io.miniinference.lower.steps.Lowering;
import java.util.List;
import org.junit.jupiter.api.Test;

/// The text that the GPU writer makes.
final class GpuTextTest {
  private static Generated generate(Graph graph) {
    GpuTarget generator = new GpuTarget();
    return generator.generate(Lowering.lower(graph, generator, List.of()));
  }

  private static Graph negation(int columns) {
    GraphBuilder graph = new GraphBuilder("negation");
    Value x =
        graph.input(
            "x",
            new TensorType(ElementType.F32, List.of(Affine.N, Affine.of(3), Affine.of(columns))));
    Expr negated = new Expr.Unary(Expr.UnaryOp.NEG, Exprs.arg(0));
    return graph.build(List.of(graph.lowering("y", "Neg").elementwise(negated, x)));
  }

  private static Graph convolution() {
    GraphBuilder graph = new GraphBuilder("convolution");
    io.miniinference.ir.build.Lowering node = graph.lowering("conv", "Conv");
    List<Affine> shape = List.of(Affine.N, Affine.of(8), Affine.of(9), Affine.of(9));
    Value x = graph.input("x", new TensorType(ElementType.F32, shape));
    Value w = node.constant(Interpreter.allocate(ElementType.F32, 8, 8, 3, 3));
    List<Integer> one = List.of(1, 1);
    Window window = new Window(List.of(3, 3), one, one, one, one);
    return graph.build(List.of(node.conv(window, 1, node.conv(window, 1, x, w), w)));
  }

  @Test
  void aWorkItemPerElementInTheOrderOfMemory() {
    Generated generated = generate(negation(5));
    assertThat(generated.code().source())
        .isEqualTo(
            """
            // A work item owns one element of the result; neighbouring work items have neighbours in the order of its memory,
            // so that they store, and as far as layouts agree read, side by side.
            kernel __attribute__((reqd_work_group_size(128,1,1))) void \
            neg_0(global uchar* pool, const int n, const int first, const ulong o0, const ulong o1) {
              if (n < 0) return;
              global const float* x0 = (global const float*)(pool + o0);
              global float* y = (global float*)(pool + o1);
              const long item = ((long)first + get_group_id(0)) * 128 + get_local_id(0);
              if (item >= (15*(long)n)) return;
              const long i0 = item / 15;
              const uint i0_rest = (uint)(item % 15);
              const long i1 = i0_rest / 5u % 3u;
              const long i2 = i0_rest % 5u;
              y[(i0)*15 + (i1)*5 + i2] = (-(x0[(i0)*15 + (i1)*5 + i2]));
            }

            """);
    assertThat(generated.launches().getFirst().work())
        .isEqualTo(new Launch.Groups(List.of(new Launch.Extent(Affine.batch(15), 128, 128))));
  }

  @Test
  void wholeVectorsAreLoadedAndStoredAtOnce() {
    assertThat(generate(negation(8)).code().source())
        .contains("const float4 v0 = *(global const float4*)(x0 + (i0)*24 + (i1)*8 + i2);")
        .contains("r0.w = (-(v0.w));")
        .contains("*(global float4*)(y + (i0)*24 + (i1)*8 + i2) = r0;");
  }

  @Test
  void theSameGraphGivesTheSameText() {
    assertThat(generate(convolution())).isEqualTo(generate(convolution()));
  }

  @Test
  void convolutionsReadFourChannelsAtATimeAndShareTheirWeights() {
    Generated generated = generate(convolution());
    assertThat(generated.code().source())
        .contains("*(global const float4*)(x0 + a_image[i]")
        .doesNotContain("vload4");
    assertThat(generated.launches()).as("a conversion and two convolutions").hasSize(3);
  }
}
