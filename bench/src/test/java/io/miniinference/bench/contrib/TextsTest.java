package io.miniinference.bench.contrib;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.offset;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import io.miniinference.engine.InferenceEngine;
import io.miniinference.engine.InferenceModel;
import io.miniinference.ir.Tensor;
import io.miniinference.onnx.wire.TensorProto.DataType;
import io.miniinference.runtime.EngineOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Texts cut into tokens and counted, as ONNX Runtime does.
final class TextsTest {
  private static final String[] TEXTS = {
    "The quick brown fox, jumps over the lazy dog.",
    "",
    "Größe: 3 m; ein Haus, ein Hund",
    "..,,  ",
    "x",
    "naïve café",
  };

  @TempDir Path folder;

  private Map<String, Tensor> own(PeerModel model, Tensor texts) throws IOException {
    Path file = Files.write(folder.resolve("texts.onnx"), model.bytes());
    var options = new EngineOptions(16 << 20, "jvm", null, null, "auto", folder.resolve("cache"));
    try (InferenceEngine engine = InferenceEngine.open(options);
        InferenceModel loaded = engine.load(file)) {
      return loaded.run(Map.of("x", texts));
    }
  }

  private static Map<String, Object> onnxRuntime(PeerModel model, Tensor texts)
      throws OrtException {
    OrtEnvironment environment = OrtEnvironment.getEnvironment();
    Map<String, Object> answers = new HashMap<>();
    try (OrtSession session = environment.createSession(model.bytes());
        OnnxTensor input = OnnxTensor.createTensor(environment, texts.strings(), texts.shape());
        OrtSession.Result result = session.run(Map.of("x", input))) {
      result.forEach(entry -> answers.put(entry.getKey(), value(entry.getValue())));
    }
    return answers;
  }

  private static Object value(Object value) {
    try {
      return ((OnnxTensor) value).getValue();
    } catch (OrtException e) {
      throw new AssertionError(e);
    }
  }

  private static List<String> flat(Object strings) {
    return strings instanceof String text
        ? List.of(text)
        : Arrays.stream((Object[]) strings).flatMap(it -> flat(it).stream()).toList();
  }

  private void holdTokens(PeerModel model, Tensor texts) throws IOException, OrtException {
    List<String> expected = flat(requireNonNull(onnxRuntime(model, texts).get("tokens")));
    assertThat(requireNonNull(own(model, texts).get("tokens")).strings())
        .containsExactlyElementsOf(expected);
  }

  private static PeerModel tokenizer(Object... attributes) {
    return PeerModel.opset(17)
        .texts("x", "N")
        .node("Tokenizer", "x", "tokens", attributes)
        .output("tokens", DataType.STRING, "N", "T");
  }

  private static Arguments of(Object... attributes) {
    return Arguments.of((Object) attributes);
  }

  static List<Arguments> attributes() {
    return List.of(
        of("mark", 0, "pad_value", "#", "mincharnum", 1, "tokenexp", "[a-zA-Z0-9_]+"),
        of("mark", 1, "pad_value", "#", "mincharnum", 2, "tokenexp", "\\w\\w*|[a-z]"),
        of("mark", 0, "pad_value", "", "mincharnum", 1, "tokenexp", "[a-z]*"),
        of("mark", 0, "pad_value", "é", "mincharnum", 1, "tokenexp", "\\pL+"),
        of("mark", 1, "pad_value", "#", "mincharnum", 1, "separators", new String[] {""}),
        of("mark", 0, "pad_value", "#", "mincharnum", 1, "separators", new String[] {" "}),
        of(
            "mark",
            1,
            "pad_value",
            "#",
            "mincharnum",
            3,
            "separators",
            new String[] {" ", "[.]", "[,;:]", "ö"}));
  }

  @ParameterizedTest
  @MethodSource("attributes")
  void textsAreCutIntoTokens(Object[] attributes) throws IOException, OrtException {
    holdTokens(tokenizer(attributes), Tensor.of(TEXTS));
  }

  @ParameterizedTest
  @MethodSource("attributes")
  void aTextMayHaveNone(Object[] attributes) throws IOException, OrtException {
    holdTokens(tokenizer(attributes), Tensor.of("", ""));
  }

