package io.miniinference.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.miniinference.device.DeviceException;
import io.miniinference.ir.Tensor;
import io.miniinference.onnx.ModelException;
import io.miniinference.runtime.EngineOptions;
import io.miniinference.runtime.LoadOptions;
import io.miniinference.runtime.LoadRefusedException;
import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What the library loads, from where, and with which options.
final class LoadsTest extends LibraryFixture {

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
        .isThrownBy(() -> own.load(LibraryFixture.<Path>nothing()))
        .withMessage("path");
    assertThatNullPointerException()
        .isThrownBy(() -> own.load("x", LibraryFixture.<byte[]>nothing(), LoadOptions.defaults()))
        .withMessage("onnx");
    assertThatNullPointerException()
        .isThrownBy(() -> own.load("x", empty, LibraryFixture.<LoadOptions>nothing()))
        .withMessage("options");
    assertThatNullPointerException()
        .isThrownBy(() -> own.load(LibraryFixture.<List<ModelSource>>nothing()))
        .withMessage("sources");
    assertThatNullPointerException()
        .isThrownBy(() -> InferenceEngine.open(LibraryFixture.<EngineOptions>nothing()))
        .withMessage("options");
    assertThatNullPointerException()
        .isThrownBy(() -> cnn.runTogether(LibraryFixture.nothing()))
        .withMessage("requests");
    assertThatNullPointerException()
        .isThrownBy(() -> cnn.runAsync(LibraryFixture.nothing()))
        .withMessage("inputs");
    assertThatNullPointerException()
        .isThrownBy(() -> cnn.run(LibraryFixture.<Tensor>nothing()))
        .withMessage("input");
    assertThatNullPointerException()
        .isThrownBy(() -> cnn.run(LibraryFixture.<Map<String, Tensor>>nothing()))
        .withMessage("inputs");
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
