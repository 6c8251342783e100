package io.miniinference.device;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Room on the disk that a compiler writes to.
final class NoDiskExceptionTest {
  @TempDir private Path folder;

  @Test
  void aBuildIsRefusedWithTheRoomThatIsLeft() {
    assertThatThrownBy(() -> NoDiskException.check(folder, Long.MAX_VALUE))
        .isInstanceOf(NoDiskException.class)
        .hasMessageMatching(
            "the disk of the kernels' cache has room for [\\d,]+ bytes, and a build takes up to"
                + " 9,223,372,036,854,775,807: make room there")
        .hasMessageNotContaining(folder.toString());
  }

  @Test
  void aBuildWithRoomGoesOn() {
    assertThatCode(() -> NoDiskException.check(folder, 1)).doesNotThrowAnyException();
  }

  @Test
  void theRoomOfAFolderThatACompilerHasYetToMakeIsItsParents() {
    Path missing = folder.resolve("missing").resolve("kernels");

    assertThatCode(() -> NoDiskException.check(missing, 1)).doesNotThrowAnyException();
    assertThatThrownBy(() -> NoDiskException.check(missing, Long.MAX_VALUE))
        .isInstanceOf(NoDiskException.class);
  }
}
