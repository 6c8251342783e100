package io.miniinference.runtime;

import static io.miniinference.runtime.GatheredOperandTest.launches;
import static io.miniinference.runtime.GatheredOperandTest.outcome;
import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.Tensor;
import io.miniinference.runtime.GatheredOperandTest.Outcome;
import io.miniinference.testing.TestModel;
import io.miniinference.testing.device.OnEachDevice;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Gathers that the kernel after them may do on its way, where rows are not apart, where there are
/// several of them, and where there is nothing to gather: what is told of bad indices is what a
/// Gather by itself tells, whatever the batch.
@OnEachDevice
final class GatheredEdgesTest extends SharedEngine {
  private static final int LIMIT = 50;

  /// Whether the device has no launch of a Gather that one kernel alone reads.
  private boolean isFused() {
    return tested.isOpenCl();
  }

  private static Tensor indices(long rows, int perRow) {
    long[] at = new long[(int) rows * perRow];
    Arrays.setAll(at, k -> k * 7 % (2 * LIMIT) - LIMIT);
    return longs(shape(rows, perRow), at);
  }

  /* The same, some of them bad. */
  private static Tensor spoiled(Tensor indices, int... places) {
    long[] at = indices.data().toArray(ValueLayout.JAVA_LONG_UNALIGNED);
    for (int place : places) {
      at[place] = LIMIT + place;
    }
    return longs(indices.shape(), at);
  }

  private static String bad(int place, int row) {
    return bad("g", LIMIT + place, LIMIT, row, place);
  }

  private static String bad(String value, long index, int limit, int row, int place) {
    return "node 'make %s' (Gather): index %d is outside [%d, %d] on axis 0, at row %d, position %d"
        .formatted(value, index, -limit, limit - 1, row, place);
  }

  private static byte[] row(byte[] bytes, int rows, int row) {
    int size = bytes.length / rows;
    return Arrays.copyOfRange(bytes, row * size, (row + 1) * size);
  }

  private static float[] floats(byte[] bytes) {
    return MemorySegment.ofArray(bytes).toArray(ValueLayout.JAVA_FLOAT_UNALIGNED);
  }

  private static TestModel embedding() {
    return TestModel.opset(18)
        .longs("i", "N,4")
        .reals("table", LIMIT, 24)
        .node("Gather", "table i", "g", "axis=0");
  }

  /// All that a work item goes over is of other rows each time.
  @Test
  void aReductionOverTheBatchTellsEachRow() {
    for (long[] axes : new long[][] {{0}, {0, 1}, {0, 2}, {0, 1, 2}}) {
      TestModel text =
          embedding().constant("axes", axes).node("ReduceSum", "g axes", "y", "keepdims=0");
      try (Model fused = load(text.output("y"));
          Model apart = load(text.output("g"))) {
        assertThat(launches(fused)).isEqualTo(isFused() ? 1 : 2);
        for (int rows : new int[] {64, 3, 1, 0}) {
          Tensor good = indices(rows, 4);
          byte[] clean = run(fused, good);
          assertClose(clean, run(apart, good));
          if (rows > 0) {
            int last = 4 * rows - 1;
            Outcome outcome = outcome(fused, spoiled(good, last, last - 1));
            assertThat(outcome.messages()).containsExactly(bad(last - 1, rows - 1));
            assertThat(run(fused, good)).isEqualTo(clean);
          }
        }
        int[] all = {5, 7, 130, 128, 252, 253};
        assertThat(outcome(fused, spoiled(indices(64, 4), all)).messages())
            .containsExactly(bad(5, 1), bad(128, 32), bad(252, 63));
      }
    }
  }

  private static void assertClose(byte[] got, byte[] expected) {
    float[] a = floats(got);
    float[] b = floats(expected);
    assertThat(a).hasSameSizeAs(b);
    for (int i = 0; i < a.length; i++) {
      assertThat(Math.abs(a[i] - b[i])).as("element %d", i).isLessThan(1e-4f);
    }
  }

  /// Whoever reads the indices, all rows do: the run fails, and is nobody's.
  @Test
  void indicesThatAllRowsShareFailTheRun() {
    TestModel softmax =
        shared().node("Gather", "x i", "g", "axis=1").node("Softmax", "g", "y", "axis=2");
    TestModel sum =
        shared()
            .constant("axes", 1)
            .node("Gather", "x i", "g", "axis=1")
            .node("ReduceSum", "g axes", "y");
    TestModel product =
        shared().reals("w", 40, 33).node("Gather", "x i", "g", "axis=1").node("MatMul", "g w", "y");
    for (TestModel text : List.of(softmax, sum, product)) {
      try (Model model = load(text.output("y"))) {
        assertThat(launches(model)).isEqualTo(isFused() ? 1 : 2);
        for (int rows : new int[] {64, 3, 1}) {
          Tensor x = counted(ElementType.F32, rows, 5, 40);
          byte[] clean = run(model, x, longs(shape(3), 0, 4, -5));
          Outcome outcome = outcome(model, x, longs(shape(3), 0, -6, 5));
          assertThat(outcome.messages())
              .containsExactly(
                  "node 'make g' (Gather): index -6 is outside [-5, 4] on axis 1, position 1");
          assertThat(run(model, x, longs(shape(3), 0, 4, -5))).isEqualTo(clean);
        }
        assertThat(run(model, floats(shape(0, 5, 40)), longs(shape(3), 0, 4, -5))).isEmpty();
      }
    }
  }

