package io.miniinference.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.Tensor;
import io.miniinference.onnx.wire.TensorProto.DataType;
import io.miniinference.runtime.EngineOptions;
import io.miniinference.runtime.InvalidRequestException;
import io.miniinference.runtime.LoadOptions;
import io.miniinference.testing.TestModel;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// A tensor of another type than the model's is refused with what to make it of.
final class WrongTypesTest {
  private static final InferenceEngine ENGINE =
      InferenceEngine.open(EngineOptions.defaults().withDevice("jvm").withPool(8 << 20));

  @AfterAll
  static void close() {
    ENGINE.close();
  }

  private static InferenceModel taking(DataType type) {
    byte[] onnx =
        TestModel.opset(17)
            .input("x", type, "N,2")
            .node("Identity", "x", "y")
            .output("y", type, "N,2")
            .bytes();
    return ENGINE.load("m", onnx, LoadOptions.defaults().withMaxBatch(2));
  }

  @ParameterizedTest
  @CsvSource({
    "FLOAT, of a float[]",
    "DOUBLE, of a double[]",
    "INT64, of a long[]",
    "INT32, of an int[]",
    "BOOL, of a boolean[]",
    "STRING, of a String[]",
    "FLOAT16, 'of its bytes by of(ElementType.F16, …)'",
    "UINT8, 'of its bytes by of(ElementType.U8, …)'"
  })
  void theRefusalSaysOfWhatToMakeIt(DataType type, String remedy) {
    try (InferenceModel model = taking(type)) {
      Tensor other = Tensor.of(ElementType.I16, MemorySegment.ofArray(new short[2]), 1, 2);

      assertThatThrownBy(() -> model.run(Map.of("x", other)))
          .isInstanceOf(InvalidRequestException.class)
          .hasMessageStartingWith("input 'x' of model 'm' is ")
          .hasMessageEndingWith("[N,2], got i16[1,2]: make it " + remedy);
    }
  }

  @Test
  void halvesAreMadeAsTheRefusalSays() {
    short[] halves = {Float.floatToFloat16(1.5f), Float.floatToFloat16(-2)};
    try (InferenceModel model = taking(DataType.FLOAT16)) {
      Tensor x = Tensor.of(ElementType.F16, MemorySegment.ofArray(halves), 1, 2);

      assertThat(model.run(x).floats()).containsExactly(1.5f, -2);
    }
  }
}
