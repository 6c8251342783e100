package io.miniinference.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.miniinference.device.DriverCalls;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Tensor;
import io.miniinference.onnx.wire.TensorProto.DataType;
import io.miniinference.testing.TestModel;
import io.miniinference.testing.device.OnEachDevice;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Which of several failures is told, and where: the first in the order of the file, whatever is
/// fused, shared or moved on the way to a device, at the place that the file's tensors have.
@OnEachDevice(optimised = false)
final class FailureOrderTest extends SharedEngine {

  /// What is told of a request, which waits once.
  private List<String> failures(Model model, Tensor... inputs) {
    DriverCalls before = driverCalls();
    List<String> messages =
        catchThrowableOfType(
                RequestFailedException.class, () -> model.infer(request(inputs), _ -> true))
            .failures()
            .stream()
            .map(FailureReport::message)
            .toList();
    assertThat(driverCalls().waits() - before.waits()).isEqualTo(1);
    return messages;
  }

  private static String index(String value, long index, int size, String place) {
    return "node 'make %s' (Gather): index %d is outside [%d, %d] on axis 0%s"
        .formatted(value, index, -size, size - 1, place);
  }

  private static String division(String value, String place) {
    return "node 'make %s' (Div): division by zero%s".formatted(value, place);
  }

  private static TestModel dividing() {
    return TestModel.opset(17)
        .longs("x", "N,2")
        .longs("d", "N,2")
        .longs("i", "N")
        .constant("table", List.of(3L, 2L), 1, 2, 3, 4, 5, 6);
  }

  private static final Tensor X = longs(shape(4, 2), 8, 8, 8, 8, 8, 8, 8, 8);
  private static final Tensor D = longs(shape(4, 2), 1, 2, 1, 0, 0, 1, 4, 2);
  private static final Tensor I = longs(shape(4), 0, 3, -3, -4);

  /// The sum takes in the division, and yet that comes first.
  @Test
  void aDivisionAheadOfAGather() {
    TestModel text =
        dividing()
            .node("Div", "x d", "q")
            .node("Gather", "table i", "g")
            .node("Add", "q g", "y")
            .output("y");
    try (Model model = load(text)) {
      assertThat(failures(model, X, D, I))
          .containsExactly(
              division("q", ", at row 1, position 3"),
              division("q", ", at row 2, position 4"),
              index("g", -4, 3, ", at row 3, position 3"));
    }
  }

  @Test
  void aGatherAheadOfADivision() {
    TestModel text =
        dividing()
            .node("Gather", "table i", "g")
            .node("Div", "x d", "q")
            .node("Add", "q g", "y")
            .output("y");
    try (Model model = load(text)) {
      assertThat(failures(model, X, D, I))
          .containsExactly(
              index("g", 3, 3, ", at row 1, position 1"),
              index("g", -4, 3, ", at row 3, position 3"),
              division("q", ", at row 2, position 4"));
    }
  }

  /// Nodes that do the same are one, which has the first one's name.
  @Test
  void theFirstOfNodesThatDoTheSame() {
    TestModel text =
        dividing()
            .node("Div", "x d", "q")
            .node("Div", "x d", "r")
            .node("Gather", "table i", "g")
            .node("Gather", "table i", "h")
            .node("Sum", "q r g h", "y")
            .output("y");
    try (Model model = load(text)) {
      Tensor fine = longs(shape(4), 0, 1, 2, 3);
      assertThat(failures(model, X, D, fine))
          .containsExactly(
              division("q", ", at row 1, position 3"),
              division("q", ", at row 2, position 4"),
              index("g", 3, 3, ", at row 3, position 3"));
    }
  }

  /// A failure of the run hides none of rows, nor the other way round.
  @Test
  void indicesOfTheRunAndOfRows() {
    TestModel text =
        dividing()
            .longs("s", "1")
            .node("Gather", "table s", "g")
            .node("Gather", "table i", "h")
            .node("Add", "g h", "z")
            .node("Add", "z x", "zx")
            .node("Add", "zx d", "y")
            .output("y");
    try (Model model = load(text)) {
      assertThat(failures(model, X, D, I, longs(shape(1), 7)))
          .containsExactly(
              index("g", 7, 3, ", position 0"),
              index("h", 3, 3, ", at row 1, position 1"),
              index("h", -4, 3, ", at row 3, position 3"));
    }
  }