  private static TestModel shared() {
    return TestModel.opset(18).floats("x", "N,5,40").longs("i", "3");
  }

  /// Both operands of a product are gathered, and something added to it by the first one's indices.
  @Test
  void severalGathersForOneProduct() {
    TestModel text =
        embedding()
            .longs("j", "N")
            .reals("others", 30, 24, 5)
            .reals("more", 40, 5)
            .node("Gather", "others j", "h", "axis=0")
            .node("Gather", "more i", "k", "axis=0")
            .node("MatMul", "g h", "p")
            .node("Add", "p k", "y")
            .output("y");
    try (Model model = load(text)) {
      for (int rows : new int[] {64, 3, 1}) {
        int last = rows - 1;
        int place = 4 * rows - 1;
        long[] i = new long[4 * rows];
        long[] j = new long[rows];
        byte[] clean = run(model, i(i), longs(shape(rows), j));
        i[place] = 50;
        j[last] = 30;
        Outcome outcome = outcome(model, i(i), longs(shape(rows), j));
        assertThat(outcome.messages()).containsExactly(bad("g", 50, LIMIT, last, place));
        assertOthersEqual(outcome.bytes(), clean, rows);
        i[place] = 40;
        outcome = outcome(model, i(i), longs(shape(rows), j));
        assertThat(outcome.messages()).containsExactly(bad("h", 30, 30, last, last));
        assertOthersEqual(outcome.bytes(), clean, rows);
        j[last] = 0;
        outcome = outcome(model, i(i), longs(shape(rows), j));
        assertThat(outcome.messages()).containsExactly(bad("k", 40, 40, last, place));
        assertOthersEqual(outcome.bytes(), clean, rows);
        i[place] = 0;
        assertThat(run(model, i(i), longs(shape(rows), j))).isEqualTo(clean);
      }
    }
  }

  private static Tensor i(long[] values) {
    return longs(shape(values.length / 4, 4), values.clone());
  }

  /* All rows but the last. */
  private static void assertOthersEqual(byte[] got, byte[] clean, int rows) {
    for (int row = 0; row < rows - 1; row++) {
      assertThat(row(got, rows, row)).as("row %d", row).isEqualTo(row(clean, rows, row));
    }
  }

  /// The places that the first Gather gives are the second one's indices, right or wrong, and zero
  /// where the first one's are wrong.
  @Test
  void aGatherOfAGather() {
    TestModel text =
        TestModel.opset(18)
            .longs("i", "N,4")
            .constant("places", 3, -50, 49, 50, -51)
            .reals("table", LIMIT, 24)
            .constant("axes", 1)
            .node("Gather", "places i", "p", "axis=0")
            .node("Gather", "table p", "g", "axis=0")
            .node("ReduceSum", "g axes", "y", "keepdims=0")
            .output("y");
    try (Model model = load(text)) {
      for (int rows : new int[] {64, 3}) {
        long[] at = new long[4 * rows];
        Arrays.setAll(at, k -> k % 3);
        byte[] clean = run(model, longs(shape(rows, 4), at));
        at[1] = 5;
        at[2] = 4;
        at[4 + 3] = 4;
        Outcome outcome = outcome(model, longs(shape(rows, 4), at));
        assertThat(outcome.messages())
            .containsExactly(bad("p", 5, 5, 0, 1), bad("g", -51, LIMIT, 1, 7));
        for (int row = 2; row < rows; row++) {
          assertThat(row(outcome.bytes(), rows, row)).isEqualTo(row(clean, rows, row));
        }
      }
    }
  }

  @Test
  void noIndicesGiveNoElements() {
    TestModel sum =
        TestModel.opset(18)
            .longs("i", "N,0")
            .reals("table", LIMIT, 24)
            .constant("axes", 1)
            .node("Gather", "table i", "g", "axis=0")
            .node("ReduceSum", "g axes", "y", "keepdims=0")
            .output("y");
    TestModel product =
        TestModel.opset(18)
            .longs("i", "N,0")
            .reals("table", LIMIT, 24)
            .reals("w", 24, 33)
            .node("Gather", "table i", "g", "axis=0")
            .node("MatMul", "g w", "y")
            .output("y");
    try (Model sums = load(sum);
        Model products = load(product)) {
      for (int rows : new int[] {64, 3, 1, 0}) {
        Tensor none = longs(shape(rows, 0));
        assertThat(reals(sums, none)).isEqualTo(new float[rows * 24]);
        assertThat(reals(products, none)).isEmpty();
      }
    }
  }

  /// Indices from the end name the same lines of a product's left operand.
  @Test
  void indicesFromTheEndNameTheSameLines() {
    TestModel text = embedding().reals("w", 24, 40).node("MatMul", "g w", "y").output("y");
    try (Model model = load(text)) {
      assertThat(launches(model)).isEqualTo(isFused() ? 1 : 2);
      for (int rows : new int[] {64, 3, 1, 0}) {
        long[] fromStart = new long[4 * rows];
        Arrays.setAll(fromStart, k -> k * 11 % LIMIT);
        long[] fromEnd = Arrays.stream(fromStart).map(k -> k - LIMIT).toArray();
        assertThat(run(model, longs(shape(rows, 4), fromEnd)))
            .isEqualTo(run(model, longs(shape(rows, 4), fromStart)));
      }
    }
  }
}
