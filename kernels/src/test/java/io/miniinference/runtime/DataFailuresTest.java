package io.miniinference.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.miniinference.device.DriverCalls;
import io.miniinference.ir.ElementBits;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Tensor;
import io.miniinference.runtime.RequestBatch.Outcome;
import io.miniinference.testing.TestModel;
import io.miniinference.testing.device.OnEachDevice;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// What a model says of indices that do not fit, to the letter, and what it gives where they do:
/// the same on every device and from every writer.
@OnEachDevice
final class DataFailuresTest extends SharedEngine {
  @Test
  void elementsOfARow() {
    TestModel text =
        TestModel.opset(17)
            .floats("x", "N,5")
            .longs("i", "N,3")
            .node("GatherElements", "x i", "y", "axis=1")
            .output("y");
    try (Model model = load(text)) {
      Tensor x = counted(ElementType.F32, 2, 5);
      assertThat(reals(model, x, longs(shape(2, 3), 4, -5, 0, -1, 1, 2)))
          .containsExactly(4, 0, 0, 9, 6, 7);
      assertFails(
          "node 'make y' (GatherElements): index 5 is outside [-5, 4] on axis 1, at row 1,"
              + " position 4",
          model,
          x,
          longs(shape(2, 3), 4, -5, 0, -1, 5, -6));
      assertThat(reals(model, x, longs(shape(2, 3), 0, 0, 0, 0, 0, 0)))
          .containsExactly(0, 0, 0, 5, 5, 5);
    }
  }

  @Test
  void theFirstBadComponentOfATuple() {
    TestModel text =
        TestModel.opset(17)
            .floats("x", "N,4,3")
            .longs("i", "N,2,2")
            .node("GatherND", "x i", "y", "batch_dims=1")
            .output("y");
    try (Model model = load(text)) {
      Tensor x = counted(ElementType.F32, 2, 4, 3);
      assertThat(reals(model, x, longs(shape(2, 2, 2), 3, 2, -4, -3, 0, 1, 1, 0)))
          .containsExactly(11, 0, 13, 15);
      assertFails(
          "node 'make y' (GatherND): index 3 is outside [-3, 2] on axis 2, at row 0, position 3;"
              + " one more row failed: 1",
          model,
          x,
          longs(shape(2, 2, 2), 3, 2, 0, 3, 4, 4, 4, 4));
    }
  }

  @Test
  void anUpdateWithoutAPlaceIsLeftOut() {
    TestModel text =
        TestModel.opset(17)
            .floats("x", "N,4")
            .longs("i", "N,2")
            .floats("u", "N,2")
            .node("ScatterElements", "x i u", "y", "axis=1")
            .output("y");
    try (Model model = load(text)) {
      Tensor x = counted(ElementType.F32, 2, 4);
      Tensor u = floats(shape(2, 2), 70, 71, 72, 73);
      assertThat(reals(model, x, longs(shape(2, 2), 0, -4, -1, 1), u))
          .containsExactly(71, 1, 2, 3, 4, 73, 6, 72);
      assertFails(
          "node 'make y' (ScatterElements): index -5 is outside [-4, 3] on axis 1, at row 1,"
              + " position 2",
          model,
          x,
          longs(shape(2, 2), 0, 0, -5, 4),
          u);
    }
  }

  /// The last of many at one place stays, as that of few.
  @Test
  void oneOfManyUpdatesWithoutAPlaceIsLeftOut() {
    TestModel text =
        TestModel.opset(17)
            .floats("x", "N,4")
            .longs("i", "N,300")
            .floats("u", "N,300")
            .node("ScatterElements", "x i u", "y", "axis=1")
            .output("y");
    try (Model model = load(text)) {
      Tensor x = counted(ElementType.F32, 2, 4);
      Tensor u = counted(ElementType.F32, 2, 300);
      long[] places = IntStream.range(0, 600).mapToLong(k -> k % 300 < 299 ? k % 3 : -2).toArray();
      assertThat(reals(model, x, longs(shape(2, 300), places), u))
          .containsExactly(297, 298, 299, 3, 597, 598, 599, 7);
      places[450] = 4;
      places[500] = -5;
      assertFails(
          "node 'make y' (ScatterElements): index 4 is outside [-4, 3] on axis 1, at row 1,"
              + " position 450",
          model,
          x,
          longs(shape(2, 300), places),
          u);
    }
  }

