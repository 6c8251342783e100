package io.miniinference.conformance;

import static io.miniinference.conformance.WindowCases.window;
import static io.miniinference.ir.Exprs.add;
import static io.miniinference.ir.Exprs.arg;
import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.codegen.gpu.GpuTarget;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Graph;
import io.miniinference.ir.Op;
import io.miniinference.ir.Op.PoolKind;
import io.miniinference.ir.Op.ReduceKind;
import io.miniinference.ir.Tensor;
import io.miniinference.ir.Value;
import io.miniinference.ir.Window;
import io.miniinference.lower.LoweredProgram;
import io.miniinference.lower.Target;
import io.miniinference.lower.steps.Lowering;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Small networks as one launch of a GPU, of which a work-group takes a row or two through all
/// steps in local memory.
final class WholeNetworkTest {
  private static final long SEED = 20261129;
  private static final Target<?> GPU = new GpuTarget();

  /// Of so many rows a work-group takes two at a time, and the last one alone.
  private static final int MANY = 529;

  private static Value conv(Sheet s, Value x, long outputs, Window w) {
    return s.at("c").conv(w, 1, x, weights(s, outputs, x.type().dim(1).asConstant(), w));
  }

  private static Value weights(Sheet s, long outputs, long inputs, Window w) {
    return s.constant(outputs, inputs, w.kernel().get(0), w.kernel().get(1));
  }

  private static Value relu(Sheet s, Value x, long channels) {
    return s.at("r").elementwise(WindowCases.RELU, x, s.constant(channels, 1, 1));
  }

  private static Value flat(Sheet s, Value x) {
    long elements = x.type().elements().perBatch();
    return s.at("f").reshape(x, Sheet.batch(elements));
  }

  private static Value dense(Sheet s, Value x, long outputs) {
    Value product = s.at("m").matMul(x, s.constant(x.type().dim(1).asConstant(), outputs));
    return s.at("b").elementwise(add(arg(0), arg(1)), product, s.constant(outputs));
  }

  private static Window pool(int size) {
    return window(2, size, size, 1, 0, 0);
  }

  /* Padding, pools that leave a line over, a head of few columns. */
  private static Sheet digits() {
    Sheet s = new Sheet("digits", SEED);
    Value x = s.input(Sheet.batch(1, 14, 14));
    Value first = relu(s, conv(s, x, 8, window(2, 5, 1, 1, 2, 2)), 8);
    Value half = s.at("p").pool(PoolKind.MAX, pool(2), false, first);
    Value second = relu(s, conv(s, half, 6, window(2, 3, 1, 1, 1, 1)), 6);
    Value third = s.at("q").pool(PoolKind.MAX, pool(3), false, second);
    s.check("scores", dense(s, flat(s, third), 10));
    return s;
  }

  /* No padding, averages, two layers, a softmax. */
  private static Sheet averages() {
    Sheet s = new Sheet("averages", SEED);
    Value x = s.input(Sheet.batch(3, 13, 11));
    Value first = relu(s, conv(s, x, 5, window(2, 4, 1, 1, 0, 0)), 5);
    Value half = s.at("p").pool(PoolKind.AVERAGE, pool(2), false, first);
    Value hidden =
        s.at("h").elementwise(WindowCases.RELU, dense(s, flat(s, half), 21), s.constant(21));
    s.check("probabilities", s.at("s").softmax(1, false, dense(s, hidden, 7)));
    return s;
  }

  /* Strides, uneven padding, a sum of two branches, pools that overlap, a mean of all pixels. */
  private static Sheet branches() {
    Sheet s = new Sheet("branches", SEED);
    Value x = s.input(Sheet.batch(2, 15, 16));
    Window uneven =
        new Window(List.of(3, 2), List.of(2, 1), List.of(1, 1), List.of(0, 1), List.of(2, 0));
    Value first = relu(s, conv(s, x, 12, uneven), 12);
    Value same = conv(s, first, 12, window(2, 3, 1, 1, 1, 1));
    Value sum = s.at("a").elementwise(add(arg(0), arg(1)), same, first);
    Value over = s.at("p").pool(PoolKind.MAX, window(2, 3, 2, 1, 1, 1), false, sum);
    Value mean = s.at("g").reduce(ReduceKind.SUM, List.of(2, 3), false, over);
    s.check("image", over);
    s.check("scores", dense(s, mean, 3));
    return s;
  }

