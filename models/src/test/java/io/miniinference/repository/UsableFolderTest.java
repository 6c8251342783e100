package io.miniinference.repository;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A cache that can be written, or another folder in its place.
final class UsableFolderTest {
  @TempDir Path folder;

  @Test
  void aFolderWithRoomIsTaken() {
    Path wanted = folder.resolve("cache/models");

    assertThat(UsableFolder.of(wanted, 1)).isEqualTo(wanted).isDirectory();
  }

  @Test
  void oneThatCannotBeMadeHasOneInItsPlaceHoweverOftenItIsAskedFor() throws IOException {
    Path wanted = Files.writeString(folder.resolve("file"), "no folder").resolve("models");

    Path first = UsableFolder.of(wanted, 1);

    assertThat(first).isDirectory().isNotEqualTo(wanted);
    assertThat(UsableFolder.of(wanted, 1)).isEqualTo(first);
    UsableFolder.delete(first);
    assertThat(UsableFolder.of(wanted, 1)).isDirectory().isNotEqualTo(first);
  }

  @Test
  void oneWithoutRoomHasAnotherInItsPlace() {
    Path wanted = folder.resolve("full");

    assertThat(UsableFolder.of(wanted, Long.MAX_VALUE)).isDirectory().isNotEqualTo(wanted);
  }
}
