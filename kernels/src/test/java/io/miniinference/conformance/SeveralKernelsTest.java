package io.miniinference.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.interp.Interpreter;
import io.miniinference.interp.memory.TensorView;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Graph;
import io.miniinference.ir.Op;
import io.miniinference.ir.Tensor;
import io.miniinference.ir.TensorType;
import io.miniinference.ir.Value;
import io.miniinference.ir.build.GraphBuilder;
import io.miniinference.layout.Affine;
import io.miniinference.testing.device.OnEachDevice;
import io.miniinference.testing.device.TestedDevice;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What every writer makes of operators that may take several kernels: the first elements of long
/// rows, and products of few rows and long sums.
@OnEachDevice
final class SeveralKernelsTest extends ControlRig {
  /// Elements of the longest rows that TopK is made for.
  private static final int LONGEST = 1 << 20;

  /// A sum that is long enough to be split.
  private static final int LONG_SUM = 2304;

  @ParameterizedTest
  @CsvSource({"true, 10", "true, 3000", "false, 1"})
  void theFirstOfAMillionComeInOrderAndOfEqualOnesTheFirst(boolean largest, int k) {
    GraphBuilder graph = new GraphBuilder("first of a million");
    Value x = graph.input("x", Interpreter.allocate(ElementType.F32, 2, LONGEST).type());
    Graph topK = graph.build(graph.lowering("t", "Test").all(new Op.TopK(1, k, largest), x));
    int[] sixteenths = new Random(k).ints(2L * LONGEST, -(1 << 15), 1 << 15).toArray();
    Tensor rows = Interpreter.allocate(ElementType.F32, 2, LONGEST);
    for (int i = 0; i < sixteenths.length; i++) {
      TensorView.of(rows).realAt(i, sixteenths[i] / 16.0);
    }

    List<Tensor> got = rig().run(topK, List.of(List.of(rows))).getFirst();

    for (int row = 0; row < 2; row++) {
      long[] places = first(sixteenths, row, largest);
      for (int i = 0; i < k; i++) {
        long at = (long) row * k + i;
        int value = sixteenths[row * LONGEST + (int) places[i]];
        assertThat(TensorView.of(got.get(1)).wholeAt(at))
            .as("place %d of row %d", i, row)
            .isEqualTo(places[i]);
        assertThat(TensorView.of(got.get(0)).realAt(at))
            .as("value %d of row %d", i, row)
            .isEqualTo(value / 16.0);
      }
    }
  }

  /* Places in the order that the standard wants: by value, and of equal ones by place. */
  private static long[] first(int[] values, int row, boolean largest) {
    return IntStream.range(0, LONGEST)
        .mapToLong(i -> (long) (largest ? -1 : 1) * values[row * LONGEST + i] * LONGEST + i)
        .sorted()
        .map(rank -> Math.floorMod(rank, (long) LONGEST))
        .toArray();
  }

  /// A product of `[N, LONG_SUM]` with a weight of so many columns.
  private static Graph product(int columns) {
    GraphBuilder graph = new GraphBuilder("long sums");
    Value x =
        graph.input("x", new TensorType(ElementType.F32, List.of(Affine.N, Affine.of(LONG_SUM))));
    Value w = graph.constant("w", random(LONG_SUM, columns));
    return graph.build(List.of(graph.lowering("m", "Test").op(new Op.MatMul(false, false), x, w)));
  }

  /// Launches of a graph without loops.
  private int launches(Graph graph) {
    return rig().target().generate(rig().lower(graph)).launches().size();
  }

  /// The graph whose long sums writers may split.
  private static Graph longSums() {
    return product(40);
  }

  @Test
  void longSumsHaveTheSameBitsFromRunToRun() {
    Graph graph = longSums();
    List<Tensor> inputs = List.of(random(3, LONG_SUM));

    List<List<Tensor>> runs = rig().run(graph, List.of(inputs, inputs, inputs));
    List<List<Tensor>> again = rig().run(graph, List.of(inputs));

    assertThat(runs).allMatch(run -> sameBits(run.getFirst(), runs.getFirst().getFirst()));
    assertThat(sameBits(again.getFirst().getFirst(), runs.getFirst().getFirst())).isTrue();
    Tensor expected = Interpreter.run(graph, inputs).getFirst();
    assertThat(Tolerance.difference(expected, runs.getFirst().getFirst(), 1e-5)).isEmpty();
  }

  @Test
  void theGpuWriterSplitsLongSumsOfFewRows() {
    assertThat(launches(longSums())).isEqualTo(tested == TestedDevice.GPU ? 2 : 1);
  }

  /// Parts of the depth are those of the shape of one request, and are added in their order.
  @Test
  void aRowHasTheSameBitsInEveryBatch() {
    Graph graph = longSums();
    Tensor batch = random(5, 2304);
    List<List<Tensor>> sets =
        Stream.concat(
                Stream.of(List.of(batch)),
                IntStream.range(0, 5).mapToObj(row -> List.of(Data.row(batch, row))))
            .toList();
    List<List<Tensor>> got = rig().run(graph, sets);
    for (int row = 0; row < 5; row++) {
      assertThat(sameBits(got.get(1 + row).getFirst(), Data.row(got.getFirst().getFirst(), row)))
          .as("row %d", row)
          .isTrue();
    }
  }

  private static boolean sameBits(Tensor a, Tensor b) {
    return a.data().mismatch(b.data()) < 0;
  }

