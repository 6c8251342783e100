package io.miniinference.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.miniinference.device.DeviceException;
import io.miniinference.ir.ElementType;
import io.miniinference.ir.Tensor;
import io.miniinference.onnx.ModelException;
import io.miniinference.onnx.wire.GraphProto;
import io.miniinference.onnx.wire.ModelProto;
import io.miniinference.onnx.wire.TypeProto;
import io.miniinference.repository.BundledModels;
import io.miniinference.runtime.AbandonedRequestException;
import io.miniinference.runtime.EngineOptions;
import io.miniinference.runtime.FailureReport;
import io.miniinference.runtime.InferenceRequest;
import io.miniinference.runtime.InvalidRequestException;
import io.miniinference.runtime.LoadOptions;
import io.miniinference.runtime.LoadRefusedException;
import io.miniinference.runtime.RequestBatch.Outcome;
import io.miniinference.runtime.RequestFailedException;
import io.miniinference.testing.TestModel;
import io.miniinference.testing.device.OnEachDevice;
import io.miniinference.testing.device.TestedDevice;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.nio.LongBuffer;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;

/// What the library promises on each device, with the bundled models.
@OnEachDevice({TestedDevice.JVM, TestedDevice.CPU})
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class LibraryTest {
  private static final Path CACHE = Path.of(System.getProperty("mie.cache", "target/device-cache"));
  private static final long SEED = 5;
  private static final String CNN_IN = "Input3";
  private static final String CNN_OUT = "Plus214_Output_0";
  private static final String WORDS_IN = "characters";
  private static final String WORDS_OUT = "digits";
  private static final int PIXELS = 28 * 28;
  private static final int LETTERS = 20;

  private InferenceEngine shared;
  private InferenceModel cnn;
  private InferenceModel words;
  private InferenceEngine own;

  @Parameter TestedDevice tested;

  @BeforeParameterizedClassInvocation
  void openShared() {
    shared = open();
    cnn = load(shared, "mnist-cnn");
    words = load(shared, "number-words");
  }

  @AfterParameterizedClassInvocation
  void closeShared() {
    shared.close();
  }

  @BeforeEach
  void openOwn() {
    own = open();
  }

  @AfterEach
  void closeOwn() {
    own.close();
  }

  private InferenceEngine open() {
    return InferenceEngine.open(options(64L << 20));
  }

  private EngineOptions options(long poolBytes) {
    return new EngineOptions(poolBytes, tested.device(), null, null, "auto", CACHE);
  }

  private Path file(String name) {
    return BundledModels.unpack(CACHE).find(name).orElseThrow().path();
  }

  private InferenceModel load(InferenceEngine engine, String name) {
    return engine.load(name, file(name), LoadOptions.defaults().withMaxBatch(8));
  }

  private static float[] pixels(int rows, long seed) {
    Random random = new Random(seed);
    float[] pixels = new float[rows * PIXELS];
    for (int i = 0; i < pixels.length; i++) {
      pixels[i] = random.nextFloat();
    }
    return pixels;
  }

  private static Map<String, Tensor> images(float[] pixels) {
    return images(CNN_IN, pixels);
  }

  private static Map<String, Tensor> images(String name, float[] pixels) {
    return Map.of(name, Tensor.of(pixels, pixels.length / PIXELS, 1, 28, 28));
  }

  /// What the form without copies answers.
  private float[] plain(float[] pixels) {
    long[] shape = {pixels.length / PIXELS, 1, 28, 28};
    return cnn.runtime()
        .infer(
            new InferenceRequest(
                List.of(shape),
                (input, staging) -> staging.copyFrom(MemorySegment.ofArray(pixels))),
            outputs -> outputs.getFirst().data().toArray(ValueLayout.JAVA_FLOAT_UNALIGNED));
  }

  private static float[] values(Map<?, ?> tensors, String name) {
    return ((Tensor) Objects.requireNonNull(tensors.get(name))).floats();
  }

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
  void wrongNamesTypesAndShapesAreToldWithTheNames() {
    assertRefused(
        Map.of("image", Tensor.of(pixels(1, SEED), 1, 1, 28, 28)),
        "model 'mnist-cnn' has no input 'image'; it takes 'Input3' (f32[N,1,28,28])");
    assertRefused(
        Map.of(), "input 'Input3' is missing: model 'mnist-cnn' takes 'Input3' (f32[N,1,28,28])");
    assertRefused(
        Map.of(CNN_IN, Tensor.of(new double[PIXELS], 1, 1, 28, 28)),
        "input 'Input3' of model 'mnist-cnn' is f32[N,1,28,28], got f64[1,1,28,28]");
    assertRefused(Map.of(CNN_IN, Tensor.of(new float[PIXELS], 1, 28, 28)), "[1,28,28]");
    assertRefused(images(pixels(9, SEED)), "must be <= 8");
  }

  private void assertRefused(Map<String, Tensor> inputs, String message) {
    assertThatThrownBy(() -> cnn.run(inputs))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining(message);
  }

  @Test
  void closingTheEngineFreesAllAndIsToldToWhoComesLater() {
    InferenceModel model = load(own, "mnist-cnn");

    own.close();
    own.close();

    assertThat(model.isClosed()).isTrue();
    assertThatThrownBy(() -> own.runtime().pool().statistics())
        .hasMessage("the memory pool is closed");
    assertThatThrownBy(() -> model.run(images(pixels(1, SEED))))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(
            "model 'mnist-cnn' is closed, since its engine was closed: open another one and load it"
                + " there");
    assertThatThrownBy(() -> load(own, "mnist-cnn"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("the engine is closed: open another one");
  }

  @Test
  void closingAModelGivesItsMemoryBack() {
    long before = own.runtime().pool().statistics().usedBytes();

    load(own, "mnist-mlp").close();

    assertThat(own.runtime().pool().statistics().usedBytes()).isEqualTo(before);
  }

  @Test
  void closingWhileRequestsRunLetsThemEndOneWayOrTheOther() {
    InferenceModel model = load(own, "mnist-cnn");
    float[] pixels = pixels(8, SEED);
    List<CompletableFuture<Map<String, Tensor>>> futures =
        IntStream.range(0, 50).mapToObj(i -> model.runAsync(images(pixels))).toList();
    futures.getFirst().join();

    own.close();

    float[] expected = plain(pixels);
    for (CompletableFuture<Map<String, Tensor>> future : futures) {
      assertThat(future.handle((answer, e) -> outcome(answer, e, expected)).join()).isTrue();
    }
  }

  /* One request has the instance, the others wait for it. */
  @Test
  @Timeout(60)
  void whatWaitsWhenTheEngineClosesIsToldSoAndWhatRunsIsAnswered() throws Exception {
    InferenceModel model =
        own.load("one", file("mnist-cnn"), LoadOptions.defaults().withInstances(1));
    var writing = new CountDownLatch(1);
    var goOn = new CountDownLatch(1);
    CompletableFuture<Boolean> running =
        CompletableFuture.supplyAsync(
            () -> model.runtime().infer(held(writing, goOn), _ -> true), LibraryTest::start);
    writing.await();
    List<CompletableFuture<Map<String, Tensor>>> waiting =
        IntStream.range(0, 4).mapToObj(i -> model.runAsync(images(pixels(1, i)))).toList();

    CompletableFuture<Void> closing = CompletableFuture.runAsync(own::close, LibraryTest::start);

    for (CompletableFuture<Map<String, Tensor>> future : waiting) {
      assertThatThrownBy(future::get)
          .cause()
          .isInstanceOf(IllegalStateException.class)
          .hasMessageStartingWith("model 'one' is closed, since its engine was closed");
    }
    assertThat(closing).isNotDone();
    goOn.countDown();
    assertThat(running.get()).isTrue();
    closing.get();
  }

  /* The common pool may have a single thread, which is held. */
  private static void start(Runnable work) {
    Thread.ofPlatform().daemon().start(work);
  }

  private static InferenceRequest held(CountDownLatch writing, CountDownLatch goOn) {
    return new InferenceRequest(
        List.of(new long[] {1, 1, 28, 28}),
        (_, _) -> {
          writing.countDown();
          await(goOn);
        });
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /* Of all instances of a model none is free. */
  @Test
  void aThreadThatIsInterruptedWhileItsRequestWaitsIsToldThatNothingRan() throws Exception {
    InferenceModel model =
        own.load("one", file("mnist-cnn"), LoadOptions.defaults().withInstances(1));
    var writing = new CountDownLatch(1);
    var goOn = new CountDownLatch(1);
    CompletableFuture<Boolean> running =
        CompletableFuture.supplyAsync(
            () -> model.runtime().infer(held(writing, goOn), _ -> true), LibraryTest::start);
    writing.await();

    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> model.run(images(pixels(1, SEED))))
        .isInstanceOf(AbandonedRequestException.class);

    assertThat(Thread.interrupted()).isTrue();
    goOn.countDown();
    assertThat(running.get()).isTrue();
  }

  @Test
  void aModelIsLoadedFromItsBytes() throws IOException {
    float[] pixels = pixels(2, SEED);

    InferenceModel model =
        own.load(
            "mine", Files.readAllBytes(file("mnist-cnn")), LoadOptions.defaults().withMaxBatch(4));

    assertThat(model.name()).isEqualTo("mine");
    assertThat(model.maxBatch()).isEqualTo(4);
    assertThat(values(model.run(images(pixels)), CNN_OUT)).isEqualTo(plain(pixels));
    assertThatThrownBy(() -> own.load("letter", new byte[] {1, 2}, LoadOptions.defaults()))
        .isInstanceOf(ModelException.class)
        .hasMessageContaining("in 'letter'");
  }

  @Test
  void aPathInsideAJarIsRefusedWithTheRemedy(@TempDir Path folder) throws IOException {
    Path jar = folder.resolve("application.jar");
    try (FileSystem inside = FileSystems.newFileSystem(jar, Map.of("create", "true"))) {
      Path model = Files.copy(file("mnist-cnn"), inside.getPath("digits.onnx"));

      assertThatThrownBy(() -> own.load(model))
          .isInstanceOf(ModelException.class)
          .hasMessage(
              "1 problem in 'digits':\n- 'digits.onnx' lies in the archive %s: give its bytes to"
                  + " load(name, bytes, options)",
              jar);
    }
  }

  @Test
  void ofARowThatThereIsNotNothingIsSaid() {
    RowAnswers answers = words.runRows(letters(1, 2));

    assertThat(answers.rows()).isEqualTo(2);
    assertThatThrownBy(() -> answers.isWhole(2)).isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> answers.isWhole(-1)).isInstanceOf(IndexOutOfBoundsException.class);
  }

  private static boolean outcome(Map<String, Tensor> answer, Throwable e, float[] expected) {
    return e == null
        ? Arrays.equals(values(answer, CNN_OUT), expected)
        : e.getCause() instanceof IllegalStateException;
  }

  @Test
  void aModelIsNamedAsInARepository() {
    InferenceModel model = own.load(file("mnist-mlp"));

    assertThat(model.name()).isEqualTo("mnist-mlp");
    assertThat(model)
        .hasToString("model 'mnist-mlp' from 'image' (f32[N,1,28,28]) to 'logits' (f32[N,10])");
  }

  @Test
  void aModelMayBeGivenByItsFolder() {
    Path folder = Objects.requireNonNull(file("mnist-mlp").getParent());

    assertThat(own.load(folder).name()).isEqualTo("mnist-mlp");
    assertThat(own.load("other", folder, LoadOptions.defaults()).name()).isEqualTo("other");
  }

  @SuppressWarnings("NullAway") // what a caller in another language, or without checks, gives
  private static <T> T nothing() {
    return null;
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
  void whatIsNotThereIsToldByItsPathAndNothingByTheNameOfTheParameter(@TempDir Path empty) {
    assertThatThrownBy(() -> own.load(empty))
        .isInstanceOf(ModelException.class)
        .hasMessageEndingWith(
            "there is no model in the folder '%s': it has to hold model.onnx or VERSION/model.onnx",
            empty);
    assertThatThrownBy(() -> own.load(empty.resolve("no.onnx")))
        .isInstanceOf(ModelException.class)
        .hasMessage("1 problem in 'no':\n- there is no file '%s'", empty.resolve("no.onnx"));
    assertThatNullPointerException()
        .isThrownBy(() -> own.load(LibraryTest.<Path>nothing()))
        .withMessage("path");
    assertThatNullPointerException()
        .isThrownBy(() -> own.load("x", LibraryTest.<byte[]>nothing(), LoadOptions.defaults()))
        .withMessage("onnx");
    assertThatNullPointerException()
        .isThrownBy(() -> own.load("x", empty, LibraryTest.<LoadOptions>nothing()))
        .withMessage("options");
    assertThatNullPointerException()
        .isThrownBy(() -> own.load(LibraryTest.<List<ModelSource>>nothing()))
        .withMessage("sources");
    assertThatNullPointerException()
        .isThrownBy(() -> InferenceEngine.open(LibraryTest.<EngineOptions>nothing()))
        .withMessage("options");
    assertThatNullPointerException()
        .isThrownBy(() -> cnn.runTogether(LibraryTest.nothing()))
        .withMessage("requests");
    assertThatNullPointerException()
        .isThrownBy(() -> cnn.runAsync(LibraryTest.nothing()))
        .withMessage("inputs");
    assertThatNullPointerException()
        .isThrownBy(() -> cnn.run(LibraryTest.<Tensor>nothing()))
        .withMessage("input");
    assertThatNullPointerException()
        .isThrownBy(() -> cnn.run(LibraryTest.<Map<String, Tensor>>nothing()))
        .withMessage("inputs");
  }

  @Test
  void aFutureWithoutATensorFailsAsARunDoes() {
    Map<String, Tensor> inputs = new HashMap<>();
    inputs.put(CNN_IN, LibraryTest.<Tensor>nothing());

    assertThatThrownBy(cnn.runAsync(inputs)::join)
        .hasCauseInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("input 'Input3' is missing");
  }

  @Test
  void optionsChooseDevicePoolAndInstances() {
    EngineOptions options =
        EngineOptions.defaults(CACHE).withDevice(tested.device()).withPool(8 << 20);
    try (InferenceEngine engine = InferenceEngine.open(options)) {
      assertThat(engine.device()).isEqualTo(own.device());
      assertThat(engine)
          .hasToString("engine on %s (%s)", own.device().name(), own.device().platform());
      InferenceModel model =
          engine.load("one", file("mnist-mlp"), LoadOptions.defaults().withInstances(1));
      assertThat(model.runtime().instances()).isEqualTo(1);
    }
    EngineOptions none = options.withOpenCl("no such platform", null);
    assertThatThrownBy(() -> InferenceEngine.open(none))
        .isInstanceOf(DeviceException.class)
        .hasMessageContaining("no such platform");
  }

  @Test
  void aModelTakesTheLargestBatchThatFits() {
    LoadOptions options = LoadOptions.defaults().withMaxBatch(60_000);

    InferenceModel model = own.load("deep", file("mnist-deep"), options);

    assertThat(model.maxBatch()).isGreaterThan(8).isLessThan(60_000);
    assertThat(model.run(images("image", pixels(8, SEED)))).containsKey("probabilities");
  }

  @Test
  void modelsThatAreLoadedTogetherShareThePool() {
    LoadOptions options = LoadOptions.defaults().withMaxBatch(60_000);
    List<ModelSource> sources =
        Stream.of("mnist-deep", "mnist-mlp")
            .map(name -> new ModelSource(name, file(name), options))
            .toList();

    List<InferenceModel> models = own.load(sources);

    assertThat(models).extracting(InferenceModel::name).containsExactly("mnist-deep", "mnist-mlp");
    assertThat(models).allSatisfy(model -> assertThat(model.maxBatch()).isGreaterThan(8));
  }

  @Test
  void ofModelsThatDoNotFitTogetherNoneStays() {
    try (InferenceEngine small = InferenceEngine.open(options(600L << 10))) {
      List<ModelSource> sources =
          Stream.of("mnist-mlp", "mnist-deep")
              .map(name -> new ModelSource(name, file(name), LoadOptions.defaults()))
              .toList();

      assertThatThrownBy(() -> small.load(sources)).isInstanceOf(LoadRefusedException.class);

      assertThat(small.runtime().pool().statistics().usedBytes()).isZero();
    }
  }

  @Test
  void aModelWithoutOptionsLeavesHalfOfThePoolToOthers() {
    try (InferenceEngine small = InferenceEngine.open(options(4L << 20))) {
      InferenceModel model = small.load(file("mnist-denoise"));

      assertThat(model.maxBatch()).isGreaterThan(1).isLessThan(256);
      assertThat(small.runtime().pool().statistics().freeBytes()).isGreaterThanOrEqualTo(2L << 20);
    }
  }
}
