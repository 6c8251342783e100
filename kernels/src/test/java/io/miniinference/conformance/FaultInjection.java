package io.miniinference.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.interp.Interpreter;
import io.miniinference.interp.NodeKernel;
import io.miniinference.interp.memory.FailureSink;
import io.miniinference.interp.memory.TensorView;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Graph;
import io.miniinference.ir.Tensor;
import io.miniinference.ir.text.GraphText;
import io.miniinference.ir.type.GraphCheck;
import io.miniinference.lower.FailurePoint;
import io.miniinference.lower.FailureSlot;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/// Random graphs with branches and loops, given batches of which many rows fail somewhere: each
/// report is compared with the first failure that the plain interpreter meets in that row, and the
/// other rows with those of a batch without bad rows, bit for bit.
final class FaultInjection {
  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;
  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;
  private static final int WIDTH = 4;
  private static final int[] BATCHES = {16, 1, 7, 16, 64};

  private final Rig rig;
  private final long seed;
  private final Random random;
  private final String text;
  private final Graph graph;

  private FaultInjection(Rig rig, long seed) {
    this.rig = rig;
    this.seed = seed;
    random = new Random(~seed);
    text = RandomNests.failing(seed);
    graph = GraphCheck.check(GraphText.parse("graph \"g\" {\n" + text + "}\n"));
  }

  /// Runs a random graph on batches with bad rows and on the same without them.
  ///
  /// @return how many rows failed
  static int hold(Rig rig, long seed) {
    return new FaultInjection(rig, seed).hold();
  }

  private int hold() {
    List<List<Tensor>> sets = new ArrayList<>();
    List<Map<Long, String>> expected = new ArrayList<>();
    for (int batch : BATCHES) {
      List<Tensor> bad = inputs(batch);
      Map<Long, String> failures = firstFailures(bad);
      sets.add(bad);
      expected.add(failures);
      List<Tensor> good = repaired(bad, failures);
      sets.add(good);
      expected.add(firstFailures(good));
    }
    List<Rig.Outcome> outcomes = rig.outcomes(graph, sets);
    int faults = 0;
    for (int s = 0; s < sets.size(); s++) {
      assertThat(claims(outcomes.get(s))).as(where(s)).isEqualTo(expected.get(s));
      faults += expected.get(s).size();
    }
    for (int s = 0; s < sets.size(); s += 2) {
      sameRows(s, expected.get(s), outcomes.get(s), outcomes.get(s + 1));
    }
    return faults;
  }

  private String where(int set) {
    return "seed %d, set %d of\n%s".formatted(seed, set, text);
  }

  /* Half of the rows have indices that are good to begin with. */
  private List<Tensor> inputs(int batch) {
    Tensor x = Interpreter.allocate(ElementType.F32, batch, WIDTH);
    Tensor i = Interpreter.allocate(ElementType.I64, batch, WIDTH);
    Tensor v = Interpreter.allocate(ElementType.F32, WIDTH);
    Tensor k = Interpreter.allocate(ElementType.I64);
    for (int at = 0; at < batch * WIDTH; at++) {
      TensorView.of(x).realAt(at, random.nextInt(-9, 10));
      boolean isGood = at / WIDTH % 2 == 0 || random.nextInt(4) > 0;
      TensorView.of(i).wholeAt(at, isGood ? random.nextInt(-1, 2) : random.nextInt(-9, 9));
    }
    for (int at = 0; at < WIDTH; at++) {
      TensorView.of(v).realAt(at, random.nextInt(-9, 10));
    }
    TensorView.of(k).wholeAt(0, random.nextInt(4));
    return List.of(x, i, v, k);
  }

  /* The first failure of each row in words, by row. */
  private Map<Long, String> firstFailures(List<Tensor> inputs) {
    Map<Long, Found> found = new TreeMap<>();
    int[] clock = {0};
    Interpreter.run(
        graph,
        inputs,
        new Interpreter.Mode(
            NodeKernel::plain,
            (node, iteration) -> new Recorder(found, clock[0]++, node.name(), iteration)));
    Map<Long, String> words = new TreeMap<>();
    found.forEach((row, first) -> words.put(row, first.words()));
    return words;
  }