  /// The graph that skl2onnx writes for a TfidfVectorizer ahead of a classifier.
  private static PeerModel classifier(String mode, Object... stopwords) {
    String[] words = {"the", "fox", "dog", "ein", "haus", "the", "quick", "ein", "haus"};
    return PeerModel.opset(17)
        .texts("x", "N", "1")
        .constant("flat", Tensor.of(new long[] {-1}, 1))
        .standard("Reshape", "x flat", "line")
        .standard(
            "StringNormalizer",
            "line",
            "lower",
            with(
                stopwords,
                "case_change_action",
                "LOWER",
                "is_case_sensitive",
                0,
                "locale",
                "C.UTF-8"))
        .node(
            "Tokenizer",
            "lower",
            "words",
            "mark",
            0,
            "pad_value",
            "#",
            "mincharnum",
            1,
            "tokenexp",
            "[a-zA-Z0-9_]+")
        .standard("Flatten", "words", "rows")
        .standard(
            "TfIdfVectorizer",
            "rows",
            "counts",
            "min_gram_length",
            1,
            "max_gram_length",
            2,
            "max_skip_count",
            0,
            "mode",
            mode,
            "ngram_counts",
            new long[] {0, 5},
            "ngram_indexes",
            new long[] {0, 1, 2, 3, 4, 5, 6},
            "pool_strings",
            words,
            "weights",
            new float[] {1.5f, 1, 1, 2, 1, 3, 0.5f})
        .ml("Normalizer", "counts", "unit", "norm", "L2")
        .ml(
            "LinearClassifier",
            "unit",
            "label scores",
            "coefficients",
            new float[] {1, -2, 3, 0.5f, -1, 2, 1, -1, 2, -3, 0, 1, -2, 1},
            "intercepts",
            new float[] {0.25f, -0.25f},
            "classlabels_strings",
            new String[] {"animal", "house"},
            "post_transform",
            "SOFTMAX")
        .output("label", DataType.STRING, "N")
        .output("scores", DataType.FLOAT, "N", "2");
  }

  private static Object[] with(Object[] attributes, Object... more) {
    Object[] all = Arrays.copyOf(attributes, attributes.length + more.length);
    System.arraycopy(more, 0, all, attributes.length, more.length);
    return all;
  }

  private void holdClasses(PeerModel model, Tensor texts) throws IOException, OrtException {
    Map<String, Object> expected = onnxRuntime(model, texts);
    Map<String, Tensor> answer = own(model, texts);
    assertThat(requireNonNull(answer.get("label")).strings())
        .containsExactlyElementsOf(flat(requireNonNull(expected.get("label"))));
    float[][] scores = (float[][]) requireNonNull(expected.get("scores"));
    float[] own = requireNonNull(answer.get("scores")).floats();
    for (int i = 0; i < own.length; i++) {
      assertThat(own[i]).isCloseTo(scores[i / 2][i % 2], offset(1e-6f));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"TF", "TFIDF"})
  void textsAreClassified(String mode) throws IOException, OrtException {
    String[] texts = TEXTS.clone();
    texts[1] = "fox";
    holdClasses(classifier(mode), Tensor.of(texts, texts.length, 1));
  }

  @Test
  void stopWordsAreWholeTexts() throws IOException, OrtException {
    holdClasses(
        classifier("TF", "stopwords", new String[] {"fox"}),
        Tensor.of(new String[] {"The fox", "the dog"}, 2, 1));
  }

  /// As a ColumnTransformer chooses the column of a text.
  @Test
  void aColumnIsChosen() throws IOException, OrtException {
    PeerModel model =
        PeerModel.opset(17)
            .texts("x", "N", "2")
            .constant("column", Tensor.of(new long[] {1}, 1))
            .ml("ArrayFeatureExtractor", "x column", "text")
            .node(
                "Tokenizer",
                "text",
                "cut",
                "mark",
                0,
                "pad_value",
                "#",
                "mincharnum",
                1,
                "separators",
                new String[] {" "})
            .standard("Flatten", "cut", "tokens")
            .output("tokens", DataType.STRING, "N", "T");
    holdTokens(model, Tensor.of(new String[] {"1", "a b c", "2", "d"}, 2, 2));
  }
}