  /* A pool of more pixels than a work item has sums. */
  private static Sheet pooledWhole() {
    Sheet s = new Sheet("pooled whole", SEED);
    Value x = s.input(Sheet.batch(4, 14, 14));
    Value image = relu(s, conv(s, x, 8, window(2, 3, 2, 1, 1, 1)), 8);
    Value mean = s.at("g").pool(PoolKind.AVERAGE, pool(7), false, image);
    s.check("scores", dense(s, flat(s, mean), 5));
    return s;
  }

  /* Two inputs, and two results of rows. */
  private static Sheet inputs() {
    Sheet s = new Sheet("inputs", SEED);
    Value x = s.input(Sheet.batch(4, 12, 12));
    Value more = s.input(Data.NORMAL, ElementType.F32, Sheet.batch(9));
    Value image = conv(s, x, 8, window(2, 1, 1, 1, 0, 0));
    Value own = dense(s, flat(s, relu(s, image, 8)), 9);
    Value both = s.at("a").elementwise(add(arg(0), arg(1)), own, more);
    s.check("both", both);
    s.check("logarithms", s.at("l").softmax(1, true, dense(s, both, 5)));
    return s;
  }

  static Stream<Sheet> networks() {
    return Stream.of(digits(), averages(), branches(), pooledWhole(), inputs());
  }

  @Tag("opencl")
  @ParameterizedTest
  @MethodSource("networks")
  void aWorkGroupComputesWhatStepsDo(Sheet sheet) {
    sheet.batches(3L, 0L, 1L, (long) MANY);
    try (Rig rig = Writer.GPU.open()) {
      Graph graph = sheet.graph();
      assertThat(rig.withOneStep().lower(graph).steps()).hasSize(1);
      assertThat(sheet.differences(rig.withOneStep(), graph, Sheet.Case::tolerance)).isEmpty();
    }
  }

  /// A number of random networks; `-Dmie.networks=N` tries more.
  private static final int RANDOM_NETWORKS = Integer.getInteger("mie.networks", 6);

  private static Sheet random(int number) {
    Sheet s = new Sheet("random network " + number, SEED + number);
    Random choice = s.random();
    Value x =
        s.input(Sheet.batch(1 + choice.nextInt(4), 12 + choice.nextInt(9), 12 + choice.nextInt(9)));
    for (int layer = 1 + choice.nextInt(3); layer > 0; layer--) {
      x = layer(s, x, choice);
    }
    s.check("scores", dense(s, flat(s, x), 1 + choice.nextInt(12)));
    return s;
  }

  private static Value layer(Sheet s, Value x, Random choice) {
    List<Integer> kernel = List.of(upTo(4, x, 2, choice), upTo(4, x, 3, choice));
    List<Integer> strides = List.of(1 + choice.nextInt(2), 1 + choice.nextInt(2));
    List<Integer> begin = List.of(choice.nextInt(3), choice.nextInt(3));
    List<Integer> end = List.of(choice.nextInt(3), choice.nextInt(3));
    int outputs = 1 + choice.nextInt(12);
    Value y =
        relu(
            s,
            conv(s, x, outputs, new Window(kernel, strides, List.of(1, 1), begin, end)),
            outputs);
    long least = Math.min(y.type().dim(2).asConstant(), y.type().dim(3).asConstant());
    int size = 1 + choice.nextInt(3);
    PoolKind kind = choice.nextBoolean() ? PoolKind.MAX : PoolKind.AVERAGE;
    return size > 1 && size <= least
        ? s.at("p").pool(kind, window(2, size, 1 + choice.nextInt(size + 1), 1, 0, 0), false, y)
        : y;
  }

  /* No more than an image has along an axis. */
  private static int upTo(int most, Value image, int axis, Random choice) {
    return 1 + choice.nextInt((int) Math.min(most, image.type().dim(axis).asConstant()));
  }

