package io.miniinference.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.codegen.jvm.JvmTarget;
import io.miniinference.ir.Graph;
import io.miniinference.ir.Node;
import io.miniinference.ir.Op;
import io.miniinference.lower.steps.Lowering;
import io.miniinference.plan.PlanOptions;
import io.miniinference.plan.planner.MemoryPlan;
import io.miniinference.plan.planner.Planner;
import io.miniinference.testing.RandomModel;
import io.miniinference.testing.RandomModel.Domain;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// What random models are made of.
final class RandomModelTest {
  private static final int MODELS = 300;

  @Test
  void aModelIsAlwaysTheSame() {
    RandomModel model = RandomModel.of(7, Domain.ALL);

    assertThat(RandomModel.of(7, Domain.ALL).graph()).hasToString(model.graph().toString());
    assertThat(model.inputsAt(2).getFirst().data().mismatch(model.inputsAt(2).getFirst().data()))
        .isEqualTo(-1);
  }

  @Test
  void modelsHaveOperatorsOfEveryKindAndBodiesInOneAnother() {
    List<Node> all = new ArrayList<>();
    int deepest = 0;
    for (Graph graph : graphs().toList()) {
      deepest = Math.max(deepest, collect(graph, all));
    }

    assertThat(deepest).isEqualTo(3);
    assertThat(all.stream().<Class<?>>map(node -> node.op().getClass()).distinct())
        .contains(
            Op.If.class,
            Op.Loop.class,
            Op.Concat.class,
            Op.Scatter.class,
            Op.Gather.class,
            Op.View.class,
            Op.Conv.class,
            Op.ConvTranspose.class,
            Op.WindowReduce.class,
            Op.MatMul.class,
            Op.Reduce.class,
            Op.Softmax.class,
            Op.Normalize.class,
            Op.Scan.class);
    assertThat(all)
        .anyMatch(node -> node.op() instanceof Op.Loop l && l.iterations().constant() > 1);
  }

  @Test
  void plansOfModelsBuildInPlaceAndWriteOverAndRunFromNoRowUp() {
    List<MemoryPlan> plans =
        graphs()
            .map(graph -> Lowering.lower(graph, new JvmTarget(), List.of()).plan())
            .map(program -> Planner.plan(program, PlanOptions.upTo(5)))
            .toList();
    long copies = plans.stream().flatMap(p -> p.merges().stream()).filter(m -> m.isCopy()).count();
    long merges = plans.stream().mapToLong(p -> p.merges().size()).sum();
    long empty =
        LongStream.range(0, MODELS)
            .filter(seed -> RandomModel.of(seed, Domain.ALL).batches().contains(0L))
            .count();

    assertThat(copies).isGreaterThan(MODELS);
    assertThat(merges - copies).isGreaterThan(MODELS / 2);
    assertThat(empty).isGreaterThan(MODELS / 4);
  }

  private static Stream<Graph> graphs() {
    return LongStream.range(0, MODELS).mapToObj(seed -> RandomModel.of(seed, Domain.ALL).graph());
  }

  /* How deep bodies lie in one another, the graph's own nodes counted as one. */
  private static int collect(Graph graph, List<Node> into) {
    int deepest = 0;
    for (Node node : graph.nodes()) {
      into.add(node);
      if (node.op() instanceof Op.Control control) {
        for (Graph body : control.bodies()) {
          deepest = Math.max(deepest, collect(body, into));
        }
      }
    }
    return deepest + 1;
  }
}
