package io.miniinference.interp;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.interp.Cases.Case;
import io.miniinference.interp.fast.VectorForms;
import io.miniinference.interp.memory.TensorView;
import io.miniinference.ir.Tensor;
import io.miniinference.layout.Affine;
import io.miniinference.layout.IndexFunction;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// Forms with the Vector API against plain ones, over native memory: the same bits.
class VectorFormsTest {
  private static final int ROUNDS = 60;

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
    agree(22, Cases::largeConv);
  }

  @Test
  void transposedConvolutionsAgreeWithPlainOnes() {
    agree(2, Cases::convTranspose);
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
    Random random = new Random(seed);
    Cases cases = new Cases(random);
    for (int round = 0; round < ROUNDS; round++) {
      Case c = next.apply(cases);
      String what = "seed " + seed + " round " + round + ": " + c;
      Tensor expected = DifferentialTest.plain(c);
      DifferentialTest.assertSame(rowMajor(c), expected, what);
      NodeKernel kernel = NodeKernel.of(c.node());
      Tensor anywhere = DifferentialTest.shared(c, kernel, random, true);
      DifferentialTest.assertSame(anywhere, expected, what + " in odd layouts");
    }
  }

  /* As in a pool: native, row-major. */
  private static Tensor rowMajor(Case c) {
    List<TensorView> inputs =
        c.inputs().stream().map(t -> Layouts.place(t, dense(t.shape()))).toList();
    var type = c.node().output().type();
    TensorView output = Layouts.allocate(type.element(), dense(type.shapeAt(1)));
    NodeKernel.of(c.node()).run(inputs, output, 1, DifferentialTest.NO_FAILURES);
    return Layouts.dense(output);
  }

  private static IndexFunction dense(long[] shape) {
    return IndexFunction.rowMajor(Arrays.stream(shape).mapToObj(Affine::of).toList());
  }
}
