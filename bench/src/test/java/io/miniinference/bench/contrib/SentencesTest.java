package io.miniinference.bench.contrib;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import io.miniinference.engine.InferenceEngine;
import io.miniinference.engine.InferenceModel;
import io.miniinference.ir.Tensor;
import io.miniinference.runtime.EngineOptions;
import java.io.IOException;
import java.io.InputStream;
import java.nio.FloatBuffer;
import java.nio.LongBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The encoder of sentences that Java applications use the most, `all-MiniLM-L6-v2` with weights of
/// 8 bits, as its own artifact brings it: opset 11, so that layer normalisations are nine nodes
/// each, and open lengths.
final class SentencesTest {
  private static final String FILE = "/all-minilm-l6-v2-q.onnx";

  /* Far less than a step of 8 bits that falls otherwise. */
  private static final float CLOSE = 2e-3f;

  @TempDir Path folder;

  private static byte[] file() throws IOException {
    try (InputStream in = requireNonNull(SentencesTest.class.getResourceAsStream(FILE))) {
      return in.readAllBytes();
    }
  }

  /* Its optimiser's forms differ from that by up to 0.4, by steps of 8 bits that fall otherwise. */
  private static OrtSession asWritten(byte[] bytes) throws OrtException {
    try (var options = new OrtSession.SessionOptions()) {
      options.setOptimizationLevel(OrtSession.SessionOptions.OptLevel.NO_OPT);
      return OrtEnvironment.getEnvironment().createSession(bytes, options);
    }
  }

  /* Words of the vocabulary between its marks of beginning and end; the last one is filled up. */
  private static Map<String, Tensor> sentence(int length) {
    long[] words = LongStream.range(0, length).map(i -> 1000 + 937 * i % 28_000).toArray();
    words[0] = 101;
    words[length - 1] = 102;
    long[] mask = LongStream.range(0, length).map(i -> i < length - 1 ? 1 : 0).toArray();
    return Map.of(
        "input_ids", Tensor.of(words, 1, length),
        "attention_mask", Tensor.of(mask, 1, length),
        "token_type_ids", Tensor.of(new long[length], 1, length));
  }

  private static float[] onnxRuntime(OrtSession session, Map<String, Tensor> inputs)
      throws OrtException {
    Map<String, OnnxTensor> theirs = new HashMap<>();
    try {
      for (var input : inputs.entrySet()) {
        Tensor tensor = input.getValue();
        theirs.put(
            input.getKey(),
            OnnxTensor.createTensor(
                OrtEnvironment.getEnvironment(), LongBuffer.wrap(tensor.longs()), tensor.shape()));
      }
      try (OrtSession.Result result = session.run(theirs)) {
        FloatBuffer floats = ((OnnxTensor) result.get(0)).getFloatBuffer();
        float[] all = new float[floats.remaining()];
        floats.get(all);
        return all;
      }
    } finally {
      theirs.values().forEach(OnnxTensor::close);
    }
  }

  @Test
  void sentencesOfEachLengthAreEncodedAsByOnnxRuntime() throws IOException, OrtException {
    byte[] bytes = file();
    Path file = Files.write(folder.resolve("sentences.onnx"), bytes);
    var options = new EngineOptions(128 << 20, "jvm", null, null, "auto", folder.resolve("cache"));
    try (InferenceEngine engine = InferenceEngine.open(options);
        InferenceModel model = engine.load(file);
        OrtSession session = asWritten(bytes)) {
      for (int length : new int[] {4, 23}) {
        Map<String, Tensor> inputs = sentence(length);
        float[] expected = onnxRuntime(session, inputs);
        Tensor states = model.run(inputs).values().iterator().next();
        assertThat(states.shape()).containsExactly(1, length, 384);
        float[] actual = states.floats();
        for (int i = 0; i < expected.length; i++) {
          assertThat(actual[i]).as("element %d", i).isCloseTo(expected[i], within(CLOSE));
        }
      }
    }
  }
}