  static Stream<Sheet> randomNetworks() {
    return IntStream.iterate(0, number -> number + 1)
        .mapToObj(WholeNetworkTest::random)
        .filter(sheet -> oneStep(sheet).isPresent())
        .limit(RANDOM_NETWORKS);
  }

  @Tag("opencl")
  @ParameterizedTest
  @MethodSource("randomNetworks")
  void aRandomNetworkIsComputedAsItsStepsAre(Sheet sheet) {
    sheet.batches(2L, 1L);
    try (Rig rig = Writer.GPU.open()) {
      assertThat(sheet.differences(rig.withOneStep(), sheet.graph(), Sheet.Case::tolerance))
          .isEmpty();
    }
  }

  @Tag("opencl")
  @Test
  void aRowHasTheSameBitsAloneAndAmongMany() {
    Graph graph = digits().graph();
    Tensor all = Data.NORMAL.fill(new Random(SEED), ElementType.F32, MANY, 1, 14, 14);
    try (Rig opened = Writer.GPU.open()) {
      Rig rig = opened.withOneStep();
      Tensor together = rig.run(graph, List.of(List.of(all))).getFirst().getFirst();
      for (int row : new int[] {0, 1, MANY - 1}) {
        Tensor alone = rig.run(graph, List.of(List.of(Data.row(all, row)))).getFirst().getFirst();
        assertThat(Data.row(together, row).data().mismatch(alone.data()))
            .as("row %d", row)
            .isEqualTo(-1);
      }
    }
  }

  private static Optional<LoweredProgram> oneStep(Sheet sheet) {
    return GPU.asOneStep(Lowering.lower(sheet.graph(), GPU, List.of()));
  }

  /// What is between inputs and outputs is in no block that is planned.
  @Test
  void onlyInputsAndOutputsAreInTheArena() {
    LoweredProgram program = oneStep(digits()).orElseThrow();
    assertThat(program.isOneStep()).isTrue();
    assertThat(program.plan().body().steps()).hasSize(1);
    assertThat(program.plan().body().steps().getFirst().writes()).isEqualTo(program.outputs());
  }

  @Test
  void aNetworkWhoseRowsLocalMemoryDoesNotHoldKeepsItsSteps() {
    Sheet s = new Sheet("large rows", SEED);
    Value x = s.input(Sheet.batch(1, 64, 64));
    s.check(
        "image",
        relu(
            s,
            conv(
                s,
                relu(s, conv(s, x, 4, window(2, 3, 1, 1, 1, 1)), 4),
                1,
                window(2, 3, 1, 1, 1, 1)),
            1));
    assertThat(oneStep(s)).isEmpty();
  }

  @Test
  void aNetworkWithAStepOfAnotherKindKeepsItsSteps() {
    Sheet s = new Sheet("a running sum", SEED);
    Value x = s.input(Sheet.batch(16));
    Value sum = s.at("s").scan(Op.ScanKind.SUM, 1, false, false, dense(s, x, 16));
    s.check("sum", dense(s, sum, 4));
    assertThat(oneStep(s)).isEmpty();
  }

  /// Whose windows are far apart, so that few of them see the image.
  @Test
  void widePaddingKeepsItsSteps() {
    int far = 1 << 28;
    Sheet s = new Sheet("wide padding", SEED);
    Value x = s.input(Sheet.batch(1, 28, 28));
    Value image = relu(s, conv(s, x, 8, window(2, 5, 1, 1, 2, 2)), 8);
    Value y = conv(s, image, 4, window(2, 3, far, 1, far, far));
    s.check("corners", relu(s, y, 4));
    assertThat(oneStep(s)).isEmpty();
  }

  @Test
  void aNetworkOfFewOperationsKeepsItsSteps() {
    Sheet s = new Sheet("few operations", SEED);
    Value x = s.input(Sheet.batch(4));
    s.check("scores", s.at("s").softmax(1, false, dense(s, dense(s, x, 16), 3)));
    assertThat(oneStep(s)).isEmpty();
  }

  @Test
  void largeWeightsKeepTheirSteps() {
    Sheet s = new Sheet("large weights", SEED);
    Value x = s.input(Sheet.batch(256));
    s.check("scores", dense(s, dense(s, x, 256), 10));
    assertThat(oneStep(s)).isEmpty();
  }
}