  /* Whole numbers throughout, so that every order of a sum gives the same. */
  @Test
  void longSumsAreMadeInLoopsAndTheirRowsStacked() {
    String body =
        """
        input %%x: f32[N,%1$d]
        const %%trips: i64[] = [3]
        const %%go: bool[] = [true]
        %%last: f32[N,%1$d], %%all: f32[3,N,4] = loop(%%trips, %%go, %%x) {carried=1, iterations=3} graph "body" {
          input %%i: i64[]
          input %%p: f32[N,%1$d]
          const %%go: bool[] = [true]
          const %%w: f32[%1$d,4] = [%2$s]
          const %%v: f32[4,%1$d] = [%3$s]
          %%y: f32[N,4] = matmul(%%p, %%w)
          %%s: f32[N,4] = elementwise(%%y) { sign(a0) }
          %%m: f32[N,%1$d] = matmul(%%s, %%v)
          %%n: f32[N,%1$d] = elementwise(%%m, %%i) { max(min(a0 + f32(a1), 9.0), -9.0) }
          output %%go
          output %%n
          output %%y
        }
        output %%last
        output %%all
        """
            .formatted(LONG_SUM, list(1, 4L * LONG_SUM), list(2, 4L * LONG_SUM));
    holds(
        body,
        List.of(
            List.of(wholes(3, 2, LONG_SUM)),
            List.of(wholes(4, 0, LONG_SUM)),
            List.of(wholes(5, 1, LONG_SUM))));
  }

  private static String list(long seed, long elements) {
    TensorView values = TensorView.of(wholes(seed, elements));
    return IntStream.range(0, (int) elements)
        .mapToObj(i -> Double.toString(values.realAt(i)))
        .collect(Collectors.joining(", "));
  }

  @ParameterizedTest
  @CsvSource({"90, 7", "2600, 5", "5200, 2100"})
  void theFirstOfRowsAreFoundInLoops(int extent, int k) {
    String body =
        """
        input %%x: f32[N,%1$d]
        const %%trips: i64[] = [3]
        const %%go: bool[] = [true]
        %%last: f32[N,%1$d], %%values: f32[3,N,%2$d], %%places: i64[3,N,%2$d] = loop(%%trips, %%go, %%x) {carried=1, iterations=3} graph "body" {
          input %%i: i64[]
          input %%p: f32[N,%1$d]
          const %%go: bool[] = [true]
          %%t: f32[N,%2$d], %%at: i64[N,%2$d] = top_k(%%p) {axis=1, k=%2$d}
          %%r: f32[N,1] = reduce_sum(%%t) {axes=[1], keep=true}
          %%n: f32[N,%1$d] = elementwise(%%p, %%r, %%i) { max(min(a1 - a0 * f32(a2 + 2), 99.0), -99.0) }
          output %%go
          output %%n
          output %%t
          output %%at
        }
        output %%last
        output %%values
        output %%places
        """
            .formatted(extent, k);
    holds(
        body,
        List.of(
            List.of(wholes(6, 2, extent)),
            List.of(wholes(7, 0, extent)),
            List.of(wholes(8, 1, extent))));
  }

  @Test
  void randomOnesAreAsTheInterpreterHasThem() {
    long seed = Long.getLong("mie.test.seed", 20261122);
    Random random = new Random(seed);
    for (int round = 0; round < 3; round++) {
      Sheet sheet = new Sheet("round " + round, random.nextLong()).batches(2L, 1L);
      for (int i = 0; i < 3; i++) {
        first(sheet, random);
      }
      sum(sheet, random);
      Graph graph = sheet.graph();
      List<List<Tensor>> sets = sheet.batches().stream().map(sheet::inputs).toList();
      List<List<Tensor>> got = rig().run(graph, sets);
      for (int s = 0; s < sets.size(); s++) {
        List<Tensor> expected = Interpreter.run(graph, sets.get(s));
        for (int i = 0; i < expected.size(); i++) {
          assertThat(Tolerance.difference(expected.get(i), got.get(s).get(i), 0))
              .as("seed %d, round %d, %s", seed, round, sheet.cases().get(i).label())
              .isEmpty();
        }
      }
    }
  }

  private static void first(Sheet sheet, Random random) {
    ElementType type =
        List.of(ElementType.F32, ElementType.I32, ElementType.F16, ElementType.I64)
            .get(random.nextInt(4));
    int extent = 1 + random.nextInt(random.nextBoolean() ? 60 : 6000);
    boolean inner = random.nextBoolean();
    long k = random.nextInt(1 + extent);
    Op.TopK op = new Op.TopK(inner ? 2 : 1, k, random.nextBoolean());
    Value x = sheet.input(Data.TIES, type, inner ? Sheet.batch(2, extent) : Sheet.batch(extent, 3));
    List<Value> results = sheet.at("t").all(op, x);
    sheet.check("values of %s of %s".formatted(op, x.type()), results.get(0));
    sheet.check("places of %s of %s".formatted(op, x.type()), results.get(1));
  }

  /* Small whole numbers, whose sums are exact in every order. */
  private static void sum(Sheet sheet, Random random) {
    int depth = 1800 + random.nextInt(1500);
    int columns = 1 + random.nextInt(70);
    Value x = sheet.input(Data.TIES, ElementType.F32, Sheet.batch(depth));
    Value w = sheet.constant(Data.TIES, ElementType.F32, depth, columns);
    Value product = sheet.at("m").op(new Op.MatMul(false, false), x, w);
    sheet.check("a sum of %d for %d columns".formatted(depth, columns), product);
  }
}
