package io.miniinference.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import io.miniinference.ir.Tensor;
import io.miniinference.onnx.wire.AttributeProto;
import io.miniinference.onnx.wire.ModelProto;
import io.miniinference.onnx.wire.TensorProto.DataType;
import io.miniinference.runtime.EngineOptions;
import io.miniinference.runtime.InvalidRequestException;
import io.miniinference.runtime.LoadOptions;
import io.miniinference.runtime.RequestBatch.Outcome;
import io.miniinference.runtime.RequestFailedException;
import io.miniinference.testing.TestModel;
import io.miniinference.testing.device.OnEachDevice;
import io.miniinference.testing.device.TestedDevice;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;

/// Models with strings on each device.
@OnEachDevice({TestedDevice.JVM, TestedDevice.CPU})
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class StringsTest {
  private static final Path CACHE = Path.of(System.getProperty("mie.cache", "target/device-cache"));

  /// Names what it knows, tells whether it does, and looks a further word up.
  private static final TestModel NAMES =
      TestModel.opset(17)
          .input("x", DataType.STRING, "N,2")
          .longs("i", "N")
          .words("known", "yes")
          .words("found", "found")
          .words("table", "zero", "one", "é")
          .node("Equal", "x known", "same")
          .node("Where", "same found x", "y")
          .node("Gather", "table i", "word")
          .output("y", DataType.STRING, "N,2")
          .output("same", DataType.BOOL, "N,2")
          .output("word", DataType.STRING, "N");

  private static final TestModel OPEN =
      TestModel.opset(17)
          .input("x", DataType.STRING, "batch,length")
          .words("end", "</s>")
          .node("Shape", "x", "rows", "start=0", "end=1")
          .constant("one", 1)
          .node("Concat", "rows one", "shape", "axis=0")
          .node("Expand", "end shape", "ends")
          .node("Concat", "x ends", "y", "axis=1")
          .output("y", DataType.STRING, "batch,more");

  /// Words of a line in lower case, how many there are, and which are names.
  private static final TestModel LINES =
      TestModel.opset(21)
          .input("x", DataType.STRING, "N")
          .words("end", " .")
          .words("dot", ".")
          .node("StringConcat", "x end", "ended")
          .node("StringSplit", "ended", "words counts")
          .node("RegexFullMatch", "x", "name", "pattern=[A-Z]\\pL+")
          .node("Equal", "words dot", "dots")
          .node("Cast", "counts", "y", "to=1")
          .output("words", DataType.STRING, "N,parts")
          .output("y", DataType.FLOAT, "N")
          .output("dots", DataType.BOOL, "N,parts")
          .output("name", DataType.BOOL, "N");

  @Parameter TestedDevice tested;
  @TempDir static Path folder;

  private InferenceEngine engine;
  private InferenceModel names;
  private InferenceModel open;
  private InferenceModel lines;

  @BeforeParameterizedClassInvocation
  void load() throws IOException {
    engine =
        InferenceEngine.open(
            new EngineOptions(16L << 20, tested.device(), null, null, "auto", CACHE));
    names = load("names", NAMES);
    open = load("open", OPEN);
    lines = load("lines", LINES);
  }

  private InferenceModel load(String name, TestModel model) throws IOException {
    Path file = Files.write(folder.resolve(name + ".onnx"), model.bytes());
    return engine.load(name, file, LoadOptions.defaults().withMaxBatch(8));
  }

  @AfterParameterizedClassInvocation
  void close() {
    engine.close();
  }

  @Test
  void stringsAreLookedUpInAList() throws IOException {
    ModelProto.Builder model =
        ModelProto.parseFrom(
            TestModel.opset(17)
                .input("x", DataType.STRING, "N")
                .node("LabelEncoder", "x", "y", "values_int64s=7,9", "default_int64=-1")
                .output("y", DataType.INT64, "N")
                .bytes())
            .toBuilder();
    model.addOpsetImportBuilder().setDomain("ai.onnx.ml").setVersion(2);
    model
        .getGraphBuilder()
        .getNodeBuilder(0)
        .setDomain("ai.onnx.ml")
        .addAttributeBuilder()
        .setName("keys_strings")
        .setType(AttributeProto.AttributeType.STRINGS)
        .addStrings(ByteString.copyFromUtf8("seven"))
        .addStrings(ByteString.copyFromUtf8("nine"));
    Path file = Files.write(folder.resolve("encoder.onnx"), model.build().toByteArray());
    try (InferenceModel encoder =
        engine.load("encoder", file, LoadOptions.defaults().withMaxBatch(8))) {
      Tensor words = Tensor.of("nine", "eight", "seven");
      assertThat(of(encoder.run(Map.of("x", words)), "y").longs()).containsExactly(9, -1, 7);
    }
  }

  private static Map<String, Tensor> request(String[] x, long... i) {
    return Map.of("x", Tensor.of(x, i.length, 2), "i", Tensor.of(i, i.length));
  }

  private static Tensor of(Map<String, Tensor> answer, String name) {
    return Objects.requireNonNull(answer.get(name));
  }

  @Test
  void stringsGoInAndComeOut() {
    Map<String, Tensor> answer =
        names.run(request(new String[] {"yes", "no", "", "yes", "ñ", "found"}, 2, 0, -2));
    assertThat(of(answer, "y").strings()).containsExactly("found", "no", "", "found", "ñ", "found");
    assertThat(of(answer, "y")).hasToString("string[3,2]");
    assertThat(of(answer, "same").booleans())
        .containsExactly(true, false, false, true, false, false);
    assertThat(of(answer, "word").strings()).containsExactly("é", "zero", "one");
    assertThat(names.inputs().getFirst()).hasToString("string[N,2]");
  }

  @Test
  void bytesComeBackAsTheyWere() {
    byte[][] x = {{(byte) 0xFF, 0}, "yes".getBytes(StandardCharsets.UTF_8)};
    Tensor y =
        of(names.run(Map.of("x", Tensor.of(x, 1, 2), "i", Tensor.of(new long[] {0}, 1))), "y");
    assertThat(y.byteStrings()[0]).containsExactly(0xFF, 0);
    assertThat(y.strings()[1]).isEqualTo("found");
  }

  /// Their unknown words have the same codes, and each caller reads its own.
  @Test
  void callersOfOneBatchHaveStringsOfTheirOwn() {
    List<Outcome<Map<String, Tensor>>> outcomes =
        names.runTogether(
            List.of(
                request(new String[] {"a", "yes"}, 0),
                request(new String[] {"b", "c", "c", "a"}, 1, 2),
                request(new String[] {"failing", "row"}, 9)));
    assertThat(strings(outcomes.get(0))).containsExactly("a", "found");
    assertThat(strings(outcomes.get(1))).containsExactly("b", "c", "c", "a");
    assertThat(outcomes.get(2)).isInstanceOf(Outcome.Failed.class);
  }

  private static String[] strings(Outcome<Map<String, Tensor>> outcome) {
    return outcome instanceof Outcome.Answered(Map<String, Tensor> answer)
        ? of(answer, "y").strings()
        : new String[0];
  }

  @Test
  void rowsBesideOneThatFailsAreWhole() {
    RowAnswers answers = names.runRows(request(new String[] {"a", "b", "c", "d"}, 7, 1));
    assertThat(answers.isWhole(0)).isFalse();
    assertThat(of(answers.outputs(), "word").strings()[1]).isEqualTo("one");
    assertThat(of(answers.outputs(), "y").strings()).endsWith("c", "d");
    assertThatThrownBy(() -> names.run(request(new String[] {"a", "b"}, 7)))
        .isInstanceOf(RequestFailedException.class)
        .hasMessageContaining("index 7 is outside [-3, 2]");
  }

  @Test
  void lengthsOfRowsMayBeOpen() {
    Tensor two = Tensor.of(new String[] {"a", "b", "", "</s>"}, 2, 2);
    assertThat(open.run(two).strings()).containsExactly("a", "b", "</s>", "", "</s>", "</s>");
    assertThat(open.run(Tensor.of(new String[0], 1, 0)).strings()).containsExactly("</s>");
    assertThat(open.outputs().getFirst()).hasToString("string[batch,more]".replace("batch", "N"));
  }

  /// However many parts there are.
  @Test
  void stringsAreMadeOnTheHost() {
    Map<String, Tensor> answer = lines.run(Map.of("x", Tensor.of("Ærø", "a new line")));
    assertThat(of(answer, "words").strings())
        .containsExactly("Ærø", ".", "", "", "a", "new", "line", ".");
    assertThat(of(answer, "y").floats()).containsExactly(2, 4);
    assertThat(of(answer, "dots").booleans())
        .containsExactly(false, true, false, false, false, false, false, true);
    assertThat(of(answer, "name").booleans()).containsExactly(false, false);
    assertThat(of(lines.run(Map.of("x", Tensor.of("Zoë"))), "name").booleans())
        .containsExactly(true);
    assertThat(lines.inputs()).hasSize(1);
  }

  @Test
  void numbersAreNoStringsAndStringsNoNumbers() {
    Tensor codes = Tensor.of(new int[] {1, 2}, 1, 2);
    Tensor i = Tensor.of(new long[] {0}, 1);
    assertThatThrownBy(() -> names.run(Map.of("x", codes, "i", i)))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessage(
            "input 'x' of model 'names' is string[N,2], got i32[1,2]: make it of a String[]");
    assertThatThrownBy(() -> names.run(Map.of("x", Tensor.of("a", "b"), "i", Tensor.of("0"))))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining(
            "input 'i' of model 'names' is i64[N], got string[1]: make it of a long[]");
    assertThatThrownBy(() -> Tensor.of("a").ints())
        .hasMessageContaining("take them with strings()");
    assertThatThrownBy(codes::strings).hasMessageContaining("i32[1,2] are no strings");
  }
}
