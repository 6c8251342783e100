package io.miniinference.onnx.tensor;

import static io.miniinference.onnx.Wire.external;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.miniinference.onnx.ModelException;
import io.miniinference.onnx.wire.TensorProto;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExternalDataTest {
  @TempDir Path temp;
  private Path folder;

  @BeforeEach
  void writeFiles() throws IOException {
    folder = Files.createDirectory(temp.resolve("model"));
    Files.write(folder.resolve("w.bin"), new byte[] {0, 1, 2, 3, 4, 5, 6, 7});
    Files.write(temp.resolve("secret"), new byte[] {42, 42});
  }

  private byte[] read(TensorProto proto) {
    var reader = new TensorReader("m.onnx", folder, 100);
    return reader.read(proto).data().toArray(ValueLayout.JAVA_BYTE);
  }

  private void assertRefused(TensorProto proto, String reason) {
    assertThatThrownBy(() -> read(proto))
        .isInstanceOf(ModelException.class)
        .hasMessageContaining("tensor 'w'")
        .hasMessageContaining(reason);
  }

  @Test
  void bytesAreReadAtTheirOffset() {
    assertThat(read(external(3, "location", "w.bin", "offset", "2", "length", "3")))
        .containsExactly(2, 3, 4);
    assertThat(read(external(8, "location", "w.bin"))).hasSize(8);
    assertThat(read(external(2, "location", "./w.bin"))).containsExactly(0, 1);
  }

  @Test
  void filesInFoldersBelowAndLinksInsideAreAllowed() throws IOException {
    Path below = Files.createDirectory(folder.resolve("data"));
    Files.createSymbolicLink(below.resolve("link.bin"), folder.resolve("w.bin"));

    assertThat(read(external(2, "location", "data/link.bin"))).containsExactly(0, 1);
  }

  @Test
  void aModelMayItselfLieBehindALink() throws IOException {
    Path link = Files.createSymbolicLink(temp.resolve("current"), folder);
    var reader = new TensorReader("m.onnx", link, 100);

    assertThat(reader.read(external(8, "location", "w.bin")).elements()).isEqualTo(8);
  }

  @Test
  void pathsOutOfTheFolderAreRefused() throws IOException {
    Files.createSymbolicLink(folder.resolve("link"), temp.resolve("secret"));
    Files.createSymbolicLink(folder.resolve("up"), temp);

    String inside = "only paths inside the model's folder";
    assertRefused(external(2, "location", "../secret"), inside);
    assertRefused(external(2, "location", "x/../../secret"), inside);
    assertRefused(external(2, "location", temp.resolve("secret").toString()), inside);
    assertRefused(external(2, "location", ""), inside);
    assertRefused(external(2), inside);
    assertRefused(external(2, "location", "link"), "links out of the model's folder");
    assertRefused(external(2, "location", "up/secret"), "links out of the model's folder");
  }

  @Test
  void whatIsNoFileIsRefused() throws IOException {
    Files.createDirectory(folder.resolve("data"));

    assertRefused(external(2, "location", "data"), "is not a file");
    assertRefused(
        external(2, "location", "none.bin"), "which is not there; keep it beside the model's file");
    assertRefused(external(2, "location", "a\u0000b"), "cannot be read");
  }

  @Test
  void extentsPastTheFileAreRefused() {
    assertRefused(external(9, "location", "w.bin"), "which has only 8");
    assertRefused(external(2, "location", "w.bin", "offset", "7"), "at bytes 7 to 9");
    String last = Long.toString(Long.MAX_VALUE);
    assertRefused(external(2, "location", "w.bin", "offset", last), "which has only 8");
    assertRefused(external(2, "location", "w.bin", "offset", "-1"), "which is no size");
    assertRefused(external(2, "location", "w.bin", "offset", "two"), "which is no size");
    assertRefused(external(2, "location", "w.bin", "length", "3"), "need 2");
    assertRefused(external(2, "location", "w.bin", "location", "v.bin"), "'location' of its");
  }

  @Test
  void dataAreInOnePlaceOnly() {
    TensorProto both = external(2, "location", "w.bin").toBuilder().addInt32Data(1).build();

    assertRefused(both, "both external data and data of its own");
  }

  @Test
  void aModelInMemoryHasNoExternalData() {
    var reader = new TensorReader("m.onnx", null, 100);

    assertThatThrownBy(() -> reader.read(external(2, "location", "w.bin")))
        .hasMessageContaining("the model was not read from a folder");
  }
}
