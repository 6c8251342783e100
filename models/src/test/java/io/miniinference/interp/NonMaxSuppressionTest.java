package io.miniinference.interp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.miniinference.budget.BudgetSpentException;
import io.miniinference.budget.LoadBudget;
import io.miniinference.budget.LoadLimits;
import io.miniinference.interp.memory.FailureSink;
import io.miniinference.ir.ElementBits;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Graph;
import io.miniinference.ir.Node;
import io.miniinference.ir.Op;
import io.miniinference.ir.Tensor;
import io.miniinference.ir.TensorType;
import io.miniinference.ir.Value;
import io.miniinference.ir.build.GraphBuilder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// NonMaxSuppression against its definition: all boxes in the order of their scores, each held
/// against those chosen. Coordinates are small whole numbers, so that areas are exact and tie.
class NonMaxSuppressionTest {
  private static final float[] OVERLAPS = {0, 0.25f, 0.5f, 0.75f, 1};

  @Test
  void boxesAreChosenInTheOrderOfTheirScores() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    for (int round = 0; round < 300; round++) {
      holds(random, "seed " + seed + ", round " + round);
    }
  }

  private static void holds(Random random, String where) {
    int images = random.nextInt(3);
    int classes = random.nextInt(3);
    int count = random.nextInt(30);
    float[] scores = drawn(random, images * classes * count);
    float[] boxes = drawn(random, images * count * 4);
    float overlap = OVERLAPS[random.nextInt(OVERLAPS.length)];
    float least = random.nextInt(-4, 4);
    boolean bounded = random.nextBoolean();
    Op.NonMaxSuppression op = new Op.NonMaxSuppression(random.nextInt(20), random.nextBoolean());
    List<Tensor> operands =
        new ArrayList<>(
            List.of(
                Tensor.of(scores, images, classes, count),
                Tensor.of(boxes, images, count, 4),
                Tensor.of(new float[] {overlap})));
    if (bounded) {
      operands.add(Tensor.of(new float[] {least}));
    }
    Tensor chosen = run(op, operands);
    for (int row = 0; row < images * classes; row++) {
      int image = row / classes;
      int first = row * count;
      List<Long> places =
          chosen(
              op,
              count,
              overlap,
              i -> scores[first + i],
              (i, j) -> boxes[(image * count + i) * 4 + j],
              bounded ? least : Float.NEGATIVE_INFINITY);
      assertThat(row(chosen, row, op.k())).as(where).isEqualTo(places);
    }
  }

  /// A file of few bytes may have many boxes, each of which is held against all that are kept. One
  /// step less than all of these is too few, of constants of either size.
  @Test
  void whatALoadChoosesIsBounded() {
    LoadLimits limits = new LoadLimits(Duration.ofMinutes(1), 4000 * 2000, 1 << 30);
    List<Tensor> operands =
        List.of(
            Tensor.of(new float[4000], 1, 1, 4000),
            Tensor.of(new float[4000 * 4], 1, 4000, 4),
            Tensor.of(new float[1]));
    Graph graph = graph(new Op.NonMaxSuppression(2000, false), operands);
    Node node = graph.nodes().getFirst();
    FailureSink sink = FailureSink.throwing("choose");
    isSpent(limits, () -> Interpreter.results(node, operands, 1, sink));
    isSpent(limits, () -> Interpreter.results(node, operands, 1 << 30));
  }

  private static void isSpent(LoadLimits limits, Supplier<List<Tensor>> load) {
    assertThatThrownBy(() -> LoadBudget.within(limits, () -> 0, load))
        .isInstanceOf(BudgetSpentException.class)
        .hasMessageContaining("engine.loading.max-work");
  }

  /* From −3 to 3. */
  private static float[] drawn(Random random, int count) {
    float[] values = new float[count];
    for (int i = 0; i < count; i++) {
      values[i] = random.nextInt(-3, 4);
    }
    return values;
  }

  private interface Scores {
    float at(int place);
  }

  private interface Boxes {
    float at(int place, int i);
  }

  private static List<Long> chosen(
      Op.NonMaxSuppression op, int count, float overlap, Scores scores, Boxes boxes, float least) {
    List<Integer> order =
        IntStream.range(0, count)
            .filter(i -> scores.at(i) > least)
            .boxed()
            .sorted(Comparator.comparingDouble(i -> -scores.at(i)))
            .toList();
    List<Long> chosen = new ArrayList<>();
    for (int place : order) {
      boolean apart =
          chosen.stream().noneMatch(other -> share(op, boxes, place, other.intValue()) > overlap);
      if (apart && chosen.size() < op.k()) {
        chosen.add((long) place);
      }
    }
    while (chosen.size() < op.k()) {
      chosen.add(Op.NonMaxSuppression.NONE);
    }
    return chosen;
  }

  private static double share(Op.NonMaxSuppression op, Boxes boxes, int a, int b) {
    double common = 1;
    double own = 1;
    double other = 1;
    for (int axis = 0; axis < 2; axis++) {
      double[] x = ends(op, boxes.at(a, axis), boxes.at(a, axis + 2));
      double[] y = ends(op, boxes.at(b, axis), boxes.at(b, axis + 2));
      common *= Math.max(0, Math.min(x[1], y[1]) - Math.max(x[0], y[0]));
      own *= Math.max(0, x[1] - x[0]);
      other *= Math.max(0, y[1] - y[0]);
    }
    return common == 0 ? -1 : common / (own + other - common);
  }

  private static double[] ends(Op.NonMaxSuppression op, double first, double second) {
    return op.centered()
        ? new double[] {first - second / 2, first + second / 2}
        : new double[] {Math.min(first, second), Math.max(first, second)};
  }

  private static List<Long> row(Tensor chosen, int row, long k) {
    return IntStream.range(0, (int) k)
        .mapToObj(i -> ElementBits.read(chosen, row * k + i).bits())
        .toList();
  }

  private static Tensor run(Op op, List<Tensor> operands) {
    return Interpreter.run(graph(op, operands), operands).getFirst();
  }

  private static Graph graph(Op op, List<Tensor> operands) {
    GraphBuilder graph = new GraphBuilder("boxes");
    List<Value> inputs = new ArrayList<>();
    for (Tensor operand : operands) {
      inputs.add(graph.input("x" + inputs.size(), TensorType.of(ElementType.F32, operand.shape())));
    }
    Value chosen = graph.lowering("choose", "Test").op(op, inputs);
    return graph.build(List.of(chosen));
  }
}
