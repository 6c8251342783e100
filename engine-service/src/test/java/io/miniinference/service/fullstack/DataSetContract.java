package io.miniinference.service.fullstack;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.onnx.tensor.OnnxTensor;
import io.miniinference.onnx.tensor.TensorReader;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Each bundled model's own data set over HTTP.
interface DataSetContract {
  RunningService service();

  @ParameterizedTest
  @EnumSource
  @Tag("data")
  default void theDataSetOfAModelGivesItsOutputs(Bundled model) {
    OnnxTensor input = tensor(model, "input_0.pb");
    float[] expected = floats(tensor(model, "output_0.pb"));

    var answer = model.infer(service().client(), (int) input.dims()[0], json(model, input));

    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    Closeness.check(Bundled.values(answer), expected);
  }

  private static OnnxTensor tensor(Bundled model, String file) {
    Path models = Path.of(System.getProperty("mie.data"), "models");
    return TensorReader.readFile(
        models.resolve(model.model()).resolve("test_data_set_0").resolve(file), 1 << 24);
  }

  private static float[] floats(OnnxTensor tensor) {
    float[] values = new float[(int) tensor.elements()];
    for (int i = 0; i < values.length; i++) {
      values[i] = tensor.data().get(JAVA_FLOAT_UNALIGNED, 4L * i);
    }
    return values;
  }

  private static String json(Bundled model, OnnxTensor tensor) {
    return LongStream.range(0, tensor.elements())
        .mapToObj(i ->
            model.takesImages()
                ? Float.toString(tensor.data().get(JAVA_FLOAT_UNALIGNED, 4 * i))
                : Long.toString(tensor.data().get(JAVA_LONG_UNALIGNED, 8 * i)))
        .collect(Collectors.joining(","));
  }
}