  @Test
  void aTupleThatNamesNoRowFailsItsRow() {
    TestModel text =
        TestModel.opset(18)
            .floats("x", "N,3")
            .longs("i", "N,1,2")
            .floats("u", "N,1")
            .node("ScatterND", "x i u", "y", "reduction=max")
            .output("y");
    try (Model model = load(text)) {
      Tensor x = counted(ElementType.F32, 2, 3);
      Tensor u = floats(shape(2, 1), 4, 9);
      assertThat(reals(model, x, longs(shape(2, 1, 2), 0, -1, 1, 0), u))
          .containsExactly(0, 1, 4, 9, 4, 5);
      assertFails(
          "node 'make y' (ScatterND): index 2 is outside [-2, 1] on axis 0, at row 1, position 2",
          model,
          x,
          longs(shape(2, 1, 2), 0, 0, 2, 0),
          u);
    }
  }

  @Test
  void anUpdateOfACacheMustFitBehindItsWriteIndex() {
    TestModel text =
        TestModel.opset(24)
            .floats("cache", "N,2,5,1")
            .floats("update", "N,2,2,1")
            .longs("at", "N")
            .node("TensorScatter", "cache update at", "y")
            .output("y");
    try (Model model = load(text)) {
      Tensor cache = counted(ElementType.F32, 2, 2, 5, 1);
      Tensor update = floats(shape(2, 2, 2, 1), -1, -2, -3, -4, -5, -6, -7, -8);
      assertThat(reals(model, cache, update, longs(shape(2), 3, 0)))
          .containsExactly(
              0, 1, 2, -1, -2, 5, 6, 7, -3, -4, -5, -6, 12, 13, 14, -7, -8, 17, 18, 19);
      assertFails(
          "node 'make y' (TensorScatter): index 4 is outside [0, 3] on axis 2, at row 1,"
              + " position 1",
          model,
          cache,
          update,
          longs(shape(2), 3, 4));
    }
  }

  /// The class that is to be ignored may lie outside, and is read nowhere.
  @Test
  void aTargetThatIsNoClassFailsItsRow() {
    TestModel text =
        TestModel.opset(17)
            .floats("x", "N,3,2")
            .longs("t", "N,2")
            .floats("w", "3")
            .node("NegativeLogLikelihoodLoss", "x t w", "y", "reduction=none", "ignore_index=-7")
            .output("y");
    try (Model model = load(text)) {
      Tensor x = counted(ElementType.F32, 2, 3, 2);
      Tensor w = floats(shape(3), 1, 10, 100);
      assertThat(reals(model, x, longs(shape(2, 2), 0, 2, -7, 1), w))
          .containsExactly(-0f, -500, 0, -90);
      assertFails(
          "node 'make y' (NegativeLogLikelihoodLoss): index -1 is outside [0, 2] on axis 1,"
              + " at row 1, position 2",
          model,
          x,
          longs(shape(2, 2), 0, 2, -1, 3),
          w);
    }
  }

  @Test
  void aTargetOfTheCrossEntropyIsCheckedToo() {
    TestModel text =
        TestModel.opset(17)
            .floats("x", "N,4")
            .longs("t", "N")
            .node("SoftmaxCrossEntropyLoss", "x t", "y", "reduction=none")
            .output("y");
    try (Model model = load(text)) {
      Tensor x = floats(shape(2, 4), new float[8]);
      assertThat(reals(model, x, longs(shape(2), 3, 0)))
          .containsExactly((float) Math.log(4), (float) Math.log(4));
      assertFails(
          "node 'make y' (SoftmaxCrossEntropyLoss): index 4 is outside [0, 3] on axis 1, at row 0,"
              + " position 0",
          model,
          x,
          longs(shape(2), 4, 0));
    }
  }

