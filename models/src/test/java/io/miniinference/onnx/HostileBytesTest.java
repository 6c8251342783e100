package io.miniinference.onnx;

import static io.miniinference.onnx.Wire.body;
import static io.miniinference.onnx.Wire.call;
import static io.miniinference.onnx.Wire.function;
import static io.miniinference.onnx.Wire.graph;
import static io.miniinference.onnx.Wire.integer;
import static io.miniinference.onnx.Wire.model;
import static io.miniinference.onnx.Wire.node;
import static io.miniinference.onnx.Wire.reference;
import static io.miniinference.onnx.Wire.tensor;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import com.google.protobuf.ByteString;
import io.miniinference.onnx.inline.FunctionInliner;
import io.miniinference.onnx.tensor.OnnxType;
import io.miniinference.onnx.tensor.TensorReader;
import io.miniinference.onnx.wire.AttributeProto.AttributeType;
import io.miniinference.onnx.wire.TensorProto;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// Any bytes are answered by a model or by a [ModelException], never by anything else.
class HostileBytesTest {
  private static final long SEED = 20260728;

  private static final byte[] MODEL =
      model(
              graph(
                      node("Constant", "", "c", integer("value_int", 3)),
                      call("F", "x c", "y", integer("axis", 1)),
                      node("If", "c", "z", body("then_branch", graph(call("F", "x c", "t")))))
                  .toBuilder()
                  .addInitializer(tensor(OnnxType.FLOAT, 2, 3).setRawData(zeros(24)))
                  .addInitializer(tensor(OnnxType.INT8, 3).addInt32Data(1).addInt32Data(2))
                  .addInitializer(tensor(OnnxType.STRING, 1).addStringData(zeros(3)))
                  .addInitializer(Wire.external(4, "location", "w.bin", "offset", "4"))
                  .build(),
              function(
                      "F",
                      "a b",
                      "r",
                      node("Concat", "a b", "r", reference("axis", "axis", AttributeType.INT)))
                  .addAttributeProto(integer("axis", 0))
                  .build())
          .build()
          .toByteArray();

  private static ByteString zeros(int bytes) {
    return ByteString.copyFrom(new byte[bytes]);
  }

  /// True if the bytes made a model, false if they were refused; fails on any other outcome.
  private static boolean readable(byte[] bytes) {
    try {
      OnnxModel model = OnnxReader.read("m.onnx", ByteBuffer.wrap(bytes), null, Wire.LIMITS);
      OnnxGraph graph = FunctionInliner.inline(model, Wire.LIMITS);
      TensorReader tensors = TensorReader.of(model, Wire.LIMITS);
      graph.initializers().forEach(proto -> readTensor(proto, tensors));
      return true;
    } catch (ModelException e) {
      assertThat(e.problems()).isNotEmpty();
      return false;
    }
  }

  private static void readTensor(TensorProto proto, TensorReader reader) {
    try {
      assertThat(reader.read(proto).dataBytes()).isLessThanOrEqualTo(Wire.LIMITS.tensorBytes());
    } catch (ModelException e) {
      assertThat(e.problems()).hasSize(1);
    }
  }

  @Test
  void theModelThatIsDamagedBelowIsReadable() {
    assertThat(readable(MODEL)).isTrue();
  }

  @Test
  void everyPrefixOfAModelIsReadOrRefused() {
    assertThatCode(
            () -> {
              for (int length = 0; length < MODEL.length; length++) {
                readable(Arrays.copyOf(MODEL, length));
              }
            })
        .doesNotThrowAnyException();
  }

  @Test
  void randomChangesAreReadOrRefused() {
    var random = new Random(SEED);
    int read = 0;
    for (int round = 0; round < 5000; round++) {
      byte[] bytes = MODEL.clone();
      for (int change = random.nextInt(4); change >= 0; change--) {
        bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
      }
      read += readableOrRefused(bytes, round) ? 1 : 0;
    }
    assertThat(read).as("models still readable, seed %d", SEED).isBetween(100, 4900);
  }

  private static boolean readableOrRefused(byte[] bytes, int round) {
    try {
      return readable(bytes);
    } catch (RuntimeException e) {
      throw new AssertionError("seed %d, round %d".formatted(SEED, round), e);
    }
  }

  @Test
  void randomBytesAreReadOrRefused() {
    var random = new Random(SEED);
    for (int round = 0; round < 2000; round++) {
      var bytes = new byte[random.nextInt(64)];
      random.nextBytes(bytes);
      assertThat(readableOrRefused(bytes, round)).isFalse();
    }
  }

  @Test
  void aTensorFileIsReadOrRefusedAtEveryLength() {
    byte[] file = tensor(OnnxType.FLOAT, 2, 3).setRawData(zeros(24)).build().toByteArray();
    var reader = new TensorReader("t.pb", null, 100);
    assertThatCode(
            () -> {
              for (int length = 0; length < file.length; length++) {
                ByteBuffer prefix = ByteBuffer.wrap(file, 0, length).slice();
                try {
                  reader.read(WireBytes.message("t.pb", TensorReader.PARSER, prefix, 100));
                } catch (ModelException refused) {
                  assertThat(refused.problems()).hasSize(1);
                }
              }
            })
        .doesNotThrowAnyException();
  }
}
