package io.miniinference.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.miniinference.interp.Interpreter;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Tensor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/// What a model says of data that does not allow it, to the letter, and what it gives where the
/// data does: the same on every device and from every writer.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class DataFailuresContract {
  private Engine engine;

  /// `jvm` or `opencl`.
  abstract String device();

  /// `auto`, `cpu` or `gpu`.
  abstract String codegen();

  @BeforeAll
  void open() {
    engine =
        Engine.open(
            new EngineOptions(64L << 20, device(), null, null, codegen(), RuntimeContract.CACHE));
  }

  @AfterAll
  void close() {
    engine.close();
  }

  private Model load(TestModel model) {
    return engine.load(model.read(), LoadOptions.defaults().withMaxBatch(64));
  }

  private static Tensor longs(long[] shape, long... values) {
    MemorySegment data = MemorySegment.ofArray(new byte[values.length * 8]);
    MemorySegment.copy(values, 0, data, ValueLayout.JAVA_LONG_UNALIGNED, 0, values.length);
    return new Tensor(ElementType.I64, shape, data);
  }

  private static Tensor floats(long[] shape, float... values) {
    MemorySegment data = MemorySegment.ofArray(new byte[values.length * 4]);
    MemorySegment.copy(values, 0, data, ValueLayout.JAVA_FLOAT_UNALIGNED, 0, values.length);
    return new Tensor(ElementType.F32, shape, data);
  }

  /// The numbers from 0 on.
  private static Tensor counted(ElementType type, long... shape) {
    Tensor tensor = Interpreter.allocate(type, shape);
    float[] floats = new float[(int) tensor.elements()];
    long[] longs = new long[floats.length];
    Arrays.setAll(longs, i -> i);
    for (int i = 0; i < floats.length; i++) {
      floats[i] = i;
    }
    return type == ElementType.F32 ? floats(shape, floats) : longs(shape, longs);
  }

  private static long[] shape(long... dims) {
    return dims;
  }

  private static byte[] run(Model model, Tensor... inputs) {
    InferenceRequest request =
        new InferenceRequest(
            Arrays.stream(inputs).map(Tensor::shape).toList(),
            (i, staging) -> staging.copyFrom(inputs[i].data()));
    return model.infer(
        request, outputs -> outputs.getFirst().data().toArray(ValueLayout.JAVA_BYTE));
  }

  private static float[] reals(Model model, Tensor... inputs) {
    return MemorySegment.ofArray(run(model, inputs)).toArray(ValueLayout.JAVA_FLOAT_UNALIGNED);
  }

  private static void assertFails(String message, Model model, Tensor... inputs) {
    assertThatThrownBy(() -> run(model, inputs))
        .isInstanceOf(RequestFailedException.class)
        .hasMessage(message);
  }

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
              + " 1 more rows failed: 1",
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

  private static TestModel quotient(String op, String a, String b, String... attributes) {
    return TestModel.opset(17)
        .longs("a", a)
        .longs("b", b)
        .node(op, "a b", "y", attributes)
        .output("y");
  }

  private static long[] wholes(Model model, Tensor... inputs) {
    return MemorySegment.ofArray(run(model, inputs)).toArray(ValueLayout.JAVA_LONG_UNALIGNED);
  }

  @Test
  void anIntegerDividedByZeroFailsItsRow() {
    try (Model model = load(quotient("Div", "N,3", "N,3"))) {
      Tensor a = longs(shape(3, 3), 7, -7, 7, -7, 1, 2, 3, 4, 5);
      assertThat(wholes(model, a, longs(shape(3, 3), 2, 2, -2, -2, 1, 1, 1, 1, 9)))
          .containsExactly(3, -3, -3, 3, 1, 2, 3, 4, 0);
      assertFails(
          "node 'make y' (Div): division by zero, at row 1, position 4; 1 more rows failed: 2",
          model,
          a,
          longs(shape(3, 3), 1, 1, 1, 1, 0, 0, 0, 1, 1));
      assertThat(wholes(model, a, a)).containsOnly(1);
    }
  }

  @Test
  void aRemainderByZeroFailsWhicheverSignItHas() {
    for (String fmod : new String[] {"fmod=0", "fmod=1"}) {
      try (Model model = load(quotient("Mod", "N,2", "N,2", fmod))) {
        Tensor a = longs(shape(1, 2), -7, 7);
        assertThat(wholes(model, a, longs(shape(1, 2), 3, -3)))
            .containsExactly(fmod.endsWith("1") ? new long[] {-1, 1} : new long[] {2, -2});
        assertFails(
            "node 'make y' (Mod): division by zero, at row 0, position 1",
            model,
            a,
            longs(shape(1, 2), 3, 0));
      }
    }
  }

  @Test
  void aDivisorThatAllRowsShareFailsTheRun() {
    try (Model model = load(quotient("Div", "N,3", "1,3"))) {
      Tensor a = counted(ElementType.I64, 4, 3);
      assertThat(wholes(model, a, longs(shape(1, 3), 1, 2, 3))).hasSize(12);
      assertFails(
          "node 'make y' (Div): division by zero, position 2",
          model,
          a,
          longs(shape(1, 3), 1, 2, 0));
    }
  }

  @Test
  void aDivisorPerRowFailsItsRowWhereverItIsBroadcast() {
    try (Model model = load(quotient("Div", "N,3", "N,1"))) {
      Tensor a = counted(ElementType.I64, 3, 3);
      assertFails(
          "node 'make y' (Div): division by zero, at row 2, position 6",
          model,
          a,
          longs(shape(3, 1), 1, 2, 0));
    }
  }

  /// The smallest integer divided by −1 is itself, whatever the processor makes of it.
  @Test
  void quotientsThatOverflowWrap() {
    long least = Long.MIN_VALUE;
    try (Model div = load(quotient("Div", "N,2", "N,2"));
        Model mod = load(quotient("Mod", "N,2", "N,2"));
        Model rem = load(quotient("Mod", "N,2", "N,2", "fmod=1"))) {
      Tensor a = longs(shape(1, 2), least, least + 1);
      Tensor b = longs(shape(1, 2), -1, -1);
      assertThat(wholes(div, a, b)).containsExactly(least, Long.MAX_VALUE);
      assertThat(wholes(mod, a, b)).containsExactly(0, 0);
      assertThat(wholes(rem, a, b)).containsExactly(0, 0);
    }
  }

  /// A divisor that a failed step left zero is divided by in the row that failed, and only the
  /// first failure is told.
  @Test
  void divisorsThatAreGarbageDoNotTrap() {
    TestModel text =
        TestModel.opset(17)
            .longs("a", "N,4")
            .longs("i", "N,4")
            .node("GatherElements", "a i", "b", "axis=1")
            .node("Div", "a b", "q")
            .node("Mod", "q b", "y")
            .output("y");
    try (Model model = load(text)) {
      Tensor a = longs(shape(2, 4), 1, 2, 3, 4, 5, 6, 7, 8);
      assertFails(
          "node 'make b' (GatherElements): index 4 is outside [-4, 3] on axis 1, at row 1,"
              + " position 5",
          model,
          a,
          longs(shape(2, 4), 0, 1, 2, 3, 0, 4, 2, 3));
      assertThat(wholes(model, a, longs(shape(2, 4), 0, 1, 2, 3, 3, 2, 1, 0)))
          .containsExactly(0, 1, 1, 1, 0, 0, 1, 1);
    }
  }

  @Test
  void theFirstDivisionOfTheFileIsTold() {
    TestModel text =
        TestModel.opset(17)
            .longs("a", "N,2")
            .longs("b", "N,2")
            .longs("c", "N,2")
            .node("Mod", "a b", "p")
            .node("Div", "a c", "q")
            .node("Add", "p q", "y")
            .output("y");
    try (Model model = load(text)) {
      Tensor a = counted(ElementType.I64, 2, 2);
      assertFails(
          "node 'make p' (Mod): division by zero, at row 0, position 1; 1 more rows failed: 1",
          model,
          a,
          longs(shape(2, 2), 1, 0, 1, 1),
          longs(shape(2, 2), 0, 0, 0, 0));
    }
  }

  /// The divisor may lie where its quotient goes: who fails must still find the first zero.
  @Test
  void theFirstZeroOfManyIsToldInEveryRun() {
    TestModel text =
        TestModel.opset(17)
            .longs("a", "100000")
            .longs("b", "100000")
            .node("Add", "b b", "d")
            .node("Div", "a d", "y")
            .output("y");
    long[] divisors = new long[100_000];
    Arrays.setAll(divisors, i -> i < 777 ? 1 : i % 3);
    try (Model model = load(text)) {
      for (int run = 0; run < 50; run++) {
        assertFails(
            "node 'make y' (Div): division by zero, position 777",
            model,
            counted(ElementType.I64, 100_000),
            longs(shape(100_000), divisors));
      }
    }
  }

  @Test
  void aConstantThatIsNotZeroCannotFail() {
    TestModel text =
        TestModel.opset(17)
            .longs("a", "N,3")
            .constant("b", 3, -4, 5)
            .node("Div", "a b", "y")
            .output("y");
    try (Model model = load(text)) {
      assertThat(wholes(model, longs(shape(2, 3), 7, 8, 9, -7, -8, -9)))
          .containsExactly(2, -2, 1, -2, 2, -1);
      assertThat(model.plan(1).json()).contains("\"failureBytes\":0");
    }
    try (Model model =
        load(
            TestModel.opset(17)
                .longs("a", "N,3")
                .constant("b", 3, 0, 5)
                .node("Div", "a b", "y")
                .output("y"))) {
      assertFails(
          "node 'make y' (Div): division by zero, position 1",
          model,
          counted(ElementType.I64, 2, 3));
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
      for (int run = 0; run < 300; run++) {
        assertFails(
            "node 'make y' (GatherND): index 3 is outside [-3, 2] on axis 1, position 77",
            model,
            counted(ElementType.F32, 4, 3),
            longs(shape(5000, 2), at));
      }
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