  /// 2^32 + 1 is not 1.
  @Test
  void anIndexHasItsFullWidth() {
    TestModel text =
        TestModel.opset(17)
            .floats("x", "4,2")
            .longs("i", "N")
            .node("Gather", "x i", "y")
            .output("y");
    try (Model model = load(text)) {
      for (long index : new long[] {(1L << 32) + 1, Long.MIN_VALUE, Long.MAX_VALUE, -5}) {
        assertFails(
            "node 'make y' (Gather): index %d is outside [-4, 3] on axis 0, at row 1, position 1"
                .formatted(index),
            model,
            counted(ElementType.F32, 4, 2),
            longs(shape(2), -4, index));
      }
    }
  }

  @Test
  void aBatchOfNobodyAndIndicesOfNothingAreServed() {
    TestModel text =
        TestModel.opset(17)
            .floats("x", "N,5")
            .longs("i", "N,K")
            .node("GatherElements", "x i", "g", "axis=1")
            .node("ReduceSum", "g axis", "y", "keepdims=0")
            .constant("axis", 1)
            .output("y");
    try (Model model = load(text)) {
      Tensor nobody = floats(shape(0, 5));
      assertThat(reals(model, nobody, longs(shape(0, 3)))).isEmpty();
      Tensor x = counted(ElementType.F32, 2, 5);
      assertThat(reals(model, x, longs(shape(2, 0)))).containsExactly(0, 0);
      assertThat(reals(model, x, longs(shape(2, 1), 4, -5))).containsExactly(4, 5);
      assertFails(
          "node 'make g' (GatherElements): index 5 is outside [-5, 4] on axis 1, at row 1,"
              + " position 2",
          model,
          x,
          longs(shape(2, 2), 0, 0, 5, 0));
    }
  }

  /// Many updates of few places, on all workers and work groups.
  @Test
  void theOrderOfUpdatesIsTheSameInEveryRun() {
    TestModel text =
        TestModel.opset(18)
            .floats("x", "4")
            .longs("i", "3000,1")
            .floats("u", "3000")
            .node("ScatterND", "x i u", "sum", "reduction=add")
            .node("ScatterND", "sum i u", "y")
            .output("y");
    float[] updates = new float[3000];
    long[] at = new long[3000];
    float[] expected = new float[4];
    for (int i = 0; i < updates.length; i++) {
      updates[i] = (float) Math.sin(i) * (1 << i % 20);
      at[i] = i * 7 % 4;
    }
    for (int i = updates.length - 4; i < updates.length; i++) {
      expected[(int) at[i]] = updates[i];
    }
    try (Model model = load(text)) {
      for (int run = 0; run < 1000; run++) {
        float[] y =
            reals(
                model,
                counted(ElementType.F32, 4),
                longs(shape(3000, 1), at),
                floats(shape(3000), updates));
        assertThat(y).as("run %d", run).containsExactly(expected);
      }
    }
  }

  @Test
  void sumsTakeUpdatesInOrder() {
    TestModel text =
        TestModel.opset(18)
            .floats("x", "N,3")
            .longs("i", "N,700")
            .floats("u", "N,700")
            .node("ScatterElements", "x i u", "y", "axis=1", "reduction=add")
            .output("y");
    int rows = 5;
    float[] updates = new float[rows * 700];
    long[] at = new long[updates.length];
    float[] expected = new float[rows * 3];
    for (int i = 0; i < updates.length; i++) {
      updates[i] = (float) Math.sin(i) * (1 << i % 20);
      at[i] = i * 7 % 3 - 3 * (i & 1);
      int place = i / 700 * 3 + (int) Math.floorMod(at[i], 3L);
      expected[place] = expected[place] + updates[i];
    }
    try (Model model = load(text)) {
      Tensor x = floats(shape(rows, 3), new float[rows * 3]);
      Tensor i = longs(shape(rows, 700), at);
      Tensor u = floats(shape(rows, 700), updates);
      for (int run = 0; run < 100; run++) {
        assertThat(reals(model, x, i, u)).as("run %d", run).containsExactly(expected);
      }
    }
  }

