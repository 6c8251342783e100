package io.miniinference.runtime;

import static io.miniinference.runtime.LoopModels.attribute;
import static io.miniinference.runtime.LoopModels.graph;
import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.device.DriverCalls;
import io.miniinference.ir.Tensor;
import io.miniinference.onnx.wire.TensorProto.DataType;
import io.miniinference.testing.TestModel;
import io.miniinference.testing.device.OnEachDevice;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Sizes that follow from values of inputs with the batch, or stand beside it on axis 0: the batch
/// stays open where it can, so that failures belong to rows.
@OnEachDevice(optimised = false)
final class RowValuesTest extends SharedEngine {

  /// What came of a request.
  ///
  /// @param shapes of its outputs, those of a failed request too
  private record Answer(List<String> failures, List<List<Long>> shapes, List<byte[]> outputs) {
    /// The bytes of rows of the first output.
    byte[] rows(int from, int to, int batch) {
      byte[] all = outputs.getFirst();
      int row = all.length / batch;
      return Arrays.copyOfRange(all, from * row, to * row);
    }
  }

  private static final class Collector implements ResponseReader<Boolean> {
    private final List<List<Long>> shapes = new ArrayList<>();
    private final List<byte[]> outputs = new ArrayList<>();

    @Override
    public Boolean read(List<Output> all) {
      for (Output output : all) {
        shapes.add(Arrays.stream(output.shape()).boxed().toList());
        outputs.add(output.data().toArray(ValueLayout.JAVA_BYTE));
      }
      return true;
    }

    @Override
    public void failed(List<Output> all, List<FailureReport> failures) {
      read(all);
    }
  }

  private static Answer answer(Model model, Tensor... inputs) {
    Collector collector = new Collector();
    List<String> failures = new ArrayList<>();
    try {
      model.infer(request(inputs), collector);
    } catch (RequestFailedException e) {
      e.failures().forEach(failure -> failures.add(failure.message()));
    }
    return new Answer(failures, collector.shapes, collector.outputs);
  }

  private static Tensor indices(long... values) {
    return longs(shape(values.length), values);
  }

  private static String index(String value, long index, String place) {
    return "node 'make %s' (Gather): index %d is outside [-6, 5] on axis 0, %s"
        .formatted(value, index, place);
  }

  private static String size(long size) {
    return "node 'make z' (ConstantOfShape): negative size %d on axis 0".formatted(size);
  }

  private static TestModel picking() {
    return TestModel.opset(17).longs("i", "N").reals("table", 6, 4);
  }

  /// `y = table[i]`, and as many zeros as the highest index is above `k`.
  private static TestModel highest() {
    return picking()
        .longs("k", "1")
        .node("ReduceMax", "i", "m", "keepdims=1")
        .node("Sub", "m k", "d")
        .node("Gather", "table i", "y")
        .node("ConstantOfShape", "d", "z")
        .output("y")
        .output("z");
  }

  @Test
  void requestsOfAnyBatchSizeGetTheSizesOfTheirValues() {
    try (Model model = load(highest())) {
      for (long[] indices : new long[][] {{1, 2, 4}, {5, 0}, {3}, {3, 3, 3, 3, 3}, {1, 2, 4}}) {
        Answer answer = answer(model, indices(indices), indices(1));
        long most = Arrays.stream(indices).max().orElseThrow();
        assertThat(answer.failures).isEmpty();
        assertThat(answer.shapes)
            .containsExactly(List.of((long) indices.length, 4L), List.of(most - 1));
      }
      assertThat(model.hasBatch()).isTrue();
    }
  }

