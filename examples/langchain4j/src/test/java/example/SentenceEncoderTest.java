package example;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.google.protobuf.TextFormat;
import dev.langchain4j.data.embedding.Embedding;
import dev.langchain4j.data.segment.TextSegment;
import io.miniinference.engine.InferenceEngine;
import io.miniinference.engine.InferenceModel;
import io.miniinference.onnx.wire.ModelProto;
import io.miniinference.runtime.EngineOptions;
import io.miniinference.runtime.LoadOptions;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class SentenceEncoderTest {
  /** Looks a vector up for each token; that of 0 stands behind short texts, where the mask is 0. */
  private static final String LETTERS =
      """
      ir_version: 8
      opset_import { version: 17 }
      graph {
        name: "letters"
        input { name: "input_ids" type { tensor_type { elem_type: 7 shape { dim { dim_param: "batch" } dim { dim_param: "sequence" } } } } }
        input { name: "attention_mask" type { tensor_type { elem_type: 7 shape { dim { dim_param: "batch" } dim { dim_param: "sequence" } } } } }
        input { name: "token_type_ids" type { tensor_type { elem_type: 7 shape { dim { dim_param: "batch" } dim { dim_param: "sequence" } } } } }
        initializer { name: "table" data_type: 1 dims: 3 dims: 2 float_data: [9, 9, 1, 0, 0, 1] }
        node { op_type: "Mul" input: "input_ids" input: "attention_mask" output: "masked" }
        node { op_type: "Add" input: "masked" input: "token_type_ids" output: "typed" }
        node { op_type: "Gather" input: "table" input: "typed" output: "hidden" }
        output { name: "hidden" type { tensor_type { elem_type: 1 shape { dim { dim_param: "batch" } dim { dim_param: "sequence" } dim { dim_value: 2 } } } } }
      }
      """;

  /** A is token 1, b is token 2, c is 1 again. */
  private static long[] letters(String text) {
    return text.chars().mapToLong(letter -> Math.floorMod(letter - 'a', 2) + 1).toArray();
  }

  @Test
  void aTextIsTheMeanOfItsTokensWhateverStandsBesideIt() throws Exception {
    byte[] onnx = TextFormat.parse(LETTERS, ModelProto.class).toByteArray();
    LoadOptions options =
        LoadOptions.defaults().withMaxBatch(2).withPadding(Map.of("sequence", 16L));
    try (InferenceEngine engine =
        InferenceEngine.open(EngineOptions.defaults().withDevice("jvm").withPool(8 << 20))) {
      InferenceModel model = engine.load("letters", onnx, options);
      SentenceEncoder encoder = new SentenceEncoder(model, SentenceEncoderTest::letters);

      List<TextSegment> texts = Stream.of("a", "aaaabbb", "bbbb").map(TextSegment::from).toList();
      List<Embedding> vectors = encoder.embedAll(texts).content();

      assertArrayEquals(new float[] {1, 0}, vectors.get(0).vector(), 1e-6f);
      assertArrayEquals(new float[] {.8f, .6f}, vectors.get(1).vector(), 1e-6f);
      assertArrayEquals(new float[] {0, 1}, vectors.get(2).vector(), 1e-6f);
      assertEquals(2, encoder.dimension());
    }
  }
}
