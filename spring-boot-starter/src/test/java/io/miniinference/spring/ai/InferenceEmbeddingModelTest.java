package io.miniinference.spring.ai;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.miniinference.engine.InferenceEngine;
import io.miniinference.engine.InferenceModel;
import io.miniinference.onnx.wire.GraphProto;
import io.miniinference.onnx.wire.ModelProto;
import io.miniinference.onnx.wire.NodeProto;
import io.miniinference.onnx.wire.OperatorSetIdProto;
import io.miniinference.onnx.wire.TensorProto;
import io.miniinference.onnx.wire.TensorProto.DataType;
import io.miniinference.onnx.wire.TensorShapeProto;
import io.miniinference.onnx.wire.TypeProto;
import io.miniinference.onnx.wire.ValueInfoProto;
import io.miniinference.runtime.EngineOptions;
import io.miniinference.runtime.LoadOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.ai.document.Document;
import org.springframework.ai.embedding.EmbeddingModel;

/// A model that looks a vector up for each token, as what Spring AI takes for an embedding model.
final class InferenceEmbeddingModelTest {
  /// One row a token; the first stands behind short texts.
  private static final float[][] TABLE = {{9, 9}, {1, 0}, {0, 1}, {3, 4}, {-1, 2}};

  @TempDir Path folder;
  private InferenceEngine engine;

  @BeforeEach
  void open() {
    engine =
        InferenceEngine.open(
            new EngineOptions(8 << 20, "jvm", null, null, "auto", folder.resolve("cache")));
  }

  @AfterEach
  void close() {
    engine.close();
  }

  /* A letter is a token: a is 1, b is 2, and e is 1 again. */
  private static long[] letters(String text) {
    return text.chars().mapToLong(letter -> Math.floorMod(letter - 'a', 4) + 1).toArray();
  }

  @Test
  void aTextIsTheMeanOfItsTokensWhateverStandsBesideIt() throws IOException {
    EmbeddingModel texts =
        new InferenceEmbeddingModel(load("sequence", 256), InferenceEmbeddingModelTest::letters);

    assertThat(texts.embed("ab")).containsExactly(expected("ab"), within(1e-6f));
    assertThat(texts.embed(new Document("c")))
        .containsExactly(new float[] {.6f, .8f}, within(1e-6f));
    List<String> many = List.of("a", "abcd", "dddddddddddddddddddd", "bc");
    List<float[]> vectors = texts.embed(many);
    for (int i = 0; i < many.size(); i++) {
      assertThat(vectors.get(i))
          .as(many.get(i))
          .containsExactly(expected(many.get(i)), within(1e-6f));
    }
    assertThat(texts.dimensions()).isEqualTo(2);
  }

  @Test
  void moreTextsThanABatchHoldsAreSeveralBatches() throws IOException {
    EmbeddingModel texts =
        new InferenceEmbeddingModel(load("8", 2), InferenceEmbeddingModelTest::letters);

    List<String> many = List.of("a", "b", "c", "d", "ab");
    List<float[]> vectors = texts.embed(many);

    assertThat(vectors).hasSize(5);
    for (int i = 0; i < many.size(); i++) {
      assertThat(vectors.get(i)).containsExactly(expected(many.get(i)), within(1e-6f));
    }
    assertThat(texts.embedForResponse(many).getResults().getLast().getIndex()).isEqualTo(4);
  }

  @Test
  void theFirstTokenSpeaksForItsTextWhereThatIsAsked() throws IOException {
    EmbeddingModel texts =
        new InferenceEmbeddingModel(
            load("sequence", 4), InferenceEmbeddingModelTest::letters, Pooling.FIRST, "hidden");

    assertThat(texts.embed("cab")).containsExactly(new float[] {.6f, .8f}, within(1e-6f));
  }

