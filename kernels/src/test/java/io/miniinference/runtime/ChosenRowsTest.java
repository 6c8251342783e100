package io.miniinference.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.miniinference.ir.Tensor;
import io.miniinference.testing.TestModel;
import io.miniinference.testing.device.OnEachDevice;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// Rows that a mask chooses: how many there are only the device can tell. What is done with them is
/// done again here, row by row.
@OnEachDevice
final class ChosenRowsTest extends SharedEngine {
  private static final int ROWS = 300;

  /// Of each of two classes the best 40 rows that are good enough, joined, the best 50 of these,
  /// and how many there are of each class: as torchvision's detectors choose.
  private static TestModel chooser() {
    return TestModel.opset(17)
        .floats("x", ROWS + ",3")
        .floats("s", ROWS + ",2")
        .reals("least", _ -> 0.5, 1)
        .constant("zero", 0)
        .constant("one", 1)
        .constant("few", 40)
        .constant("ends", 0, 50)
        .node("Shape", "x", "all")
        .node("Gather", "s zero", "a", "axis=1")
        .node("Gather", "s one", "b", "axis=1")
        .node("Squeeze", "a one", "ofA")
        .node("Squeeze", "b one", "ofB");
  }

  private static TestModel best(TestModel m, String of) {
    return m.node("Greater", of + " least", of + "mask")
        .node("NonZero", of + "mask", of + "at")
        .node("Transpose", of + "at", of + "tuples")
        .node("GatherND", of + " " + of + "tuples", of + "scores")
        .node("Squeeze", of + "at zero", of + "rows")
        .node("Shape", of + "rows", of + "size")
        .node("Concat", "few " + of + "size", of + "both", "axis=0")
        .node("ReduceMin", of + "both", of + "k", "keepdims=1")
        .node("TopK", of + "scores " + of + "k", of + "top " + of + "places")
        .node("Gather", of + "rows " + of + "places", of + "best")
        .node("Gather", "x " + of + "best", of + "kept");
  }

  private static TestModel model() {
    TestModel m = best(best(chooser(), "ofA"), "ofB");
    return m.node("Concat", "ofAkept ofBkept", "joined", "axis=0")
        .node("Concat", "ofAtop ofBtop", "scores", "axis=0")
        .node("Shape", "scores", "number")
        .node("TopK", "scores number", "sorted order")
        .node("Gather", "joined order", "ordered")
        .constant("start", 0)
        .constant("end", 50)
        .node("Slice", "ordered start end zero", "rows")
        .node("Slice", "sorted start end zero", "top")
        .node("ReduceSum", "joined zero", "sum", "keepdims=0")
        .output("rows")
        .output("top")
        .output("number")
        .output("sum");
  }

  /// What is above 1/2 of one column, its shares, and the products of each row with itself.
  @Test
  void haveSharesAndProductsOfTheirOwn() {
    TestModel shares =
        best(chooser(), "ofA")
            .constant("two", 2)
            .node("Softmax", "ofAscores", "share", "axis=0")
            .node("Gather", "x ofArows", "chosen")
            .node("Unsqueeze", "chosen two", "tall")
            .node("Unsqueeze", "chosen one", "flat")
            .node("MatMul", "tall flat", "squares")
            .output("share")
            .output("squares");
    try (Model model = load(shares)) {
      for (int chosen : new int[] {0, 1, 7, ROWS}) {
        checkShares(model, chosen);
      }
    }
  }

