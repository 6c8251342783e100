package io.miniinference.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.Tensor;
import io.miniinference.onnx.wire.GraphProto;
import io.miniinference.onnx.wire.ModelProto;
import io.miniinference.onnx.wire.TypeProto;
import io.miniinference.runtime.FailureReport;
import io.miniinference.runtime.InvalidRequestException;
import io.miniinference.runtime.RequestBatch.Outcome;
import io.miniinference.runtime.RequestFailedException;
import io.miniinference.testing.TestModel;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.nio.LongBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What requests to models of the library answer on each device, with the bundled models.
final class LibraryTest extends LibraryFixture {

  @Test
  void tensorsGoInAndComeOutByName() {
    float[] pixels = pixels(3, SEED);

    Map<String, Tensor> answer = cnn.run(images(pixels));

    assertThat(answer.keySet()).containsExactly(CNN_OUT);
    assertThat(Objects.requireNonNull(answer.get(CNN_OUT)).shape()).containsExactly(3, 10);
    assertThat(values(answer, CNN_OUT)).isEqualTo(plain(pixels));
  }

  @Test
  void aModelOfOneInputAndOutputNeedsNoNames() {
    float[] pixels = pixels(1, SEED);

    Tensor answer = cnn.run(Tensor.of(pixels, 1, 1, 28, 28));

    assertThat(answer.floats()).isEqualTo(plain(pixels));
  }