  @Test
  void whatDoesNotFitIsToldWithTheRemedy() throws IOException {
    InferenceModel model = load("8", 4);
    EmbeddingModel texts = new InferenceEmbeddingModel(model, InferenceEmbeddingModelTest::letters);

    assertThatThrownBy(() -> texts.embed(List.of("a", "b", "c", "d", "e", "aaaaaaaaa")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("text 5 has 9 tokens")
        .hasMessageContaining("and the model takes from 1 to 8: split it");
    assertThatThrownBy(() -> texts.embed(List.of("a", "")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("text 1 has 0 tokens");
    assertThatThrownBy(() ->
            new InferenceEmbeddingModel(
                model, InferenceEmbeddingModelTest::letters, Pooling.MEAN, "pooled"))
        .hasMessage("model 'letters' has no output 'pooled'; it has [hidden]");
  }

  @Test
  void lengthsAreNotRoundedUpAboveTheBoundOfTheModel() throws IOException {
    EmbeddingModel texts =
        new InferenceEmbeddingModel(
            load("sequence", options(4).withBounds(Map.of("sequence", 12L))),
            InferenceEmbeddingModelTest::letters);

    assertThat(texts.embed("abcdabcdabcd"))
        .containsExactly(expected("abcdabcdabcd"), within(1e-6f));
    assertThatThrownBy(() -> texts.embed(List.of("a", "abcdabcdabcda")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("text 1 has 13 tokens")
        .hasMessageContaining("from 1 to 12");
  }

  @Test
  void ofAModelOfShortTextsAllAreAsLongAsItTakes() throws IOException {
    EmbeddingModel texts =
        new InferenceEmbeddingModel(
            load("sequence", options(4).withBounds(Map.of("sequence", 3L))),
            InferenceEmbeddingModelTest::letters);

    assertThat(texts.embed("ab")).containsExactly(expected("ab"), within(1e-6f));
  }

  private static float[] expected(String text) {
    double[] sum = new double[2];
    for (long token : letters(text)) {
      sum[0] += TABLE[(int) token][0];
      sum[1] += TABLE[(int) token][1];
    }
    double length = Math.hypot(sum[0], sum[1]);
    return new float[] {(float) (sum[0] / length), (float) (sum[1] / length)};
  }

  private static LoadOptions options(int maxBatch) {
    return new LoadOptions(maxBatch, 1, Map.of(), Map.of(), Map.of());
  }

  private InferenceModel load(String sequence, int maxBatch) throws IOException {
    return load(sequence, options(maxBatch));
  }

  private InferenceModel load(String sequence, LoadOptions options) throws IOException {
    GraphProto.Builder graph = GraphProto.newBuilder().setName("letters");
    for (String input : List.of("input_ids", "attention_mask")) {
      graph.addInput(info(input, DataType.INT64, "batch", sequence));
    }
    TensorProto.Builder table =
        TensorProto.newBuilder().setName("table").setDataType(DataType.FLOAT.getNumber());
    table.addDims(TABLE.length).addDims(2);
    Arrays.stream(TABLE).forEach(row -> table.addFloatData(row[0]).addFloatData(row[1]));
    graph.addInitializer(table);
    graph.addNode(node("Mul", "masked", "input_ids", "attention_mask"));
    graph.addNode(node("Gather", "hidden", "table", "masked"));
    graph.addOutput(info("hidden", DataType.FLOAT, "batch", sequence, "2"));
    Path file = Files.write(folder.resolve("letters.onnx"), model(graph).toByteArray());
    return engine.load("letters", file, options);
  }

  private static ModelProto model(GraphProto.Builder graph) {
    return ModelProto.newBuilder()
        .setIrVersion(8)
        .addOpsetImport(OperatorSetIdProto.newBuilder().setVersion(17))
        .setGraph(graph)
        .build();
  }

  private static NodeProto node(String op, String output, String... inputs) {
    return NodeProto.newBuilder()
        .setName(output)
        .setOpType(op)
        .addAllInput(List.of(inputs))
        .addOutput(output)
        .build();
  }

  private static ValueInfoProto info(String name, DataType type, String... dims) {
    TensorShapeProto.Builder shape = TensorShapeProto.newBuilder();
    for (String dim : dims) {
      if (Character.isDigit(dim.charAt(0))) {
        shape.addDimBuilder().setDimValue(Long.parseLong(dim));
      } else {
        shape.addDimBuilder().setDimParam(dim);
      }
    }
    return ValueInfoProto.newBuilder()
        .setName(name)
        .setType(
            TypeProto.newBuilder()
                .setTensorType(
                    TypeProto.Tensor.newBuilder().setElemType(type.getNumber()).setShape(shape)))
        .build();
  }
}