  /// What a failed row makes of other indices is not told.
  @Test
  void theFirstOfIndicesThatFollowFromEachOther() {
    TestModel text =
        TestModel.opset(18)
            .longs("i", "N,2")
            .floats("x", "N,4")
            .constant("places", 0, 3, -5, 4, 1)
            .reals("values", 7)
            .node("Gather", "places i", "p")
            .node("Gather", "values i", "v")
            .node("ScatterElements", "x p v", "y", "axis=1", "reduction=add")
            .output("y");
    try (Model model = load(text)) {
      assertThat(
              failures(
                  model,
                  longs(shape(5, 2), 0, 1, 2, 6, 4, 3, 0, -6, 5, 0),
                  counted(ElementType.F32, 5, 4)))
          .containsExactly(
              "node 'make p' (Gather): index 6 is outside [-5, 4] on axis 0, at row 1, position 3",
              "node 'make p' (Gather): index -6 is outside [-5, 4] on axis 0, at row 3, position 7",
              "node 'make p' (Gather): index 5 is outside [-5, 4] on axis 0, at row 4, position 8",
              "node 'make y' (ScatterElements): index 4 is outside [-4, 3] on axis 1, at row 2,"
                  + " position 5");
    }
  }

  /// Positions are those of the divisor as it is broadcast; one that all rows share is nobody's.
  @Test
  void divisorsThatAreBroadcast() {
    assertDivides("N,2,3", "3", wholes(ElementType.I32, shape(3), 1, 2, 0), ", position 2");
    assertDivides("N,2,3", "2,1", wholes(ElementType.I32, shape(2, 1), 5, 0), ", position 3");
    assertDivides(
        "N,2,3",
        "N,1,3",
        wholes(ElementType.I32, shape(2, 1, 3), 1, 2, 3, 4, 0, 0),
        ", at row 1, position 7");
    assertDivides(
        "N,2,3", "N,1,1", wholes(ElementType.I32, shape(2, 1, 1), 1, 0), ", at row 1, position 6");
    assertDivides("N,2,3", "1,1,1", wholes(ElementType.I32, shape(1, 1, 1), 0), ", position 0");
  }

  private void assertDivides(String x, String d, Tensor divisors, String place) {
    TestModel text =
        TestModel.opset(17)
            .input("x", DataType.INT32, x)
            .input("d", DataType.INT32, d)
            .node("Div", "x d", "y")
            .output("y");
    try (Model model = load(text)) {
      Tensor dividends =
          wholes(ElementType.I32, shape(2, 2, 3), 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9);
      assertThat(failures(model, dividends, divisors)).containsExactly(division("y", place));
    }
  }

  /// A model may ask for what is not there in any request: it loads, and fails each of them.
  @Test
  void aConstantIndexThatDoesNotFit() {
    TestModel text =
        TestModel.opset(17)
            .floats("x", "N,4")
            .constant("k", 1, 4)
            .constant("j", 3)
            .reals("table", 3, 2)
            .node("Gather", "x k", "g", "axis=1")
            .node("Gather", "table j", "h")
            .node("Add", "g h", "y")
            .output("y");
    try (Model model = load(text)) {
      for (int rows = 1; rows < 3; rows++) {
        assertThat(failures(model, counted(ElementType.F32, rows, 4)))
            .containsExactly(
                "node 'make g' (Gather): index 4 is outside [-4, 3] on axis 1, position 1");
      }
    }
  }

  /// Rows that read other rows, by indices of their own.
  @Test
  void indicesOfRows() {
    TestModel text =
        TestModel.opset(17)
            .floats("x", "N,2")
            .longs("i", "N")
            .node("Gather", "x i", "y")
            .output("y");
    try (Model model = load(text)) {
      Tensor x = counted(ElementType.F32, 3, 2);
      assertThat(reals(model, x, longs(shape(3), 2, -3, -1))).containsExactly(4, 5, 0, 1, 4, 5);
      assertThat(failures(model, x, longs(shape(3), 2, 3, -4)))
          .containsExactly(
              index("y", 3, 3, ", at row 1, position 1"),
              index("y", -4, 3, ", at row 2, position 2"));
      assertThat(failures(model, counted(ElementType.F32, 1, 2), longs(shape(1), 1)))
          .containsExactly(index("y", 1, 1, ", at row 0, position 0"));
    }
  }

  /// A mean of losses mixes rows, and still knows which of them fail.
  @Test
  void classesOfAMean() {
    for (String reduction : new String[] {"mean", "sum"}) {
      TestModel text =
          TestModel.opset(17)
              .floats("x", "N,3")
              .longs("t", "N")
              .reals("w", 3)
              .node(
                  "SoftmaxCrossEntropyLoss",
                  "x t w",
                  "y",
                  "reduction=" + reduction,
                  "ignore_index=-1")
              .output("y");
      try (Model model = load(text)) {
        Tensor x = counted(ElementType.F32, 4, 3);
        assertThat(reals(model, x, longs(shape(4), 0, -1, 2, 1))).hasSize(1);
        assertThat(failures(model, x, longs(shape(4), 0, 3, -1, -2)))
            .containsExactly(
                "node 'make y' (SoftmaxCrossEntropyLoss): index 3 is outside [0, 2] on axis 1,"
                    + " at row 1, position 1",
                "node 'make y' (SoftmaxCrossEntropyLoss): index -2 is outside [0, 2] on axis 1,"
                    + " at row 3, position 3");
      }
    }
  }
}