  @Test
  void whoeverFailsFirstTheReportIsTheSameInEveryRun() {
    TestModel text =
        TestModel.opset(17)
            .floats("x", "4,3")
            .longs("i", "5000,2")
            .node("GatherND", "x i", "y")
            .output("y");
    long[] at = new long[10_000];
    Arrays.fill(at, 77, at.length, 3);
    try (Model model = load(text)) {
      for (int run = 0; run < 1000; run++) {
        assertFails(
            "node 'make y' (GatherND): index 3 is outside [-3, 2] on axis 1, position 77",
            model,
            counted(ElementType.F32, 4, 3),
            longs(shape(5000, 2), at));
      }
    }
  }

  /// Three callers with two, three and one row: the second has two bad ones.
  @Test
  void callersOfOneBatchHearOfTheirOwnRows() {
    TestModel text =
        TestModel.opset(17)
            .floats("x", "N,5")
            .longs("i", "N,2")
            .node("GatherElements", "x i", "y", "axis=1")
            .output("y");
    try (Model model = load(text)) {
      List<RequestBatch.Outcome<List<Float>>> outcomes =
          RequestBatch.of(
                  model,
                  List.of(
                      member(2, 0, 1, 2, 3),
                      member(3, 4, 0, 0, 5, -6, 0),
                      member(0),
                      member(1, -1, 1)))
              .infer();
      assertThat(outcomes.get(0)).isEqualTo(new Outcome.Answered<>(List.of(0f, 1f, 7f, 8f)));
      assertThat(outcomes.get(2)).isEqualTo(new Outcome.Answered<>(List.of()));
      assertThat(outcomes.get(3)).isEqualTo(new Outcome.Answered<>(List.of(4f, 1f)));
      assertThat(((Outcome.Failed<List<Float>>) outcomes.get(1)).failure())
          .hasMessage(
              "node 'make y' (GatherElements): index 5 is outside [-5, 4] on axis 1, at row 1,"
                  + " position 3; one more row failed: 2");
      assertThat(RequestBatch.of(model, List.of(member(2, 0, 1, 2, 3))).infer())
          .containsExactly(outcomes.get(0));
      assertThatThrownBy(() -> RequestBatch.of(model, List.of(member(60), member(5))))
          .isInstanceOf(InvalidRequestException.class)
          .hasMessage(
              "requests of 65 rows together are more than the batch of 64 that 'test' takes");
    }
  }

  /* A caller whose data count from 0 on. */
  private static RequestBatch.Member<List<Float>> member(int rows, long... at) {
    Tensor x = counted(ElementType.F32, rows, 5);
    return new RequestBatch.Member<>(
        request(x, longs(shape(rows, 2), Arrays.copyOf(at, 2 * rows))),
        outputs -> {
          Tensor y =
              new Tensor(ElementType.F32, outputs.getFirst().shape(), outputs.getFirst().data());
          return IntStream.range(0, (int) y.elements())
              .mapToObj(k -> (float) ElementBits.read(y, k).asDouble())
              .toList();
        });
  }

  /// What fails in one row of a mean over the batch spoils all.
  @Test
  void rowsThatDependOnEachOtherAreOneCallers() {
    TestModel text =
        TestModel.opset(17)
            .floats("x", "N,5")
            .longs("i", "N,2")
            .node("GatherElements", "x i", "g", "axis=1")
            .node("Softmax", "g", "y", "axis=0")
            .output("y");
    try (Model model = load(text)) {
      assertThatThrownBy(() -> RequestBatch.of(model, List.of(member(1, 0, 0), member(1, 9, 0))))
          .isInstanceOf(InvalidRequestException.class)
          .hasMessage(
              "model 'test' takes one request at a time: its rows may depend on each other");
      assertFails(
          "node 'make g' (GatherElements): index 9 is outside [-5, 4] on axis 1, at row 1,"
              + " position 2",
          model,
          counted(ElementType.F32, 2, 5),
          longs(shape(2, 2), 0, 0, 9, 0));
    }
  }