  /* `when`: the node's turn. */
  private record Found(int when, long position, String words) {}

  private record Recorder(Map<Long, Found> found, int when, String node, long iteration)
      implements FailureSink {
    @Override
    public void index(long row, long position, long index, long low, long high, int axis) {
      String value = "index %d of [%d, %d] on axis %d".formatted(index, low, high, axis);
      add(row, position, words(node, value, iteration, position));
    }

    @Override
    public void divisionByZero(long row, long position) {
      add(row, position, words(node, "division by zero", iteration, position));
    }

    private void add(long row, long position, String words) {
      Found first = found.get(row);
      if (first == null || (first.when == when && position < first.position)) {
        found.put(row, new Found(when, position, words));
      }
    }
  }

  private static String words(String node, String what, long iteration, long position) {
    return "%s: %s, iteration %d, position %d".formatted(node, what, iteration, position);
  }

  /* What the slots say, by row. */
  private Map<Long, String> claims(Rig.Outcome outcome) {
    Map<Integer, FailurePoint> points = new TreeMap<>();
    rig.lower(graph).failurePoints().forEach(point -> points.put(point.step(), point));
    Map<Long, String> words = new TreeMap<>();
    MemorySegment slots = outcome.slots();
    for (long slot = 0; slot < slots.byteSize() / FailureSlot.BYTES; slot++) {
      long at = slot * FailureSlot.BYTES;
      FailurePoint point = points.get(slots.get(INT, at + FailureSlot.STEP) - 1);
      if (point != null) {
        words.put(slot - 1, words(slots, at, point));
      }
    }
    return words;
  }

  private static String words(MemorySegment slots, long at, FailurePoint point) {
    String what =
        slots.get(INT, at + FailureSlot.KIND) == FailureSlot.KIND_DIVISION
            ? "division by zero"
            : "index %d of [%d, %d] on axis %d"
                .formatted(
                    slots.get(LONG, at + FailureSlot.INDEX),
                    slots.get(LONG, at + FailureSlot.LOW),
                    slots.get(LONG, at + FailureSlot.HIGH),
                    point.axis() + slots.get(INT, at + FailureSlot.COMPONENT));
    return words(
        point.node(),
        what,
        slots.get(INT, at + FailureSlot.ITERATION),
        slots.get(LONG, at + FailureSlot.POSITION));
  }

  /* Bad rows replaced by the first good one, if there is one. */
  private static List<Tensor> repaired(List<Tensor> inputs, Map<Long, String> failures) {
    long rows = inputs.getFirst().shape()[0];
    long good = 0;
    while (good < rows && failures.containsKey(good)) {
      good++;
    }
    List<Tensor> repaired = new ArrayList<>(inputs);
    for (int k = 0; k < 2 && good < rows; k++) {
      Tensor copy = Interpreter.allocate(inputs.get(k).element(), inputs.get(k).shape());
      copy.data().copyFrom(inputs.get(k).data());
      long bytes = copy.data().byteSize() / rows;
      for (long bad : failures.keySet()) {
        MemorySegment.copy(copy.data(), good * bytes, copy.data(), bad * bytes, bytes);
      }
      repaired.set(k, copy);
    }
    return repaired;
  }

  private void sameRows(int set, Map<Long, String> failures, Rig.Outcome bad, Rig.Outcome good) {
    MemorySegment expected = good.outputs().getFirst().data();
    MemorySegment actual = bad.outputs().getFirst().data();
    long bytes = WIDTH * Float.BYTES;
    for (long row = 0; row < actual.byteSize() / bytes; row++) {
      if (!failures.containsKey(row)) {
        assertThat(actual.asSlice(row * bytes, bytes).toArray(INT))
            .as("row %d, %s", row, where(set))
            .isEqualTo(expected.asSlice(row * bytes, bytes).toArray(INT));
      }
    }
  }
}
