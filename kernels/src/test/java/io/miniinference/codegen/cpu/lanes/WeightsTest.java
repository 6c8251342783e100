package io.miniinference.codegen.cpu.lanes;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.codegen.CType;
import io.miniinference.ir.Tensor;
import io.miniinference.lower.Packing;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;

/// Weights of a range of 256 integers take a byte each.
final class WeightsTest {
  private static Tensor tensor(float... values) {
    return Tensor.of(values, values.length);
  }

  private static byte[] packed(Tensor weights) {
    Packing packing = Weights.of(weights).packing(new Packing.Plain());
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment target = arena.allocate(packing.bytes(weights));
      packing.pack(weights, target);
      return target.toArray(ValueLayout.JAVA_BYTE);
    }
  }

  @Test
  void signedBytesAreStoredAsTheyAre() {
    Tensor weights = tensor(-128, 0, 3, 127);
    assertThat(Weights.of(weights).type()).isEqualTo(CType.I8);
    assertThat(packed(weights)).containsExactly(-128, 0, 3, 127);
  }

  @Test
  void otherRangesAreStoredFromTheirLeastOn() {
    Tensor weights = tensor(-90, 0, 165);
    assertThat(Weights.of(weights).type()).isEqualTo(CType.U8);
    assertThat(packed(weights)).containsExactly(0, 90, (byte) 255);
    assertThat(Weights.of(weights).load(0, "w")).contains("+ @splat(16, -90.0f)");
  }

  @Test
  void aFractionAmongManyIntegersIsSeen() {
    float[] many = new float[10_000];
    many[3] = -0f;
    many[7] = -5;
    assertThat(Weights.of(tensor(many)).type()).isEqualTo(CType.I8);
    many[9_999] = Float.NEGATIVE_INFINITY;
    assertThat(Weights.of(tensor(many)).type()).isEqualTo(CType.F32);
    many[9_999] = 0.25f;
    assertThat(Weights.of(tensor(many)).type()).isEqualTo(CType.F32);
  }

  @Test
  void floatsStayFloats() {
    for (Tensor weights : new Tensor[] {tensor(1, 0.5f), tensor(-90, 166), tensor(Float.NaN)}) {
      assertThat(Weights.of(weights).type()).isEqualTo(CType.F32);
      assertThat(packed(weights)).hasSize(4 * (int) weights.elements());
    }
    assertThat(Weights.of(null).type()).isEqualTo(CType.F32);
  }
}
