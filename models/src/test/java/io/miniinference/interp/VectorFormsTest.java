package io.miniinference.interp;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.interp.Cases.Case;
import io.miniinference.interp.fast.VectorForms;
import io.miniinference.interp.memory.TensorView;
import io.miniinference.ir.Tensor;
import io.miniinference.layout.Affine;
import io.miniinference.layout.IndexFunction;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// Forms with the Vector API against plain ones, over native memory: the same bits.
class VectorFormsTest {
  private static final int ROUNDS = 60;

  /* Of those that the plain form takes a tenth of a second for. */
  private static final int LARGE_ROUNDS = 20;

  @BeforeAll
  static void theJvmHasCompiledTheForms() {
    assertThat(VectorForms.areThere()).as("--add-modules jdk.incubator.vector").isTrue();
    assertThat(VectorForms.await()).as("faster than plain Java").isTrue();
  }

  @Test
  void convolutionsAgreeWithPlainOnes() {
    agree(21, Cases::conv);
  }

  @Test
  void convolutionsOfManyChannelsAgreeWithPlainOnes() {
    agree(22, LARGE_ROUNDS, Cases::largeConv);
  }

  @Test
  void transposedConvolutionsAgreeWithPlainOnes() {
    agree(2, Cases::convTranspose);
  }

  @Test
  void convolutionsWhoseLanesAreChannelsAgreeWithPlainOnes() {
    agreePacked(26, Cases::channelsConv, List.of(1, 2, 3, 0));
  }

  @Test
  void transposedConvolutionsWhoseLanesAreChannelsAgreeWithPlainOnes() {
    agreePacked(27, Cases::channelsConvTranspose, List.of(0, 2, 3, 1));
  }

  @Test
  void poolsAgreeWithPlainOnes() {
    agree(28, Cases::pool);
    agree(29, Cases::largePool);
  }

  @Test
  void matrixProductsAgreeWithPlainOnes() {
    agree(24, Cases::matMul);
  }

  @Test
  void heapMemoryTakesTheFormWithoutVectors() {
    Random random = new Random(25);
    for (int round = 0; round < 40; round++) {
      Case c = new Cases(random).conv();
      Tensor result = DifferentialTest.shared(c, NodeKernel.of(c.node()), random, false);
      DifferentialTest.assertSame(result, DifferentialTest.plain(c), "seed 25 round " + round);
    }
  }

  private static void agree(long seed, Function<Cases, Case> next) {
    agree(seed, ROUNDS, next);
  }

  private static void agree(long seed, int rounds, Function<Cases, Case> next) {
    Random random = new Random(seed);
    Cases cases = new Cases(random);
    for (int round = 0; round < rounds; round++) {
      Case c = next.apply(cases);
      String what = "seed " + seed + " round " + round + ": " + c;
      Tensor expected = DifferentialTest.plain(c);
      DifferentialTest.assertSame(rowMajor(c), expected, what);
      NodeKernel kernel = NodeKernel.of(c.node());
      Tensor anywhere = DifferentialTest.shared(c, kernel, random, true);
      DifferentialTest.assertSame(anywhere, expected, what + " in odd layouts");
    }
  }

  /* With weights whose axes lie in another order, the outermost first. */
  private static void agreePacked(long seed, Function<Cases, Case> next, List<Integer> order) {
    Cases cases = new Cases(new Random(seed));
    for (int round = 0; round < ROUNDS; round++) {
      Case c = next.apply(cases);
      int rank = c.inputs().get(1).shape().length;
      List<Integer> axes = order.stream().filter(axis -> axis < rank).toList();
      Tensor expected = DifferentialTest.plain(c);
      for (int parts = 1; parts < 4; parts++) {
        DifferentialTest.assertSame(
            packed(c, axes, parts), expected, "seed " + seed + " round " + round + ": " + c);
      }
    }
  }

  /* In some parts, as threads share it. */
  private static Tensor packed(Case c, List<Integer> order, int parts) {
    List<TensorView> inputs = new ArrayList<>(natives(c));
    Tensor w = c.inputs().get(1);
    List<Affine> shape = Arrays.stream(w.shape()).mapToObj(Affine::of).toList();
    inputs.set(1, Layouts.place(w, IndexFunction.ordered(shape, order)));
    var type = c.node().output().type();
    TensorView output = Layouts.allocate(type.element(), dense(type.shapeAt(1)));
    NodeKernel kernel = NodeKernel.of(c.node());
    long items = kernel.items().at(1);
    for (int part = 0; part < parts; part++) {
      long first = items * part / parts;
      long count = items * (part + 1) / parts - first;
      kernel.run(inputs, List.of(output), 1, first, count, DifferentialTest.NO_FAILURES);
    }
    return Layouts.dense(output);
  }

  private static List<TensorView> natives(Case c) {
    return c.inputs().stream().map(t -> Layouts.place(t, dense(t.shape()))).toList();
  }

  /* As in a pool: native, row-major. */
  private static Tensor rowMajor(Case c) {
    List<TensorView> inputs = natives(c);
    var type = c.node().output().type();
    TensorView output = Layouts.allocate(type.element(), dense(type.shapeAt(1)));
    NodeKernel.of(c.node()).run(inputs, output, 1, DifferentialTest.NO_FAILURES);
    return Layouts.dense(output);
  }

  private static IndexFunction dense(long[] shape) {
    return IndexFunction.rowMajor(Arrays.stream(shape).mapToObj(Affine::of).toList());
  }
}
