package io.miniinference.bench.models;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.bench.measure.BenchException;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Tensor;
import io.miniinference.ir.TensorType;
import io.miniinference.ir.Value;
import io.miniinference.layout.Affine;
import io.miniinference.lower.Precision;
import io.miniinference.signature.TensorSpec;
import io.miniinference.testing.GatherModels;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// What all are fed, and whether they agree on the outcome.
final class FeedTest {
  private static final TensorSpec IMAGE = value("image", ElementType.F32, Affine.N, Affine.of(784));
  private static final TensorSpec DIGIT =
      value("digit", ElementType.F32, Affine.N, Affine.ONE, Affine.of(28), Affine.of(28));
  private static final TensorSpec WORD = value("word", ElementType.I64, Affine.N, Affine.of(20));

  private static TensorSpec value(String name, ElementType element, Affine... shape) {
    return TensorSpec.of(new Value(name, new TensorType(element, List.of(shape))));
  }

  @Test
  void theSameModelIsAlwaysFedTheSame() {
    assertThat(bytes(Feed.of(List.of(DIGIT, WORD), 3)))
        .isEqualTo(bytes(Feed.of(List.of(DIGIT, WORD), 3)));
  }

  @Test
  void wordsAreLettersAndOtherFloatsLieBetweenZeroAndOne() {
    Feed feed = Feed.of(List.of(WORD, IMAGE), 2);
    ByteBuffer letters = buffer(feed.inputs().getFirst().tensor());
    for (int i = 0; i < 40; i++) {
      assertThat(letters.getLong(8 * i)).isBetween(1L, 26L);
    }
    assertThat(floats(feed.inputs().getLast().tensor())).hasSize(2 * 784).doesNotContain(1f);
  }

  @Test
  void indicesOfBothEndsAreLettersOfWhichSomeCountFromTheEnd() {
    TensorSpec indices = value(GatherModels.BOTH_ENDS, ElementType.I64, Affine.N, Affine.of(20));
    ByteBuffer letters = buffer(Feed.of(List.of(indices), 50).inputs().getFirst().tensor());
    int negative = 0;
    for (int i = 0; i < 1000; i++) {
      long index = letters.getLong(8 * i);
      assertThat(Math.abs(index)).isBetween(1L, 26L);
      negative += index < 0 ? 1 : 0;
    }
    assertThat(negative).isBetween(400, 600);
  }

  @ParameterizedTest
  @EnumSource
  void inputsOfAnyTypeAreFed(ElementType type) {
    Tensor tensor = Feed.of(List.of(value("x", type, Affine.N)), 50).inputs().getFirst().tensor();
    assertThat(tensor.element()).isEqualTo(type);
    assertThat(tensor.data().toArray(JAVA_BYTE))
        .hasSize(50 * type.bytes())
        .isNotEqualTo(new byte[50 * type.bytes()]);
  }

  @Test
  void floatsAgreeWithinTheToleranceOfVerify() {
    assertThat(difference(floats(1, 100), floats(1.0009f, 100))).isEmpty();
    assertThat(difference(floats(1.01f, 100), floats(1, 100)))
        .hasValue("output 0: element 0 is 1.01 against 1.0 of a peer");
    assertThat(difference(floats(Float.NaN), floats(1))).isPresent();
  }

  @Test
  void shapesAndWholeNumbersAgreeExactly() {
    assertThat(difference(floats(1), floats(1, 2)))
        .hasValue("output 0: f32[1] against f32[2] of a peer");
    assertThat(difference(longs(7), longs(7))).isEmpty();
    assertThat(difference(longs(7), longs(9)))
        .hasValue("output 0: element 0 is 7 against 9 of a peer");
    assertThat(difference(longs(7), List.of())).hasValue("1 outputs against 0 of a peer");
  }

  private static Optional<String> difference(List<Tensor> ours, List<Tensor> theirs) {
    try {
      Agreement.check(ours, theirs, Precision.F32, "a peer");
      return Optional.empty();
    } catch (BenchException e) {
      return Optional.of(e.getMessage());
    }
  }

  private static List<Tensor> floats(float... values) {
    ByteBuffer bytes = ByteBuffer.allocate(4 * values.length).order(ByteOrder.LITTLE_ENDIAN);
    bytes.asFloatBuffer().put(values);
    return List.of(
        new Tensor(
            ElementType.F32, new long[] {values.length}, MemorySegment.ofArray(bytes.array())));
  }

  private static List<Tensor> longs(long value) {
    byte[] bytes = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putLong(value).array();
    return List.of(new Tensor(ElementType.I64, new long[] {1}, MemorySegment.ofArray(bytes)));
  }

  private static float[] floats(Tensor tensor) {
    float[] values = new float[(int) tensor.elements()];
    buffer(tensor).asFloatBuffer().get(values);
    return values;
  }

  private static ByteBuffer buffer(Tensor tensor) {
    return ByteBuffer.wrap(tensor.data().toArray(JAVA_BYTE)).order(ByteOrder.LITTLE_ENDIAN);
  }

  private static byte[] bytes(Feed feed) {
    var all = new ByteArrayOutputStream();
    feed.inputs().forEach(input -> all.writeBytes(input.tensor().data().toArray(JAVA_BYTE)));
    return all.toByteArray();
  }
}