  @Test
  void aBadIndexFailsItsRowAloneAndWaitsNoLonger() {
    try (Model model = load(highest())) {
      Answer clean = answer(model, indices(1, 2, 4), indices(1));
      answer(model, indices(1, 6, 4), indices(1));
      DriverCalls before = driverCalls();
      Answer failed = answer(model, indices(1, 6, 4), indices(1));
      assertThat(driverCalls().waits() - before.waits()).isEqualTo(1);
      assertThat(driverCalls().builds()).isEqualTo(before.builds());
      assertThat(failed.failures).containsExactly(index("y", 6, "at row 1, position 1"));
      assertThat(failed.rows(0, 1, 3)).isEqualTo(clean.rows(0, 1, 3));
      assertThat(failed.rows(2, 3, 3)).isEqualTo(clean.rows(2, 3, 3));
      assertThat(answer(model, indices(5, -7), indices(1)).failures)
          .containsExactly(index("y", -7, "at row 1, position 1"));
      assertThat(answer(model, indices(1, 2, 4), indices(1)).rows(0, 3, 3))
          .isEqualTo(clean.rows(0, 3, 3));
    }
  }

  @Test
  void aNegativeSizeFailsTheRunAndRowsThatFailAheadOfItAreToldFirst() {
    try (Model model = load(highest())) {
      assertThat(answer(model, indices(1, 2, 4), indices(6)).failures).containsExactly(size(-2));
      assertThat(answer(model, indices(-9, 2, 0, -8), indices(5)).failures)
          .containsExactly(
              index("y", -9, "at row 0, position 0"),
              index("y", -8, "at row 3, position 3"),
              size(-3));
      assertThat(answer(model, indices(5, 3), indices(1)).failures).isEmpty();
    }
  }

  /// The failure is its row's, and no size is known, so that no row is answered.
  @Test
  void aSizeThatFollowsFromARowThatFails() {
    TestModel text =
        picking()
            .constant("sizes", 1, 2, 3, 4, 5, 6)
            .node("Gather", "sizes i", "s")
            .node("ReduceMax", "s", "m", "keepdims=1")
            .node("ConstantOfShape", "m", "z")
            .node("Gather", "table i", "y")
            .output("y")
            .output("z");
    try (Model model = load(text)) {
      assertThat(answer(model, indices(1, 2)).shapes.getLast()).containsExactly(3L);
      assertThat(answer(model, indices(1, 7, 3)).failures)
          .containsExactly(index("s", 7, "at row 1, position 1"));
      assertThat(answer(model, indices(0, 4)).shapes.getLast()).containsExactly(5L);
    }
  }

  /// Branches of different shapes: the one that is taken is compiled, its failures by row.
  @Test
  void aBranchThatValuesOfRowsDecideOn() {
    LoopModels then = graph().node("a = Gather table i").outputs("a");
    LoopModels otherwise = graph().node("b = Gather table i").node("c = ReduceSum b").outputs("c");
    LoopModels text =
        graph()
            .input("i", DataType.INT64, "N")
            .whole("two", 2)
            .floats("table", new long[] {3, 2}, 1, 2, 3, 4, 5, 6)
            .node("m = ReduceMin i", attribute("keepdims", 0))
            .node("isLess = Less m two")
            .node(
                "y = If isLess",
                attribute("then_branch", then),
                attribute("else_branch", otherwise))
            .outputs("y");
    try (Model model = load(text.model("deciding"))) {
      assertThat(answer(model, indices(2, 2)).shapes).containsExactly(List.of(1L, 1L));
      assertThat(answer(model, indices(2, 1, 0)).shapes).containsExactly(List.of(3L, 2L));
      assertThat(answer(model, indices(2, 1, 3)).failures)
          .containsExactly(
              "node 'a_Gather' (Gather): index 3 is outside [-3, 2] on axis 0, at row 2, position 2");
    }
  }

  /// `k` for each row: what a request's rows are counted by is no value of theirs.
  @Test
  void aSizeThatTheBatchMakesOfAValueWithoutItIsOfItsRequest() {
    TestModel text =
        picking()
            .longs("k", "1")
            .node("Shape", "i", "n")
            .node("Expand", "k n", "all")
            .node("ReduceSum", "all", "d", "keepdims=1")
            .node("ConstantOfShape", "d", "z")
            .node("Gather", "table i", "y")
            .output("y")
            .output("z");
    try (Model model = load(text)) {
      for (int rows = 1; rows < 5; rows++) {
        Answer answer = answer(model, indices(new long[rows]), indices(3));
        assertThat(answer.shapes).containsExactly(List.of((long) rows, 4L), List.of(3L * rows));
      }
    }
  }