  @Test
  void buffersAndSegmentsAnswerLikeArrays() {
    float[] pixels = pixels(1, SEED);
    ByteBuffer bytes = ByteBuffer.allocateDirect(PIXELS * 4).order(ByteOrder.LITTLE_ENDIAN);
    bytes.asFloatBuffer().put(pixels);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment segment = arena.allocateFrom(ValueLayout.JAVA_FLOAT, pixels);
      List<Tensor> same =
          List.of(
              Tensor.of(FloatBuffer.wrap(pixels), 1, 1, 28, 28),
              Tensor.of(bytes.asFloatBuffer(), 1, 1, 28, 28),
              Tensor.of(ElementType.F32, bytes, 1, 1, 28, 28),
              Tensor.of(ElementType.F32, segment, 1, 1, 28, 28));

      assertThat(same)
          .allSatisfy(tensor -> assertThat(cnn.run(tensor).floats()).isEqualTo(plain(pixels)));
    }
  }

  @Test
  void aBufferOfTheOtherByteOrderIsRefused() {
    LongBuffer swapped = ByteBuffer.allocate(160).order(ByteOrder.BIG_ENDIAN).asLongBuffer();

    assertThatThrownBy(() -> Tensor.of(swapped, 1, LETTERS))
        .hasMessage("the buffer's order is BIG_ENDIAN: make it with ByteOrder.LITTLE_ENDIAN");
  }

  @Test
  void futuresAnswerAsTheirOwnRequestsWould() {
    List<float[]> requests = IntStream.range(0, 40).mapToObj(i -> pixels(1 + i % 8, i)).toList();

    List<CompletableFuture<Map<String, Tensor>>> futures =
        requests.stream().map(pixels -> cnn.runAsync(images(pixels))).toList();

    for (int i = 0; i < requests.size(); i++) {
      assertThat(values(futures.get(i).join(), CNN_OUT))
          .as("request %d", i)
          .isEqualTo(plain(requests.get(i)));
    }
  }

  @Test
  void aFutureFailsWithWhatARunThrows() {
    CompletableFuture<Map<String, Tensor>> future =
        cnn.runAsync(Map.of(CNN_IN, Tensor.of(new float[4], 2, 2)));

    assertThatThrownBy(future::join)
        .isInstanceOf(CompletionException.class)
        .hasCauseInstanceOf(InvalidRequestException.class);
  }

  private static Map<String, Tensor> letters(long... firstOfRow) {
    long[] letters = new long[firstOfRow.length * LETTERS];
    for (int row = 0; row < firstOfRow.length; row++) {
      letters[row * LETTERS] = firstOfRow[row];
    }
    return Map.of(WORDS_IN, Tensor.of(letters, firstOfRow.length, LETTERS));
  }

  @Test
  void aFailingRowIsNamed() {
    assertThatThrownBy(() -> words.run(letters(1, 99_999, 2)))
        .isInstanceOfSatisfying(
            RequestFailedException.class,
            e -> assertThat(e.failures()).extracting(FailureReport::row).containsExactly(1));
  }

  @Test
  void theOtherRowsOfAFailingRequestAreWhole() {
    RowAnswers answers = words.runRows(letters(1, 99_999, 2));

    assertThat(answers.failures()).extracting(FailureReport::row).containsExactly(1);
    assertThat(IntStream.range(0, 3).filter(answers::isWhole)).containsExactly(0, 2);
    float[] clean = values(words.run(letters(1, 3, 2)), WORDS_OUT);
    float[] outputs = values(answers.outputs(), WORDS_OUT);
    assertThat(row(outputs, 0)).isEqualTo(row(clean, 0));
    assertThat(row(outputs, 2)).isEqualTo(row(clean, 2));
  }

  private static float[] row(float[] outputs, int row) {
    return Arrays.copyOfRange(outputs, row * 20, row * 20 + 20);
  }

  @Test
  void requestsThatRunTogetherAnswerEachForItself() {
    List<Outcome<Map<String, Tensor>>> outcomes =
        words.runTogether(List.of(letters(1, 2), letters(99_999), letters(3)));

    assertThat(outcomes.get(0))
        .isInstanceOfSatisfying(
            Outcome.Answered.class,
            answered ->
                assertThat(values((Map<?, ?>) answered.value(), WORDS_OUT))
                    .isEqualTo(values(words.run(letters(1, 2)), WORDS_OUT)));
    assertThat(outcomes.get(1)).isInstanceOf(Outcome.Failed.class);
    assertThat(outcomes.get(2)).isInstanceOf(Outcome.Answered.class);
  }

  @Test
  void theOneRequestOfSeveralThatIsWrongIsNamed() {
    Map<String, Tensor> right = images(pixels(1, SEED));

    assertRefusedAmong(
        right,
        Map.of(),
        "request 2: input 'Input3' is missing: model 'mnist-cnn' takes 'Input3' (f32[N,1,28,28])");
    assertRefusedAmong(
        right,
        Map.of(CNN_IN, Tensor.of(new double[PIXELS], 1, 1, 28, 28)),
        "request 2: input 'Input3' of model 'mnist-cnn' is f32[N,1,28,28], got f64[1,1,28,28]: make it of a float[]");
    assertRefusedAmong(
        right, Map.of(CNN_IN, Tensor.of(new float[PIXELS], 1, 28, 28)), "request 2: unexpected");
    assertRefusedAmong(right, images(pixels(9, SEED)), "request 2: ");
    assertThatThrownBy(() -> cnn.runTogether(Arrays.asList(right, null)))
        .isInstanceOf(NullPointerException.class)
        .hasMessage("request 1");
  }

  private void assertRefusedAmong(
      Map<String, Tensor> right, Map<String, Tensor> wrong, String message) {
    assertThatThrownBy(() -> cnn.runTogether(List.of(right, right, wrong, right)))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageStartingWith(message);
  }

  @Test
  void wrongNamesTypesAndShapesAreToldWithTheNames() {
    assertRefused(
        Map.of("image", Tensor.of(pixels(1, SEED), 1, 1, 28, 28)),
        "model 'mnist-cnn' has no input 'image'; it takes 'Input3' (f32[N,1,28,28])");
    assertRefused(
        Map.of(), "input 'Input3' is missing: model 'mnist-cnn' takes 'Input3' (f32[N,1,28,28])");
    assertRefused(
        Map.of(CNN_IN, Tensor.of(new double[PIXELS], 1, 1, 28, 28)),
        "input 'Input3' of model 'mnist-cnn' is f32[N,1,28,28], got f64[1,1,28,28]: make it of a float[]");
    assertRefused(Map.of(CNN_IN, Tensor.of(new float[PIXELS], 1, 28, 28)), "[1,28,28]");
    assertRefused(images(pixels(9, SEED)), "must be <= 8");
  }

  private void assertRefused(Map<String, Tensor> inputs, String message) {
    assertThatThrownBy(() -> cnn.run(inputs))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining(message);
  }

  @Test
  void ofARowThatThereIsNotNothingIsSaid() {
    RowAnswers answers = words.runRows(letters(1, 2));

    assertThat(answers.rows()).isEqualTo(2);
    assertThatThrownBy(() -> answers.isWhole(2)).isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> answers.isWhole(-1)).isInstanceOf(IndexOutOfBoundsException.class);
  }

  /* As skl2onnx exports by default: the probabilities are declared a list of maps. */
  @Test
  void aMapOfProbabilitiesIsAnsweredAsTheirTensor(@TempDir Path folder) throws IOException {
    ModelProto.Builder model =
        ModelProto.parseFrom(
            TestModel.opset(17)
                .floats("x", "N,2")
                .node("ZipMap", "x", "y", "classlabels_int64s=4,9")
                .bytes())
            .toBuilder();
    model.addOpsetImportBuilder().setDomain("ai.onnx.ml").setVersion(3);
    GraphProto.Builder graph = model.getGraphBuilder();
    graph.getNodeBuilder(0).setDomain("ai.onnx.ml");
    TypeProto.Builder list = graph.addOutputBuilder().setName("y").getTypeBuilder();
    list.getSequenceTypeBuilder().getElemTypeBuilder().getMapTypeBuilder().setKeyType(7);
    Path file = Files.write(folder.resolve("maps.onnx"), model.build().toByteArray());
    try (InferenceModel maps = own.load(file)) {
      Tensor rows = Tensor.of(new float[] {0.25f, 0.75f}, 1, 2);
      Tensor y = Objects.requireNonNull(maps.run(Map.of("x", rows)).get("y"));
      assertThat(y.floats()).containsExactly(0.25f, 0.75f);
    }
  }

  @Test
  void aFutureWithoutATensorFailsAsARunDoes() {
    Map<String, Tensor> inputs = new HashMap<>();
    inputs.put(CNN_IN, LibraryFixture.<Tensor>nothing());

    assertThatThrownBy(cnn.runAsync(inputs)::join)
        .hasCauseInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("input 'Input3' is missing");
  }
}
