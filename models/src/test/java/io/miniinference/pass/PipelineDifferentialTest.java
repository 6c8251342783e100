package io.miniinference.pass;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.interp.Interpreter;
import io.miniinference.interp.memory.DataFailure;
import io.miniinference.ir.ElementBits;
import io.miniinference.ir.Expr;
import io.miniinference.ir.Graph;
import io.miniinference.ir.Op;
import io.miniinference.ir.Tensor;
import io.miniinference.ir.text.GraphText;
import io.miniinference.pass.pipeline.Pipeline;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What the pipeline makes of a graph gives the same bits, or the same first failure.
final class PipelineDifferentialTest {
  private static final int SEEDS = 600;
  private static final Pipeline STANDARD =
      Pipeline.standard(Passes::evaluate, 1 << 20, FusionOptions.all());

  @Test
  void theStandardPipelineKeepsEveryBitAndTheFirstFailure() {
    int fused = 0;
    int failed = 0;
    int nested = 0;
    for (long seed = 0; seed < SEEDS; seed++) {
      Graph before = new DeadCode().apply(RandomGraph.of(seed));
      Graph after = STANDARD.apply(before);
      List<Tensor> inputs = RandomGraph.inputs(before, seed, 2);
      String expected = outcome(before, inputs);
      assertThat(outcome(after, inputs))
          .as("seed %d:%n%s%n%s", seed, GraphText.print(before), GraphText.print(after))
          .isEqualTo(expected);
      fused += hasEpilogue(after) ? 1 : 0;
      nested += after.nodes().stream().anyMatch(n -> n.op() instanceof Op.Control) ? 1 : 0;
      failed += expected.startsWith("node") ? 1 : 0;
    }
    assertThat(fused).as("graphs with an epilogue").isGreaterThan(SEEDS / 8);
    assertThat(nested).as("graphs with branches or loops").isGreaterThan(SEEDS / 4);
    assertThat(failed).as("graphs that fail").isGreaterThan(SEEDS / 100);
  }

  @Test
  void everyGraphReadsBackAsItWasPrinted() {
    for (long seed = 0; seed < SEEDS; seed++) {
      String text = GraphText.print(STANDARD.apply(RandomGraph.of(seed)));
      assertThat(GraphText.print(GraphText.parse(text))).as("seed %d", seed).isEqualTo(text);
    }
  }

  @Test
  void rowwiseGraphsGiveEachRowAloneWhatTheyGiveItInABatch() {
    int rowwise = 0;
    for (long seed = 0; seed < SEEDS; seed++) {
      Graph graph = RandomGraph.of(seed);
      List<Tensor> both = RandomGraph.inputs(graph, seed, 2);
      if (!graph.rowwise().contains(true) || outcome(graph, both).startsWith("node")) {
        continue;
      }
      rowwise++;
      List<Tensor> whole = Interpreter.run(graph, both);
      List<Tensor> second = Interpreter.run(graph, both.stream().map(t -> half(t)).toList());
      for (int k = 0; k < whole.size(); k++) {
        if (graph.rowwise().get(k)) {
          assertThat(content(second.get(k)))
              .as("seed %d, output %d of%n%s", seed, k, GraphText.print(graph))
              .isEqualTo(content(half(whole.get(k))));
        }
      }
    }
    assertThat(rowwise).isGreaterThan(SEEDS / 8);
  }

  private static Tensor half(Tensor tensor) {
    long[] shape = tensor.shape().clone();
    shape[0] /= 2;
    long bytes = tensor.data().byteSize() / 2;
    return new Tensor(tensor.element(), shape, tensor.data().asSlice(bytes, bytes));
  }

  private static boolean hasEpilogue(Graph graph) {
    return graph.nodes().stream().anyMatch(n -> n.epilogue() != null)
        || graph.nodes().stream()
            .anyMatch(n -> n.op() instanceof Op.Reduce r && !r.map().equals(new Expr.Arg(0)));
  }

  private static String outcome(Graph graph, List<Tensor> inputs) {
    try {
      return Interpreter.run(graph, inputs).stream()
          .map(PipelineDifferentialTest::content)
          .toList()
          .toString();
    } catch (DataFailure e) {
      return String.valueOf(e.getMessage());
    }
  }

  /* Exact but for NaN, of which there is one. */
  private static String content(Tensor tensor) {
    List<String> elements = new ArrayList<>();
    for (long k = 0; k < tensor.elements(); k++) {
      Expr.Const element = ElementBits.read(tensor, k);
      elements.add(
          tensor.element().isFloat()
              ? Double.toString(element.asDouble())
              : Long.toString(element.bits()));
    }
    return tensor.type() + elements.toString();
  }
}