  @Test
  void aMeanOverTheRowsIsOfItsRequest() {
    TestModel text =
        picking()
            .node("ReduceMean", "i", "d", "keepdims=1")
            .node("ConstantOfShape", "d", "z")
            .node("Gather", "table i", "y")
            .output("y")
            .output("z");
    try (Model model = load(text)) {
      assertThat(answer(model, indices(1, 3)).shapes.getLast()).containsExactly(2L);
      assertThat(answer(model, indices(1, 2, 3, 6)).failures)
          .containsExactly(index("y", 6, "at row 3, position 3"));
      assertThat(answer(model, indices(5)).shapes.getLast()).containsExactly(5L);
    }
  }

  /// Rows that hold nothing are counted all the same.
  @Test
  void aSizeThatFollowsFromRowsOfNoElements() {
    TestModel text =
        TestModel.opset(17)
            .longs("x", "N,0")
            .constant("axis", 1)
            .constant("one", 1)
            .node("ReduceSum", "x axis", "none", "keepdims=0")
            .node("Add", "none one", "each")
            .node("ReduceSum", "each", "d", "keepdims=1")
            .node("ConstantOfShape", "d", "z")
            .output("z");
    try (Model model = load(text)) {
      for (long rows : new long[] {2, 3, 1, 2}) {
        assertThat(answer(model, longs(shape(rows, 0))).shapes).containsExactly(List.of(rows));
      }
    }
  }

  /// Rows of the result are not those of the request, which it can have for one batch at a time.
  @Test
  void rowsThatValuesPutTogetherFixTheBatch() {
    TestModel text =
        picking()
            .constant("rest", -1)
            .node("ReduceMax", "i", "m", "keepdims=1")
            .node("Concat", "m rest", "s", "axis=0")
            .node("Gather", "table i", "g")
            .node("Reshape", "g s", "y")
            .output("y");
    try (Model model = load(text)) {
      assertThat(answer(model, indices(1, 3, 2)).shapes).containsExactly(List.of(3L, 4L));
      assertThat(answer(model, indices(5, 1, 1, 1, 5)).shapes).containsExactly(List.of(5L, 4L));
      assertThat(answer(model, indices(6, 0, 0)).failures)
          .containsExactly(index("g", 6, "position 0"));
      assertThat(model.hasBatch()).isFalse();
    }
  }

  private static TestModel twoSymbols(String first, String second) {
    return TestModel.opset(17)
        .longs("j", second + ",2")
        .longs("i", first)
        .reals("table", 6, 4)
        .node("Gather", "table i", "y")
        .node("Gather", "table j", "z")
        .output("y")
        .output("z");
  }

  private static Tensor pairs(long... values) {
    return longs(shape(values.length / 2, 2), values);
  }

  @Test
  void ofTwoSymbolsOnAxis0TheOneNamedAsTheBatchIsIt() {
    for (String name : List.of("N", "batch", "Batch_Size")) {
      try (Model model = load(twoSymbols(name, "M"))) {
        assertThat(answer(model, pairs(0, 1), indices(0, 1, 6)).failures)
            .containsExactly(index("y", 6, "at row 2, position 2"));
        assertThat(answer(model, pairs(0, 1, 9, 2), indices(0, 1)).failures)
            .containsExactly(index("z", 9, "position 2"));
        long builds = driverCalls().builds();
        assertThat(answer(model, pairs(0, 1), indices(0, 1, 2, 5)).shapes)
            .containsExactly(List.of(4L, 4L), List.of(1L, 2L, 4L));
        assertThat(driverCalls().builds()).isEqualTo(builds);
      }
    }
  }

  @Test
  void ofTwoSymbolsWithOtherNamesNoneIsTheBatch() {
    try (Model model = load(twoSymbols("M", "L"))) {
      assertThat(model.hasBatch()).isFalse();
      assertThat(answer(model, pairs(0, 1), indices(0, 1, 6)).failures)
          .containsExactly(index("y", 6, "position 2"));
      assertThat(answer(model, pairs(0, 1), indices(0, 1, 5)).failures).isEmpty();
    }
  }
}