  @Test
  void aModelWhoseRowsAreNotApartTakesOneRequestAtATime() {
    TestModel text =
        TestModel.opset(17).floats("x", "N,3").floats("w", "3").node("Mul", "x w", "y").output("y");
    try (Model model = load(text)) {
      assertThatThrownBy(() -> RequestBatch.of(model, List.of()))
          .isInstanceOf(InvalidRequestException.class)
          .hasMessageContaining("input 'w' is f32[3], whose rows are not on axis 0 alone");
    }
  }

  /// Rows that did not fail hold what a clean run gives, to the bit.
  @Test
  void badRowsDoNotDisturbTheirNeighbours() {
    TestModel text =
        TestModel.opset(18)
            .floats("x", "N,6")
            .longs("i", "N,4")
            .node("GatherElements", "x i", "g", "axis=1")
            .node("ScatterElements", "x i g", "s", "axis=1", "reduction=add")
            .node("Softmax", "s", "y")
            .output("y");
    try (Model model = load(text)) {
      Tensor x = counted(ElementType.F32, 64, 6);
      long[] good = new long[64 * 4];
      Arrays.setAll(good, i -> i * 5 % 12 - 6);
      byte[] clean = run(model, x, longs(shape(64, 4), good));
      for (int bad : new int[] {1, 3, 64}) {
        long[] at = good.clone();
        List<Integer> rows = new ArrayList<>();
        for (int k = 0; k < bad; k++) {
          rows.add(bad == 64 ? k : 9 + 20 * k);
          at[rows.getLast() * 4 + k % 4] = 6 + k;
        }
        assertThat(failedRows(model, x, longs(shape(64, 4), at), clean)).isEqualTo(rows);
        assertThat(run(model, x, longs(shape(64, 4), good))).isEqualTo(clean);
      }
    }
  }

  /// A failure costs no further wait, neither of its own request nor of the next.
  @Test
  void aRequestWaitsOnceWhetherItFailsOrNot() {
    TestModel text =
        TestModel.opset(17)
            .floats("x", "4,2")
            .longs("i", "N")
            .node("Gather", "x i", "y")
            .output("y");
    try (Model model = load(text)) {
      Tensor x = counted(ElementType.F32, 4, 2);
      run(model, x, longs(shape(2), 0, 1));
      DriverCalls before = driverCalls();
      run(model, x, longs(shape(2), 0, 1));
      DriverCalls clean = driverCalls();
      for (int k = 0; k < 10; k++) {
        Tensor bad = longs(shape(2), 0, k % 2 == 0 ? 4 : 3);
        assertThat(catchThrowable(() -> run(model, x, bad)) != null).isEqualTo(k % 2 == 0);
      }
      DriverCalls after = driverCalls();
      assertThat(after.waits() - clean.waits()).isEqualTo(10);
      assertThat(after.transfers() - clean.transfers())
          .isEqualTo(10 * (clean.transfers() - before.transfers()));
    }
  }

  /* The rows that failed, after a look at the others. */
  private static List<Integer> failedRows(Model model, Tensor x, Tensor at, byte[] clean) {
    List<Integer> failed = new ArrayList<>();
    InferenceRequest request =
        new InferenceRequest(
            List.of(x.shape(), at.shape()),
            (i, staging) -> staging.copyFrom((i == 0 ? x : at).data()));
    ResponseReader<String> reader =
        new ResponseReader<>() {
          @Override
          public String read(List<Output> outputs) {
            return "no row failed";
          }

          @Override
          public void failed(List<Output> outputs, List<FailureReport> failures) {
            failures.forEach(f -> failed.add(f.row()));
            byte[] got = outputs.getFirst().data().toArray(ValueLayout.JAVA_BYTE);
            for (int row = 0; row < 64; row++) {
              if (!failed.contains(row)) {
                assertThat(Arrays.copyOfRange(got, row * 24, row * 24 + 24))
                    .as("row %d", row)
                    .isEqualTo(Arrays.copyOfRange(clean, row * 24, row * 24 + 24));
              }
            }
          }
        };
    assertThatThrownBy(() -> model.infer(request, reader))
        .isInstanceOf(RequestFailedException.class);
    return failed;
  }
}
