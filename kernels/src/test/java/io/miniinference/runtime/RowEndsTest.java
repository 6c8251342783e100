package io.miniinference.runtime;

import static io.miniinference.runtime.GatheredOperandTest.outcome;
import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.Tensor;
import io.miniinference.onnx.wire.TensorProto.DataType;
import io.miniinference.testing.TestModel;
import io.miniinference.testing.device.OnEachDevice;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Rows whose indices count from the start, from the end, from both, or do not fit, in one batch:
/// kernels go over each sort of row in a way of its own, and none may tell.
@OnEachDevice
final class RowEndsTest extends SharedEngine {
  private static final int SIZE = 7;
  private static final int PER_ROW = 6;

  /// A row of indices on an axis of [#SIZE] elements.
  ///
  /// @param firstBad position of the first that does not fit, −1 if all do
  private record Row(int firstBad, long... indices) {}

  private static final List<Row> ROWS =
      List.of(
          new Row(-1, 0, 6, 3, 4, 1, 5),
          new Row(-1, -7, 6, -1, 0, -4, 2),
          new Row(2, -7, 6, 7, -8, 0, -1),
          new Row(-1, -1, -2, -3, -7, -5, -4),
          new Row(1, -1, -8, 5, 7, 2, 3),
          new Row(5, 0, 1, 2, 3, 4, 7),
          new Row(5, 5, 1, 2, 3, 4, -8),
          new Row(0, Integer.MAX_VALUE, -1, -2, -3, -4, -5),
          new Row(4, -1, -2, -3, -4, Integer.MIN_VALUE, 0),
          new Row(-1, 0, 1, 2, 3, 4, -7));

  /// A model with input 0 the indices.
  ///
  /// @param shape dimensions of a row of the indices
  /// @param shown what messages name
  /// @param others dimensions of a row of each further input
  private record Kind(
      TestModel model, ElementType type, long[] shape, String shown, List<long[]> others) {
    @Override
    public String toString() {
      return shown + " with indices of " + type;
    }
  }

  private static TestModel indices(DataType type, String dims) {
    return TestModel.opset(18).input("i", type, dims);
  }

  private static Kind elements(DataType type, ElementType element) {
    return new Kind(
        indices(type, "N,6").floats("x", "N,7").node("GatherElements", "x i", "y", "axis=1"),
        element,
        shape(6),
        "'make y' (GatherElements)",
        List.of(shape(7)));
  }

  private static Kind updates(DataType type, ElementType element) {
    return new Kind(
        indices(type, "N,6")
            .floats("x", "N,7")
            .floats("u", "N,6")
            .node("ScatterElements", "x i u", "y", "axis=1"),
        element,
        shape(6),
        "'make y' (ScatterElements)",
        List.of(shape(7), shape(6)));
  }

  private static Kind tuples() {
    return new Kind(
        indices(DataType.INT64, "N,3,2")
            .floats("x", "N,7,7,2")
            .node("GatherND", "x i", "y", "batch_dims=1"),
        ElementType.I64,
        shape(3, 2),
        "'make y' (GatherND)",
        List.of(shape(7, 7, 2)));
  }

  private static Kind bag(DataType type, ElementType element) {
    return new Kind(
        indices(type, "N,6")
            .reals("table", 7, 32)
            .node("Gather", "table i", "g", "axis=0")
            .constant("axes", 1)
            .node("ReduceSum", "g axes", "y", "keepdims=0"),
        element,
        shape(6),
        "'make g' (Gather)",
        List.of());
  }

  static Stream<Kind> kinds() {
    return Stream.of(
        elements(DataType.INT64, ElementType.I64),
        elements(DataType.INT32, ElementType.I32),
        updates(DataType.INT64, ElementType.I64),
        updates(DataType.INT32, ElementType.I32),
        tuples(),
        bag(DataType.INT64, ElementType.I64),
        bag(DataType.INT32, ElementType.I32));
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void aRowIsToldOfItsFirstBadIndexAndTheOthersGiveWhatTheyGiveFromTheStart(Kind kind) {
    try (Model model = load(kind.model.output("y"))) {
      byte[] fromStart = run(model, inputs(kind, ROWS.stream().map(RowEndsTest::start)));
      var outcome = outcome(model, inputs(kind, ROWS.stream().map(Row::indices)));
      assertThat(outcome.messages()).isEqualTo(messages(kind));
      for (int row = 0; row < ROWS.size(); row++) {
        if (ROWS.get(row).firstBad < 0) {
          assertThat(part(outcome.bytes(), row)).as("row %d", row).isEqualTo(part(fromStart, row));
        }
      }
    }
  }

  /* The same places, counted from the start; the first one where there is none. */
  private static long[] start(Row row) {
    return Arrays.stream(row.indices)
        .map(index -> index < -SIZE || index >= SIZE ? 0 : Math.floorMod(index, SIZE))
        .toArray();
  }

  private static Tensor[] inputs(Kind kind, Stream<long[]> rows) {
    Tensor indices =
        wholes(kind.type, batch(kind.shape), rows.flatMapToLong(Arrays::stream).toArray());
    Stream<Tensor> others = kind.others.stream().map(row -> counted(ElementType.F32, batch(row)));
    return Stream.concat(Stream.of(indices), others).toArray(Tensor[]::new);
  }

  private static long[] batch(long[] row) {
    long[] shape = new long[row.length + 1];
    shape[0] = ROWS.size();
    System.arraycopy(row, 0, shape, 1, row.length);
    return shape;
  }

  private static List<String> messages(Kind kind) {
    return IntStream.range(0, ROWS.size())
        .filter(row -> ROWS.get(row).firstBad >= 0)
        .mapToObj(row -> message(kind, row, ROWS.get(row)))
        .toList();
  }

  /* The axis of the data that an index counts on: that of a table, or the component's. */
  private static String message(Kind kind, int number, Row row) {
    int axis = kind.others.isEmpty() ? 0 : kind.shape.length == 1 ? 1 : 1 + row.firstBad % 2;
    return "node %s: index %d is outside [-7, 6] on axis %d, at row %d, position %d"
        .formatted(
            kind.shown, row.indices[row.firstBad], axis, number, number * PER_ROW + row.firstBad);
  }

  private static byte[] part(byte[] all, int row) {
    int bytes = all.length / ROWS.size();
    return Arrays.copyOfRange(all, row * bytes, (row + 1) * bytes);
  }
}
