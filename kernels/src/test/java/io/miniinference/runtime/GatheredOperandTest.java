package io.miniinference.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.Tensor;
import io.miniinference.onnx.wire.TensorProto.DataType;
import io.miniinference.testing.TestModel;
import io.miniinference.testing.device.OnEachDevice;
import io.miniinference.testing.device.TestedDevice;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Gathers that the kernel after them may do on its way: what they give is what a Gather by itself
/// gives, as the JVM device has them, and so is what they say of bad indices, with the Gather's
/// name, at rows all over the groups of work items that share the work.
@OnEachDevice
final class GatheredOperandTest extends SharedEngine {
  private static final int BATCH = 64;
  private static final Pattern LAUNCHES = Pattern.compile("\"launches\":(\\d+)");

  /// Whether the device has no launch of such a Gather.
  private boolean isFused() {
    return tested.isOpenCl();
  }

  /// A model with input 0 the indices, a Gather `g` and what reads it.
  ///
  /// @param indices dimensions of a row of the indices
  /// @param limit legal indices are in `[-limit, limit - 1]`
  /// @param axis that messages name
  /// @param data dimensions of input 1, its first the batch if that is −1; none for no such input
  record Kind(
      String name, String op, long[] indices, int limit, int axis, long[] data, Shape model) {
    @Override
    public String toString() {
      return name;
    }

    int perRow() {
      return (int) Arrays.stream(indices).reduce(1, (a, b) -> a * b);
    }

    TestModel read(boolean isShown) {
      TestModel text = TestModel.opset(18);
      text.longs("i", "N" + dims(indices));
      if (data.length > 0) {
        text.floats(
            "x", (data[0] < 0 ? "N" : data[0]) + dims(Arrays.copyOfRange(data, 1, data.length)));
      }
      model.add(text);
      text.output("y");
      return isShown ? text.output("g") : text;
    }

    private static String dims(long[] dims) {
      return Arrays.stream(dims).mapToObj(d -> "," + d).reduce("", String::concat);
    }
  }

  /// Adds the nodes of a model.
  interface Shape {
    void add(TestModel model);
  }

  private static Kind embedding(String name, long columns, int perRow, Shape after) {
    return new Kind(
        name,
        "Gather",
        new long[] {perRow},
        50,
        0,
        new long[0],
        model -> {
          model.reals("table", 50, columns).node("Gather", "table i", "g", "axis=0");
          after.add(model);
        });
  }

  private static Kind elements(String name, int width, int perRow, Shape after) {
    return new Kind(
        name,
        "GatherElements",
        new long[] {perRow},
        width,
        1,
        new long[] {-1, width},
        model -> {
          model.node("GatherElements", "x i", "g", "axis=1");
          after.add(model);
        });
  }

  static Stream<Kind> kinds() {
    return Stream.of(
        embedding("rows, their sum", 7, 9, sum("ReduceSum", 1)),
        embedding("many rows, their sum", 3, 1500, sum("ReduceSum", 1)),
        embedding("short vectors, their sum", 16, 9, sum("ReduceSum", 1)),
        embedding("vectors, their mean", 96, 5, sum("ReduceMean", 1)),
        embedding("long vectors, their sum", 80, 3, sum("ReduceSum", 1)),
        embedding("vectors, the highest", 64, 5, sum("ReduceMax", 1)),
        embedding("rows, the mean of all", 7, 9, sum("ReduceMean", 1, 2)),
        embedding("rows, the highest of all", 70, 5, sum("ReduceMax", 1, 2)),
        embedding("rows, the sum of each", 130, 3, sum("ReduceSum", 2)),
        embedding(
            "rows, doubled, their mean",
            7,
            9,
            m -> m.node("Add", "g g", "d").constant("a", 1, 2).node("ReduceMean", "d a", "y")),
        embedding(
            "rows, the place of the highest", 60, 3, m -> m.node("ArgMax", "g", "y", "axis=2")),
        embedding("rows, softmax of each", 60, 3, m -> m.node("Softmax", "g", "y", "axis=2")),
        embedding("rows, softmax over them", 5, 50, m -> m.node("Softmax", "g", "y", "axis=1")),
        embedding(
            "rows, normalised",
            64,
            5,
            m -> m.reals("s", 64).reals("b", 64).node("LayerNormalization", "g s b", "y")),
        embedding(
            "rows and their places, normalised",
            72,
            5,
            m ->
                m.reals("p", 5, 72)
                    .reals("s", 72)
                    .node("Add", "g p", "sum")
                    .node("LayerNormalization", "sum s", "y")),
        embedding(
            "rows, their product", 24, 5, m -> m.reals("w", 24, 33).node("MatMul", "g w", "y")),
        embedding(
            "many rows, their product",
            33,
            50,
            m ->
                m.reals("w", 33, 70)
                    .reals("b", 70)
                    .node("MatMul", "g w", "p")
                    .node("Add", "p b", "y")),
        embedding(
            "rows, multiplied with each other's",
            12,
            6,
            m -> m.reals("w", 1, 12, 5).node("MatMul", "g w", "y")),
        new Kind(
            "one row each, its Gemm",
            "Gather",
            new long[] {},
            50,
            0,
            new long[0],
            m ->
                m.reals("x", 50, 20)
                    .reals("w", 20, 40)
                    .reals("b", 40)
                    .node("Gather", "x i", "g", "axis=0")
                    .node("Gemm", "g w b", "y")),
        elements("elements, softmax", 90, 70, m -> m.node("Softmax", "g", "y", "axis=1")),
        elements("elements, few", 9, 5, m -> m.node("Softmax", "g", "y", "axis=1")),
        elements("elements, the lowest", 90, 300, sum("ReduceMin", 1)),
        elements(
            "elements, the place of the highest",
            90,
            50,
            m -> m.node("ArgMax", "g", "y", "axis=1")),
        new Kind(
            "tuples, normalised",
            "GatherND",
            new long[] {75, 1},
            31,
            1,
            new long[] {-1, 31},
            m ->
                m.reals("s", 75)
                    .node("GatherND", "x i", "g", "batch_dims=1")
                    .node("LayerNormalization", "g s", "y")));
  }

