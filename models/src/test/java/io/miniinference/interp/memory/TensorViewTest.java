package io.miniinference.interp.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.interp.Interpreter;
import io.miniinference.interp.Layouts;
import io.miniinference.interp.Tensors;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Tensor;
import io.miniinference.layout.Affine;
import io.miniinference.layout.IndexFunction;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class TensorViewTest {
  private static final MemorySegment TEN =
      Tensors.f32(Tensors.shape(10), 0, 1, 2, 3, 4, 5, 6, 7, 8, 9).data();

  private static double[] elements(TensorView view) {
    return LongStream.range(0, view.elements())
        .mapToDouble(i -> view.realAt(view.offsetAt(i)))
        .toArray();
  }

  @Test
  void aSliceBackwardsReadsBackwards() {
    IndexFunction back =
        IndexFunction.rowMajor(List.of(Affine.of(8)))
            .slice(0, Affine.of(7), -3, Affine.of(3))
            .orElseThrow();
    TensorView view = TensorView.of(TEN, 4, ElementType.F32, back, 1);
    assertThat(elements(view)).containsExactly(8, 5, 2);
    assertThat(view.isDense()).isFalse();
  }

  @Test
  void anExpandedAxisRepeats() {
    IndexFunction repeated =
        IndexFunction.rowMajor(List.of(Affine.ONE, Affine.of(2))).expand(0, Affine.N);
    assertThat(elements(TensorView.of(TEN, 0, ElementType.F32, repeated, 3)))
        .containsExactly(0, 1, 0, 1, 0, 1);
  }

  @Test
  void aBlockedAxisSkipsItsPaddingLanes() {
    IndexFunction blocked = IndexFunction.blocked(List.of(Affine.of(3), Affine.of(2)), 0, 2);
    TensorView view = TensorView.of(TEN, 0, ElementType.F32, blocked, 1);
    assertThat(elements(view)).containsExactly(0, 2, 1, 3, 4, 6);
  }

  @Test
  void stridesFollowTheBatch() {
    IndexFunction columns = IndexFunction.ordered(List.of(Affine.of(2), Affine.N), List.of(0, 1));
    TensorView view = TensorView.of(TEN, 0, ElementType.F32, columns, 4);
    assertThat(view.offset(1, 2)).isEqualTo(6);
    assertThat(view.isDense()).isTrue();
  }

  @ParameterizedTest
  @EnumSource(ElementType.class)
  void everyTypeKeepsWhatIsStored(ElementType type) {
    Tensor tensor = Tensors.random(new Random(3), type, 20);
    TensorView view = TensorView.of(tensor);
    TensorView copy = TensorView.of(Interpreter.allocate(type, 20));
    for (int i = 0; i < 20; i++) {
      if (type.isFloat()) {
        copy.realAt(i, view.realAt(i));
      } else {
        copy.wholeAt(i, view.wholeAt(i));
      }
    }
    assertThat(Layouts.dense(copy).data().mismatch(tensor.data())).isEqualTo(-1);
  }

  @Test
  void largeUnsignedIntegersAreConvertedAsUnsigned() {
    Tensor tensor = Tensors.wholes(ElementType.U64, Tensors.shape(1), -1);
    assertThat(TensorView.of(tensor).realAt(0)).isEqualTo(0x1p64);
  }
}
