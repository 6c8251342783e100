package io.miniinference.repository;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class RepositoryTest {
  private static final String NO_MODEL = "it holds neither VERSION/model.onnx nor model.onnx";

  @TempDir Path folder;

  @Test
  void theHighestNumberIsTheNewestOfTheVersions() throws Exception {
    for (String version : List.of("a/9", "a/10", "a/draft", "b/1")) {
      modelAt(version);
    }
    var repository = new ModelRepository(folder);

    assertThat(repository.models()).extracting(ModelFile::version).containsExactly("10", "1");
    assertThat(repository.stored("a").orElseThrow().versions())
        .extracting(ModelFile::version)
        .containsExactly("9", "10");
    assertThat(repository.find("c")).isEmpty();
  }

  @Test
  void aModelMayLieInItsFolderOrBeAFileOfItsName() throws Exception {
    modelAt("plain");
    modelAt("both/3");
    modelAt("both");
    Files.createFile(folder.resolve("alone.onnx"));
    Files.createFile(folder.resolve("plain.onnx"));

    var repository = new ModelRepository(folder);

    assertThat(repository.models())
        .containsExactly(
            new ModelFile("alone", "1", folder.resolve("alone.onnx")),
            new ModelFile("both", "3", folder.resolve("both/3/model.onnx")),
            new ModelFile("plain", "1", folder.resolve("plain/model.onnx")));
    assertThat(repository.stored("both").orElseThrow().versions())
        .extracting(ModelFile::version)
        .containsExactly("1", "3");
    assertThat(repository.skipped()).containsOnlyKeys(folder.resolve("plain.onnx"));
  }

  /* As in a volume that Kubernetes makes of a ConfigMap, where a model is a link into `..data`. */
  @Test
  void namesThatBeginWithADotAreNoModels() throws Exception {
    modelAt("..2026_11_29/1");
    modelAt(".ipynb_checkpoints/1");
    Files.createSymbolicLink(folder.resolve("..data"), Path.of("..2026_11_29"));
    Files.createSymbolicLink(folder.resolve("net"), Path.of("..data"));
    Files.createFile(folder.resolve("._net.onnx"));

    var repository = new ModelRepository(folder);

    assertThat(repository.models())
        .containsExactly(new ModelFile("net", "1", folder.resolve("net/1/model.onnx")));
    assertThat(repository.find("..data")).isEmpty();
    assertThat(repository.skipped()).isEmpty();
  }

  @Test
  void oneFileIsARepositoryAndSoIsTheFolderOfOne() throws Exception {
    modelAt("net");
    Path file = Files.createFile(folder.resolve("digits.v2.onnx"));

    assertThat(new ModelRepository(file).models())
        .containsExactly(new ModelFile("digits.v2", "1", file));
    assertThat(new ModelRepository(folder.resolve("net")).models())
        .containsExactly(new ModelFile("net", "1", folder.resolve("net/model.onnx")));
  }

  @Test
  void aModelByItselfIsItsFileOrTheNewestOfItsFolder() throws Exception {
    modelAt("net");
    modelAt("bert/3");
    modelAt("bert/12");
    Path file = Files.createFile(folder.resolve("digits.v2.onnx"));
    Path version = folder.resolve("bert/12/model.onnx");

    assertThat(ModelFile.of(file)).isEqualTo(new ModelFile("digits.v2", "1", file));
    assertThat(ModelFile.of(folder.resolve("net")))
        .isEqualTo(new ModelFile("net", "1", folder.resolve("net/model.onnx")));
    assertThat(ModelFile.of(folder.resolve("bert")))
        .isEqualTo(new ModelFile("bert", "12", version));
    assertThat(ModelFile.of(folder.resolve("bert/12")).name()).isEqualTo("bert");
    assertThat(ModelFile.of(version).name()).isEqualTo("bert");
    Path none = folder.resolve("none.bin");
    assertThat(ModelFile.of(none)).isEqualTo(new ModelFile("none.bin", "1", none));
  }

  @Test
  void oneFileThatIsCalledAsAllAreHasTheNameOfItsModelsFolder() throws Exception {
    modelAt("net");
    modelAt("bert/12");

    Path plain = folder.resolve("net/model.onnx");
    assertThat(new ModelRepository(plain).models())
        .containsExactly(new ModelFile("net", "1", plain));
    Path version = folder.resolve("bert/12/model.onnx");
    assertThat(new ModelRepository(version).models())
        .containsExactly(new ModelFile("bert", "1", version));
  }

  @Test
  void settingsLieInTheModelsFolderOrBesideItsFile() throws Exception {
    modelAt("net/2");
    Files.createFile(folder.resolve("alone.onnx"));
    var repository = new ModelRepository(folder);

    assertThat(repository.stored("net").orElseThrow().beside("model.yaml"))
        .isEqualTo(folder.resolve("net/model.yaml"));
    assertThat(repository.stored("alone").orElseThrow().beside("model.yaml"))
        .isEqualTo(folder.resolve("alone.yaml"));
  }

  /* As where a volume is one model, whose folder is called as all volumes are. */
  @ParameterizedTest
  @ValueSource(strings = {"mnt/model.onnx", "mnt/net.onnx", "mnt/7/model.onnx"})
  void whatIsOneModelMayBeGivenAName(String file) throws Exception {
    Path model = folder.resolve(file);
    Files.createDirectories(Files.createDirectories(model.getParent()).resolve("notes"));
    Files.createFile(model);

    for (Path one : List.of(folder.resolve("mnt"), model)) {
      ModelRepository repository = new ModelRepository(one).named("digits");
      assertThat(repository.isOneModel()).isTrue();
      StoredModel stored = repository.stored("digits").orElseThrow();
      assertThat(repository.stored()).containsExactly(stored);
      assertThat(stored.newest().path()).isEqualTo(model);
      assertThat(stored.newest().name()).isEqualTo("digits");
      Path settings = stored.beside("model.yaml");
      assertThat(settings.getFileName())
          .hasToString(Files.isDirectory(one) || !file.contains("net") ? "model.yaml" : "net.yaml");
      assertThat(repository.leftOut()).isEmpty();
    }
  }

  /* Variants beside the model are for others to choose. */
  @Test
  void aRepositoryOfTheHubIsAModel() throws Exception {
    modelAt("minilm/onnx");
    Files.createFile(folder.resolve("minilm/onnx/model_O2.onnx"));
    Files.createFile(folder.resolve("minilm/config.json"));
    modelAt("small/onnx");
    Path model = folder.resolve("minilm/onnx/model.onnx");

    assertThat(new ModelRepository(folder).models())
        .containsExactly(
            new ModelFile("minilm", "1", model),
            new ModelFile("small", "1", folder.resolve("small/onnx/model.onnx")));
    assertThat(new ModelRepository(folder).leftOut()).isEmpty();
    var alone = new ModelRepository(folder.resolve("minilm"));
    assertThat(alone.models()).containsExactly(new ModelFile("minilm", "1", model));
    assertThat(alone.named("texts").models()).containsExactly(new ModelFile("texts", "1", model));
    assertThat(new ModelRepository(folder.resolve("small")).named("texts").isOneModel()).isTrue();
    assertThat(ModelFile.of(folder.resolve("minilm")).path()).isEqualTo(model);
  }

  /* As before. */
  @Test
  void aModelMayBeCalledOnnx() throws Exception {
    modelAt("onnx");
    modelAt("other");

    assertThat(new ModelRepository(folder).models())
        .extracting(ModelFile::name)
        .containsExactly("onnx", "other");
  }

  @ParameterizedTest
  @ValueSource(strings = {"one/1", "7,one", "one,two"})
  void modelsInFoldersOfTheirOwnKeepTheirNames(String folders) throws Exception {
    for (String each : folders.split(",")) {
      modelAt(each);
    }
    Files.createFile(folder.resolve("alone.onnx"));
    var repository = new ModelRepository(folder);

    assertThat(repository.named("digits").isOneModel()).isFalse();
    assertThat(repository.named("digits").models()).isEqualTo(repository.models());
  }

  @Test
  void whatIsLeftOutIsNamedWithItsReason() throws Exception {
    modelAt("a/1");
    modelAt("a/01");
    modelAt("a");
    modelAt("draft/v1");
    Files.createDirectories(folder.resolve("empty"));
    fileAt("other", "net.onnx");
    fileAt("other", "teacher.onnx");
    fileAt("deep/1", "encoder.onnx");
    fileAt("deep/1", "decoder.onnx");
    fileAt("Caps", "Model.ONNX");
    fileAt("python/1", "model.py");
    fileAt("notes", "README.md");
    Files.createDirectories(folder.resolve(".git"));
    Files.createDirectories(folder.resolve("lost+found"));
    Files.createFile(folder.resolve("loud.ONNX"));

    assertThat(new ModelRepository(folder).skipped())
        .isEqualTo(
            Map.of(
                folder.resolve("Caps"),
                "'Model.ONNX' has to be named model.onnx",
                folder.resolve("python"),
                "'model.py' is not an ONNX model",
                folder.resolve("notes"),
                NO_MODEL,
                folder.resolve("a/1/model.onnx"),
                "version 1 is " + folder.resolve("a/01/model.onnx"),
                folder.resolve("a/model.onnx"),
                "version 1 is " + folder.resolve("a/01/model.onnx"),
                folder.resolve("draft"),
                "'v1' is no version number",
                folder.resolve("other"),
                "'net.onnx' has to be named model.onnx",
                folder.resolve("deep"),
                "'decoder.onnx' has to be named model.onnx",
                folder.resolve("loud.ONNX"),
                "its name has to end in .onnx",
                folder.resolve("empty"),
                NO_MODEL));
  }

  @Test
  void aSingleFileOfAnotherNameIsTheModel() throws Exception {
    fileAt("triton/2", "resnet.onnx");
    fileAt("export", "bert_quantized.onnx");
    modelAt("net/1");
    fileAt("net", "before-it-was-optimised.onnx");
    fileAt("net/2", "model.onnx.part");

    var repository = new ModelRepository(folder);

    assertThat(repository.models())
        .containsExactly(
            new ModelFile("export", "1", folder.resolve("export/bert_quantized.onnx")),
            new ModelFile("net", "1", folder.resolve("net/1/model.onnx")),
            new ModelFile("triton", "2", folder.resolve("triton/2/resnet.onnx")));
    assertThat(repository.skipped()).containsOnlyKeys(folder.resolve("net/2"));
  }

  @Test
  void aModelIsFoundWithoutALookAtOthers() throws Exception {
    modelAt("net/1");
    modelAt("other/1");
    Files.createFile(folder.resolve("alone.onnx"));
    List<Path> lookedAt = new ArrayList<>();

    var repository =
        new ModelRepository(
            folder,
            model -> {
              lookedAt.add(model);
              return FolderRules.none();
            });

    assertThat(repository.stored("net")).isPresent();
    assertThat(repository.stored("alone")).isPresent();
    assertThat(repository.stored("nothing")).isEmpty();
    assertThat(lookedAt).containsExactly(folder.resolve("net"));
  }

  @Test
  void whatIsLeftOutIsFoundByTheNameOfItsModel() throws Exception {
    modelAt("net/1");
    Files.createDirectories(folder.resolve("net/2"));
    Files.createFile(folder.resolve("loud.ONNX"));
    fileAt("python/1", "model.py");
    var repository = new ModelRepository(folder);

    assertThat(repository.contents("net").leftOut())
        .extracting(LeftOut::version)
        .containsExactly("2");
    assertThat(repository.contents("loud").skipped())
        .containsExactly(Map.entry(folder.resolve("loud.ONNX"), "its name has to end in .onnx"));
    assertThat(repository.contents("python").isEmpty()).isFalse();
    assertThat(repository.contents("nothing").isEmpty()).isTrue();
  }

  @Test
  void whatIsLeftOutNamesTheModelThatItWouldBe() throws Exception {
    modelAt("net/1");
    Files.createDirectories(folder.resolve("net/02"));
    fileAt("python/1", "model.py");
    Files.createFile(folder.resolve("net.onnx"));

    assertThat(new ModelRepository(folder).leftOut())
        .extracting(LeftOut::model, LeftOut::version)
        .containsExactly(tuple("net", "2"), tuple("python", ""), tuple("net", ""));
  }

  @Test
  void aNameThatIsSetIsTheNameOfTheFileInEachVersion() throws Exception {
    fileAt("net/1", "net.bin");
    fileAt("net/1", "other.onnx");
    fileAt("net/2", "model.onnx");
    fileAt("plain", "net.bin");
    fileAt("usual/1", "model.onnx");

    var repository =
        new ModelRepository(
            folder,
            model -> model.endsWith("usual") ? FolderRules.none() : FolderRules.named("net.bin"));

    assertThat(repository.models())
        .containsExactly(
            new ModelFile("net", "1", folder.resolve("net/1/net.bin")),
            new ModelFile("plain", "1", folder.resolve("plain/net.bin")),
            new ModelFile("usual", "1", folder.resolve("usual/1/model.onnx")));
    assertThat(repository.leftOut())
        .containsExactly(
            new LeftOut(
                folder.resolve("net/2"), "net", "2", "'model.onnx' has to be named net.bin"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"../secret.onnx", "/etc/passwd", "..", ".", "a\\b", "a/../b.onnx", "a\0"})
  void aNameThatLeadsOutOfItsFolderIsRefused(String name) throws Exception {
    modelAt("net/1");
    modelAt("net/secret.onnx");
    Files.createFile(folder.resolve("secret.onnx"));
    modelAt("usual/1");

    var repository =
        new ModelRepository(
            folder, model -> model.endsWith("net") ? FolderRules.named(name) : FolderRules.none());

    assertThat(repository.stored("net")).isEmpty();
    assertThat(repository.stored("usual")).isPresent();
    assertThat(repository.skipped().get(folder.resolve("net")))
        .isEqualTo(
            "the default_model_filename '%s' is not the name of a file"
                .formatted(name.replace("\0", "\\u0000")));
  }

  @Test
  void aModelOfSeveralFilesIsAFolderOfItsName() throws Exception {
    fileAt("net/1/model.onnx", "model.onnx");
    fileAt("net/1/model.onnx", "weights.data");
    fileAt("set/3/net", "model.onnx");

    var repository =
        new ModelRepository(
            folder, model -> model.endsWith("set") ? FolderRules.named("net") : FolderRules.none());

    assertThat(repository.models())
        .containsExactly(
            new ModelFile("net", "1", folder.resolve("net/1/model.onnx/model.onnx")),
            new ModelFile("set", "3", folder.resolve("set/3/net/model.onnx")));
    assertThat(repository.leftOut()).isEmpty();
  }

  /// Such as `lost+found` of a volume, which belongs to root, or a version that was copied with the
  /// rights of its owner alone.
  @Test
  void aFolderThatCannotBeReadCostsNoOtherModel() throws Exception {
    modelAt("net/1");
    modelAt("closed/1");
    modelAt("half/1");
    Files.createDirectories(folder.resolve("lost+found"));
    for (String closed : List.of("lost+found", "closed", "half/1")) {
      Files.setPosixFilePermissions(folder.resolve(closed), Set.of());
    }
    try {
      assertThat(ProcessWithoutRights.lists(folder))
          .containsExactlyInAnyOrder(
              "net",
              "closed: this process may not read it",
              "half: this process may not read its folder '1'");
    } finally {
      for (String closed : List.of("lost+found", "closed", "half/1")) {
        Files.setPosixFilePermissions(
            folder.resolve(closed), PosixFilePermissions.fromString("rwx------"));
      }
    }
  }

  @Test
  void aFolderThatIsNotThereIsToldByName() {
    assertThatThrownBy(() -> new ModelRepository(folder.resolve("nowhere")))
        .isInstanceOf(RepositoryException.class)
        .hasMessageContaining("nowhere");
  }

  @Test
  void theBundledModelsAreUnpackedOnceAndRepaired() throws Exception {
    Path model = BundledModels.unpack(folder).find("mnist-cnn").orElseThrow().path();
    byte[] whole = Files.readAllBytes(model);
    Files.writeString(model, "cut short");
    modelAt("models/stranger/1");

    ModelRepository again = BundledModels.unpack(folder);

    assertThat(model).hasBinaryContent(whole);
    assertThat(again.models())
        .extracting(ModelFile::name)
        .containsExactlyInAnyOrderElementsOf(BundledModels.names())
        .hasSize(5);
  }

  private void fileAt(String version, String name) throws IOException {
    Files.createFile(Files.createDirectories(folder.resolve(version)).resolve(name));
  }

  private void modelAt(String version) throws IOException {
    Files.createFile(Files.createDirectories(folder.resolve(version)).resolve("model.onnx"));
  }

  @Test
  void linksToNothingAreLeftOutForWhatTheyAre(@TempDir Path folder) throws IOException {
    Path nowhere = folder.resolve("gone/model.onnx");
    Files.createSymbolicLink(folder.resolve("dangling.onnx"), nowhere);
    Files.createDirectory(folder.resolve("net"));
    Files.createSymbolicLink(folder.resolve("net/model.onnx"), nowhere);

    var repository = new ModelRepository(folder);

    assertThat(repository.skipped())
        .containsEntry(
            folder.resolve("dangling.onnx"), "it is a link to " + nowhere + ", which is not there")
        .containsEntry(
            folder.resolve("net"), "'model.onnx' is a link to " + nowhere + ", which is not there");
    assertThat(repository.contents("dangling").leftOut()).hasSize(1);
  }

  @Test
  void aFolderThatMayNotBeReadIsTold() {
    assertThat(new RepositoryException("no", new AccessDeniedException("x")).isForWantOfRights())
        .isTrue();
    assertThat(new RepositoryException("no", new IOException("x")).isForWantOfRights()).isFalse();
  }
}
