package io.miniinference.service.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.miniinference.service.doubles.Repositories;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class RepositoryTest {
  @TempDir Path folder;

  @Test
  void theHighestNumberIsTheVersionServed() {
    var repository = new ModelRepository(Repositories.of("a/9", "a/10", "a/draft", "b/1"));

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
    Files.createDirectories(folder.resolve("models/stranger/1"));
    Files.createFile(folder.resolve("models/stranger/1/model.onnx"));

    ModelRepository again = BundledModels.unpack(folder);

    assertThat(model).hasBinaryContent(whole);
    assertThat(again.models())
        .extracting(ModelFile::name)
        .containsExactlyInAnyOrderElementsOf(BundledModels.names())
        .hasSize(5);
  }
}