  private static Shape sum(String op, long... axes) {
    return model -> model.constant("axes", axes).node(op, "g axes", "y", "keepdims=0");
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void whatIsGatheredOnTheWayIsWhatAGatherGives(Kind kind) {
    try (Model fused = load(kind.read(false));
        Engine jvm = open(TestedDevice.JVM);
        Model apart = jvm.load(kind.read(true).read(), LoadOptions.defaults())) {
      assertThat(launches(fused)).isEqualTo(isFused() ? 1 : 2);
      assertThat(launches(apart)).isGreaterThan(1);
      for (int rows : new int[] {BATCH, 1, 5, 0}) {
        Tensor[] inputs = inputs(kind, rows, rows);
        assertClose(run(fused, inputs), run(apart, inputs), kind.name);
      }
    }
  }

  private static void assertClose(byte[] got, byte[] expected, String what) {
    float[] a = MemorySegment.ofArray(got).toArray(ValueLayout.JAVA_FLOAT_UNALIGNED);
    float[] b = MemorySegment.ofArray(expected).toArray(ValueLayout.JAVA_FLOAT_UNALIGNED);
    assertThat(a).as(what).hasSameSizeAs(b);
    for (int i = 0; i < a.length; i++) {
      assertThat(Math.abs(a[i] - b[i])).as("%s: element %d", what, i).isLessThan(1e-4f);
    }
  }

  /// Of a table that is as large as the batch there may be no line for a bad index to read instead:
  /// the product is no kernel that reads one.
  @Test
  void aReaderMayHaveSeveralResults() {
    TestModel model =
        TestModel.opset(17)
            .floats("x", "90")
            .constant("k", 8)
            .input("i", DataType.INT64, "8")
            .node("Gather", "x i", "some")
            .node("TopK", "some k", "y z")
            .output("y")
            .output("z");
    float[] x = new float[90];
    for (int i = 0; i < x.length; i++) {
      x[i] = i * 7 % 90;
    }
    try (Model loaded = load(model)) {
      byte[] z =
          loaded.infer(
              request(floats(shape(90), x), longs(shape(8), 3, 1, 4, 2, 8, 5, 7, 6)),
              all -> all.getLast().data().toArray(ValueLayout.JAVA_BYTE));
      assertThat(MemorySegment.ofArray(z).toArray(ValueLayout.JAVA_LONG_UNALIGNED))
          .containsExactly(4, 6, 7, 5, 2, 0, 3, 1);
    }
  }

  @Test
  void aTableThatMayBeEmptyIsGatheredByItself() {
    TestModel text =
        TestModel.opset(18)
            .longs("i", "4")
            .floats("x", "N,24")
            .reals("w", 24, 20)
            .node("Gather", "x i", "g", "axis=0")
            .node("MatMul", "g w", "y")
            .output("y");
    try (Model model = load(text)) {
      assertThat(launches(model)).isEqualTo(2);
      assertThat(run(model, longs(shape(4), 0, 1, -2, -1), counted(ElementType.F32, 2, 24)))
          .hasSize(4 * 20 * 4);
      assertFails(
          "node 'make g' (Gather): index 0 is outside [0, -1] on axis 0, position 0",
          model,
          longs(shape(4), 0, 0, -1, -1),
          floats(shape(0, 24)));
    }
  }

  static int launches(Model model) {
    Matcher matcher = LAUNCHES.matcher(model.plan(4).json());
    assertThat(matcher.find()).isTrue();
    return Integer.parseInt(matcher.group(1));
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void badIndicesFailTheirRowsAndNoOthers(Kind kind) {
    List<int[]> badRows =
        List.of(
            new int[] {0},
            new int[] {BATCH - 1},
            new int[] {3, 31, 32},
            IntStream.range(0, BATCH).toArray());
    try (Model model = load(kind.read(false))) {
      Tensor[] good = inputs(kind, BATCH, 7);
      byte[] clean = run(model, good);
      int perRow = kind.perRow();
      for (int[] rows : badRows) {
        for (int first : new TreeSet<>(List.of(0, perRow / 2, perRow - 1))) {
          Outcome outcome = outcome(model, spoiled(kind, good, rows, first));
          assertThat(outcome.messages).isEqualTo(messages(kind, rows, first));
          assertOthersEqual(outcome.bytes, clean, rows);
          assertThat(run(model, good)).as("the next run").isEqualTo(clean);
        }
      }
    }
  }

  /* In each of `rows` all from `first` on. */
  private static Tensor[] spoiled(Kind kind, Tensor[] good, int[] rows, int first) {
    long[] at = good[0].data().toArray(ValueLayout.JAVA_LONG_UNALIGNED);
    for (int row : rows) {
      for (int k = first; k < kind.perRow(); k++) {
        at[row * kind.perRow() + k] = bad(kind, row, k);
      }
    }
    Tensor[] spoiled = good.clone();
    spoiled[0] = longs(good[0].shape(), at);
    return spoiled;
  }

  private static long bad(Kind kind, int row, int k) {
    return switch ((row + k) % 4) {
      case 0 -> kind.limit + (long) k;
      case 1 -> -kind.limit - 1L - row;
      case 2 -> Long.MIN_VALUE;
      default -> Long.MAX_VALUE - k;
    };
  }

  private static List<String> messages(Kind kind, int[] rows, int first) {
    return Arrays.stream(rows)
        .mapToObj(row ->
            "node 'make g' (%s): index %d is outside [%d, %d] on axis %d, at row %d, position %d"
                .formatted(
                    kind.op,
                    bad(kind, row, first),
                    -kind.limit,
                    kind.limit - 1,
                    kind.axis,
                    row,
                    row * kind.perRow() + first))
        .toList();
  }

  private static void assertOthersEqual(byte[] got, byte[] clean, int[] rows) {
    int bytes = clean.length / BATCH;
    for (int row = 0; row < BATCH; row++) {
      if (Arrays.binarySearch(rows, row) < 0) {
        assertThat(Arrays.copyOfRange(got, row * bytes, (row + 1) * bytes))
            .as("row %d", row)
            .isEqualTo(Arrays.copyOfRange(clean, row * bytes, (row + 1) * bytes));
      }
    }
  }

  /* In odd rows none counts from the end: kernels tell such rows from others. */
  private static long[] places(Kind kind, int rows, Random random) {
    long[] places = random.longs((long) rows * kind.perRow(), -kind.limit, kind.limit).toArray();
    for (int k = 0; k < places.length; k++) {
      if (k / kind.perRow() % 2 == 1 && places[k] < 0) {
        places[k] += kind.limit;
      }
    }
    return places;
  }

  private static Tensor[] inputs(Kind kind, int rows, long seed) {
    Random random = new Random(seed);
    long[] indices = new long[kind.indices.length + 1];
    indices[0] = rows;
    System.arraycopy(kind.indices, 0, indices, 1, kind.indices.length);
    Tensor at = longs(indices, places(kind, rows, random));
    if (kind.data.length == 0) {
      return new Tensor[] {at};
    }
    long[] shape = kind.data.clone();
    shape[0] = shape[0] < 0 ? rows : shape[0];
    float[] values = new float[(int) Arrays.stream(shape).reduce(1, (a, b) -> a * b)];
    for (int i = 0; i < values.length; i++) {
      values[i] = random.nextFloat() - 0.5f;
    }
    return new Tensor[] {at, floats(shape, values)};
  }

  record Outcome(byte[] bytes, List<String> messages) {}

  static Outcome outcome(Model model, Tensor... inputs) {
    List<String> messages = new ArrayList<>();
    List<byte[]> bytes = new ArrayList<>();
    try {
      model.infer(
          request(inputs),
          new ResponseReader<Boolean>() {
            @Override
            public Boolean read(List<Output> outputs) {
              return bytes.add(outputs.getFirst().data().toArray(ValueLayout.JAVA_BYTE));
            }

            @Override
            public void failed(List<Output> outputs, List<FailureReport> failures) {
              read(outputs);
            }
          });
    } catch (RequestFailedException e) {
      e.failures().forEach(failure -> messages.add(failure.message()));
    }
    return new Outcome(bytes.getFirst(), messages);
  }
}
