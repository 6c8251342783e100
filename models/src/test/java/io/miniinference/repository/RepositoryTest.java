package io.miniinference.repository;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class RepositoryTest {
  @TempDir Path folder;

  @Test
  void theHighestNumberIsTheVersionServed() throws Exception {
    for (String version : List.of("a/9", "a/10", "a/draft", "b/1")) {
      modelAt(version);
    }
    var repository = new ModelRepository(folder);

    assertThat(repository.models()).extracting(ModelFile::version).containsExactly("10", "1");
    assertThat(repository.find("c")).isEmpty();
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

  private void modelAt(String version) throws IOException {
    Files.createFile(Files.createDirectories(folder.resolve(version)).resolve("model.onnx"));
  }
}
