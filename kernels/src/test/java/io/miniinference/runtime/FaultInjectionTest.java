package io.miniinference.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.ir.Tensor;
import io.miniinference.testing.device.OnEachDevice;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/// Random models with bad indices and divisors at random places: exactly the rows with one fail,
/// each with its first, the others hold what a clean run gives, to the bit, and the next run is
/// clean. How many is set by `-Dmie.faults.graphs` and `-Dmie.faults.runs` (per graph), and where
/// to begin by `-Dmie.faults.first`.
@OnEachDevice(optimised = false)
final class FaultInjectionTest extends SharedEngine {
  private static final long SEED = 20_261_121 + Long.getLong("mie.faults.first", 0);
  private static final int RUNS = Integer.getInteger("mie.faults.runs", 20);
  private static final int NODES = 8;
  private static final int MOST_ROWS = 12;

  /// Graphs unless the property says otherwise.
  private int graphs() {
    return tested.isOpenCl() ? 12 : 50;
  }

  /// A bad value, and what it is reported as.
  private record Fault(int order, long position, int row, int input, long value, String message) {}

  @Test
  void exactlyTheRowsWithAFaultFailWithTheirFirst() {
    int faults = 0;
    int graphs = Integer.getInteger("mie.faults.graphs", graphs());
    for (int g = 0; g < graphs; g++) {
      faults += inject(SEED + g);
    }
    System.out.printf("%d faults in %d graphs%n", faults, graphs);
    assertThat(faults).isGreaterThanOrEqualTo(graphs * RUNS);
  }

  private int inject(long seed) {
    FaultyGraph graph = new FaultyGraph(seed, NODES);
    Random random = new Random(seed);
    int rows = 1 + random.nextInt(MOST_ROWS);
    Tensor[] inputs = graph.clean(rows);
    int faults = 0;
    try (Model model = load(graph.model())) {
      List<byte[]> clean = new Outcome(model, inputs).outputs;
      for (int run = 0; run < RUNS; run++) {
        List<Fault> injected = faults(graph, rows, random);
        faults += injected.size();
        Outcome outcome = new Outcome(model, spoiled(inputs, injected));
        String where = "seed %d, run %d, faults %s".formatted(seed, run, injected);
        assertThat(outcome.messages).as(where).isEqualTo(expected(injected));
        outcome.assertOthersEqual(clean, rows, injected, where);
      }
      new Outcome(model, inputs).assertOthersEqual(clean, rows, List.of(), "seed " + seed);
    }
    return faults;
  }

  private static List<Fault> faults(FaultyGraph graph, int rows, Random random) {
    List<Fault> faults = new ArrayList<>();
    int count = 1 + random.nextInt(4);
    for (int k = 0; k < count; k++) {
      int order = random.nextInt(graph.targets().size());
      FaultyGraph.Target target = graph.targets().get(order);
      int row = random.nextInt(rows);
      long position = (long) row * target.perRow() + random.nextInt(target.perRow());
      if (faults.stream().noneMatch(f -> f.order == order && f.position == position)) {
        faults.add(fault(target, order, row, position, random));
      }
    }
    return faults;
  }

  private static Fault fault(
      FaultyGraph.Target target, int order, int row, long position, Random random) {
    long[] bad = {target.limit(), -target.limit() - 1L, Long.MIN_VALUE, Long.MAX_VALUE, 1L << 32};
    long value = target.axis() < 0 ? 0 : bad[random.nextInt(bad.length)];
    String what =
        target.axis() < 0
            ? "division by zero"
            : "index %d is outside [%d, %d] on axis %d"
                .formatted(value, -target.limit(), target.limit() - 1, target.axis());
    String message =
        "node '%s' (%s): %s, at row %d, position %d"
            .formatted(target.node(), target.op(), what, row, position);
    return new Fault(order, position, row, target.input(), value, message);
  }

  private static Tensor[] spoiled(Tensor[] inputs, List<Fault> faults) {
    Tensor[] spoiled = inputs.clone();
    for (Fault fault : faults) {
      Tensor tensor = spoiled[fault.input];
      long[] values = tensor.data().toArray(ValueLayout.JAVA_LONG_UNALIGNED);
      values[(int) fault.position] = fault.value;
      spoiled[fault.input] = longs(tensor.shape(), values);
    }
    return spoiled;
  }

  /* The first fault of each row, by node and then by position. */
  private static List<String> expected(List<Fault> faults) {
    Comparator<Fault> order =
        Comparator.comparingInt(Fault::order).thenComparingLong(Fault::position);
    Map<Integer, Fault> first = new TreeMap<>();
    faults.stream().sorted(order).forEach(fault -> first.putIfAbsent(fault.row, fault));
    return first.values().stream().sorted(order).map(Fault::message).toList();
  }

  /// What came of a run.
  private static final class Outcome implements ResponseReader<Boolean> {
    private List<byte[]> outputs = List.of();
    private List<String> messages = List.of();

    Outcome(Model model, Tensor... inputs) {
      try {
        model.infer(request(inputs), this);
      } catch (RequestFailedException e) {
        messages = e.failures().stream().map(FailureReport::message).toList();
      }
    }

    @Override
    public Boolean read(List<Output> results) {
      outputs =
          results.stream().map(output -> output.data().toArray(ValueLayout.JAVA_BYTE)).toList();
      return true;
    }

    @Override
    public void failed(List<Output> results, List<FailureReport> failures) {
      read(results);
    }

    void assertOthersEqual(List<byte[]> clean, int rows, List<Fault> faults, String where) {
      for (int i = 0; i < clean.size(); i++) {
        int perRow = clean.get(i).length / rows;
        for (int row = 0; row < rows; row++) {
          int at = row;
          if (faults.stream().noneMatch(fault -> fault.row == at)) {
            assertThat(Arrays.copyOfRange(outputs.get(i), row * perRow, (row + 1) * perRow))
                .as("%s: output %d, row %d", where, i, row)
                .isEqualTo(Arrays.copyOfRange(clean.get(i), row * perRow, (row + 1) * perRow));
          }
        }
      }
    }
  }
}