  private static void checkShares(Model model, int chosen) {
    float[] x = new float[ROWS * 3];
    float[] s = new float[ROWS * 2];
    for (int i = 0; i < x.length; i++) {
      x[i] = i % 11;
    }
    int first = ROWS - chosen;
    double sum = 0;
    for (int i = first; i < ROWS; i++) {
      s[2 * i] = 1 + (i - first) % 5;
      sum += Math.exp(s[2 * i]);
    }
    List<float[]> values =
        model.infer(
            request(floats(shape(ROWS, 3), x), floats(shape(ROWS, 2), s)),
            outputs ->
                outputs.stream()
                    .map(it -> it.data().toArray(ValueLayout.JAVA_FLOAT_UNALIGNED))
                    .toList());
    assertThat(values.getFirst()).hasSize(chosen);
    assertThat(values.getLast()).hasSize(9 * chosen);
    for (int i = 0; i < chosen; i++) {
      float share = (float) (Math.exp(s[2 * (first + i)]) / sum);
      assertThat(values.getFirst()[i]).isCloseTo(share, within(1e-6f));
      for (int k = 0; k < 9; k++) {
        float square = x[3 * (first + i) + k / 3] * x[3 * (first + i) + k % 3];
        assertThat(values.getLast()[9 * i + k]).isEqualTo(square);
      }
    }
  }

  private record Answer(List<long[]> shapes, List<float[]> values, long number) {}

  private static Answer answer(Model model, Tensor... inputs) {
    return model.infer(
        request(inputs),
        outputs -> {
          List<long[]> shapes = new ArrayList<>();
          List<float[]> values = new ArrayList<>();
          outputs.forEach(output -> shapes.add(output.shape().clone()));
          for (int i : new int[] {0, 1, 3}) {
            byte[] bytes = outputs.get(i).data().toArray(ValueLayout.JAVA_BYTE);
            values.add(
                java.lang.foreign.MemorySegment.ofArray(bytes)
                    .toArray(ValueLayout.JAVA_FLOAT_UNALIGNED));
          }
          return new Answer(
              shapes, values, outputs.get(2).data().get(ValueLayout.JAVA_LONG_UNALIGNED, 0));
        });
  }

  private record Row(float score, float[] values) {}

  private static List<Row> best(float[] x, float[] s, int of) {
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < ROWS; i++) {
      if (s[2 * i + of] > 0.5f) {
        rows.add(new Row(s[2 * i + of], Arrays.copyOfRange(x, 3 * i, 3 * i + 3)));
      }
    }
    rows.sort(Comparator.comparingDouble(row -> -row.score));
    return rows.subList(0, Math.min(40, rows.size()));
  }

  @Test
  void areThoseThatAreGoodEnough() {
    Random random = new Random(5);
    try (Model model = load(model())) {
      for (double share : new double[] {0, 0.01, 0.05, 0.3, 1}) {
        float[] x = new float[ROWS * 3];
        float[] s = new float[ROWS * 2];
        for (int i = 0; i < x.length; i++) {
          x[i] = random.nextInt(64);
        }
        for (int i = 0; i < s.length; i++) {
          boolean isGood = random.nextDouble() < share;
          s[i] = isGood ? 0.5f + (i + 1) / 2048f : random.nextFloat() / 2;
        }
        check(model, x, s);
      }
    }
  }

  private static void check(Model model, float[] x, float[] s) {
    List<Row> joined = new ArrayList<>(best(x, s, 0));
    joined.addAll(best(x, s, 1));
    float[] sum = new float[3];
    joined.forEach(row -> {
      for (int i = 0; i < 3; i++) {
        sum[i] += row.values[i];
      }
    });
    List<Row> ordered = new ArrayList<>(joined);
    ordered.sort(Comparator.comparingDouble(row -> -row.score));
    ordered = ordered.subList(0, Math.min(50, ordered.size()));
    Answer answer = answer(model, floats(shape(ROWS, 3), x), floats(shape(ROWS, 2), s));
    assertThat(answer.number).isEqualTo(joined.size());
    assertThat(answer.shapes.getFirst()).containsExactly(ordered.size(), 3);
    assertThat(answer.values.get(2)).containsExactly(sum);
    for (int i = 0; i < ordered.size(); i++) {
      assertThat(answer.values.get(1)[i]).isEqualTo(ordered.get(i).score);
      assertThat(Arrays.copyOfRange(answer.values.get(0), 3 * i, 3 * i + 3))
          .containsExactly(ordered.get(i).values);
    }
  }
}
