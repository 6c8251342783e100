package io.miniinference.onnx;

import static io.miniinference.onnx.Wire.graph;
import static io.miniinference.onnx.Wire.model;
import static io.miniinference.onnx.Wire.node;
import static io.miniinference.onnx.Wire.opset;
import static io.miniinference.onnx.Wire.read;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.miniinference.onnx.wire.AttributeProto;
import io.miniinference.onnx.wire.GraphProto;
import io.miniinference.onnx.wire.ModelProto;
import io.miniinference.onnx.wire.NodeProto;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OnnxReaderTest {
  private static final ModelProto RELU = model(graph(node("Relu", "x", "y"))).build();

  @Test
  void readsTheHeaderOfAModel() {
    OnnxModel model = read(RELU.toBuilder().setProducerName("p").setProducerVersion("2").build());

    assertThat(model.irVersion()).isEqualTo(10);
    assertThat(model.opset()).isEqualTo(17);
    assertThat(model.opsets()).containsEntry("my", 1L);
    assertThat(model.producer()).isEqualTo("p 2");
    assertThat(model.graph().getNode(0).getOpType()).isEqualTo("Relu");
    assertThat(model.warnings()).isEmpty();
  }

  @Test
  void readsAFileUnderItsNameAndKeepsItsFolder(@TempDir Path folder) throws IOException {
    Path file = Files.write(folder.resolve("relu.onnx"), RELU.toByteArray());

    OnnxModel model = OnnxReader.read(file, Wire.LIMITS);

    assertThat(model.name()).isEqualTo("relu.onnx");
    assertThat(model.folder()).isEqualTo(folder);
  }

  @Test
  void aFileThatCannotBeReadIsToldWithoutItsPlace() {
    String place = "/secret/net/1/model.onnx";

    assertThat(WireBytes.why(new AccessDeniedException(place)))
        .isEqualTo("the user of this process has no right to; chmod a+rX gives it");
    assertThat(WireBytes.why(new FileSystemException(place, null, "Input/output error")))
        .isEqualTo("Input/output error");
    assertThat(WireBytes.why(new IOException(place))).doesNotContain(place);
  }

  @Test
  void refusesFilesThatAreAbsentAFolderOrEmpty(@TempDir Path folder) throws IOException {
    Path empty = Files.createFile(folder.resolve("empty.onnx"));

    assertThatThrownBy(() -> OnnxReader.read(folder.resolve("no.onnx"), Wire.LIMITS))
        .isInstanceOf(ModelException.class)
        .hasMessageContaining("there is no file");
    assertThatThrownBy(() -> OnnxReader.read(folder, Wire.LIMITS))
        .isInstanceOf(ModelException.class)
        .hasMessageContaining("is not a file");
    assertThatThrownBy(() -> OnnxReader.read(empty, Wire.LIMITS))
        .isInstanceOf(ModelException.class)
        .hasMessage("1 problem in 'empty.onnx':\n- is empty");
  }

  @Test
  void refusesAFileOverTheLimitBeforeReadingIt(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("large.onnx");
    try (var sparse = new java.io.RandomAccessFile(file.toFile(), "rw")) {
      sparse.setLength(1L << 40);
    }

    assertThatThrownBy(() -> OnnxReader.read(file, Wire.LIMITS))
        .isInstanceOf(ModelException.class)
        .hasMessageContaining("has 1099511627776 bytes, the limit is 16777216");
  }

  @Test
  void saysWhatAFileIsInstead() {
    assertRefused("version https://git-lfs.github.com/spec/v1\n", "git lfs pull");
    assertRefused("PK\u0003\u0004 zipped", "zip archive");
    assertRefused("\n<!DOCTYPE html><title>404</title>", "HTML page");
    assertRefused("hello, world", "not an ONNX file");
  }

  @Test
  void saysHowTheFilesOfOtherToolsBecomeOnnx() {
    String archive = "PK\u0003\u0004" + "\0".repeat(26) + "resnet/data.pkl" + "\0".repeat(40);

    assertRefused(
        archive, "PyTorch's, not ONNX: load it there and write it with torch.onnx.export");
    assertRefused("\u0080\u0004\u0095\u0010\0\0", "skl2onnx");
    assertRefused("\u0040\0\0\0\0\0\0\0{\"w\":{\"dtype\":\"F32\"", "safetensors");
    assertRefused("\u001c\0\0\0TFL3\u0014\0", "TensorFlow Lite, not ONNX: convert it with tf2onnx");
    assertRefused("\u0089HDF\r\n\u001a\n", "Keras");
    assertRefused("GGUF\u0003\0\0\0", "llama.cpp");
    assertRefused("\u001f\u008b\b\0", "is compressed: unpack it");
  }

  private static void assertRefused(String text, String reason) {
    var bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.ISO_8859_1));
    assertThatThrownBy(() -> OnnxReader.read("m", bytes, null, Wire.LIMITS))
        .isInstanceOf(ModelException.class)
        .hasMessageContaining(reason);
  }

  @Test
  void reportsAllProblemsOfTheHeaderAtOnce() {
    var bad =
        ModelProto.newBuilder()
            .setIrVersion(2)
            .addOpsetImport(opset("", 17))
            .addOpsetImport(opset("ai.onnx", 18))
            .addOpsetImport(opset("my", 0))
            .build();

    assertThatThrownBy(() -> read(bad))
        .hasMessage(
            """
            4 problems in 'm.onnx' (opset 18):
            - imports domain ai.onnx as version 17 and as version 18; keep one
            - imports version 0 of domain 'my'; versions start at 1
            - is of IR version 2, older than 3: export it again with a current exporter
            - has no graph: the file is truncated, or holds only functions\
            """);
  }

  @Test
  void acceptsANewerFormatWithAWarning() {
    OnnxModel model = read(RELU.toBuilder().setIrVersion(99).build());

    assertThat(model.warnings()).singleElement().asString().contains("99 is newer than 14");
  }

  @Test
  void refusesAModelWithoutOperatorSets() {
    assertThatThrownBy(() -> read(RELU.toBuilder().clearOpsetImport().build()))
        .hasMessageContaining("imports no operator set");
  }

  @Test
  void readsTheFirstOperatorSet() {
    GraphProto graph = graph(node("Not", "x", "y"));

    OnnxModel model = read(model(graph).clearOpsetImport().addOpsetImport(opset("", 1)).build());

    assertThat(model.opset()).isEqualTo(1);
  }

  @Test
  void refusesFunctionsThatAreDeclaredBadly() {
    var twice =
        Wire.function("F", "a a", "b").addAttribute("p").addAttributeProto(Wire.integer("p", 1));

    assertThatThrownBy(() -> read(model(graph(), twice.build(), twice.build()).build()))
        .hasMessageContaining("function 'my.F': is defined twice")
        .hasMessageContaining("input 'a' is empty or declared twice")
        .hasMessageContaining("attribute 'p' is declared twice");
  }

  @Test
  void refusesMessagesNestedWithoutEnd() {
    NodeProto node = node("If", "x", "y");
    for (int i = 0; i < 100; i++) {
      var body = AttributeProto.newBuilder().setG(graph(node));
      node = node.toBuilder().clearAttribute().addAttribute(body).build();
    }
    ModelProto deep = model(graph(node)).build();

    assertThatThrownBy(() -> read(deep)).hasMessageContaining("nests messages more than 100 deep");
  }

  @Test
  void keepsMessagesOnOneLineWhateverANameHolds() {
    var bytes = ByteBuffer.allocate(0);

    assertThatThrownBy(
            () -> OnnxReader.read("a\nb\u001b[31m" + "c".repeat(1000), bytes, null, Wire.LIMITS))
        .hasMessageStartingWith("1 problem in 'a\\u000ab\\u001b[31mccc")
        .hasMessageContaining("…':\n- is empty");
  }
}
