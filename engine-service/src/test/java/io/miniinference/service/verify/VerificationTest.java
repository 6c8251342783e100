package io.miniinference.service.verify;

import static org.assertj.core.api.Assertions.as;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import io.miniinference.ir.ElementType;
import io.miniinference.ir.Tensor;
import io.miniinference.onnx.tensor.OnnxTensor;
import io.miniinference.onnx.tensor.TensorReader;
import io.miniinference.onnx.tensor.TensorWriter;
import io.miniinference.onnx.wire.ModelProto;
import io.miniinference.repository.BundledModels;
import io.miniinference.runtime.Engine;
import io.miniinference.runtime.EngineOptions;
import io.miniinference.runtime.open.Engines;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The test layout, on the JVM device, with a bundled model and data that the engine itself made.
final class VerificationTest {
  private static final long MB = 1 << 20;

  @TempDir Path folder;

  @Test
  void whatAModelComputesPassesAndWhatItDoesNotComputeFails() throws IOException {
    Path data = recorded("right");
    recorded("wrong");
    spoil(folder.resolve("suite/wrong/test_data_set_0/output_0.pb"));
    Files.writeString(
        Files.createDirectories(folder.resolve("suite/text")).resolve("model.onnx"), "hello");

    Verification result = verify(folder.resolve("suite"));

    assertThat(data).exists();
    assertThat(result.summary()).isEqualTo("1 passed, 2 failed");
    assertThat(result.failed()).extracting(Verdict::name).containsExactly("text", "wrong");
    assertThat(result.failed().getLast().problem())
        .startsWith("test_data_set_0: output '")
        .contains("1 of 10 values differ, first at 3: ")
        .endsWith("; off by at most 1.00e+06, where values reach 1.00e+06");
  }

  @Test
  void aDataSetWithoutOutputsFails() throws IOException {
    recorded("bare");
    Files.delete(folder.resolve("suite/bare/test_data_set_0/output_0.pb"));

    assertThat(verify(folder.resolve("suite")).failed())
        .singleElement()
        .extracting(Verdict::problem)
        .isEqualTo("test_data_set_0: has no output_0.pb to compare with");
  }

  @Test
  void aZipFileIsASuiteToo() throws IOException {
    recorded("right");

    assertThat(verify(zipped()).summary()).isEqualTo("1 passed, 0 failed");
  }

  /// As PyTorch's older exporter writes a network that gives a value twice; ONNX Runtime, too, then
  /// answers twice.
  @Test
  void eachFileOfAnOutputThatIsListedTwiceIsCompared() throws IOException {
    Path set = recorded("twice");
    Path model = folder.resolve("suite/twice/model.onnx");
    var once = ModelProto.parseFrom(Files.readAllBytes(model));
    var graph = once.getGraph().toBuilder().addOutput(once.getGraph().getOutput(0));
    Files.write(model, once.toBuilder().setGraph(graph).build().toByteArray());
    Files.copy(set.resolve("output_0.pb"), set.resolve("output_1.pb"));

    assertThat(verify(folder.resolve("suite")).summary()).isEqualTo("1 passed, 0 failed");
    spoil(set.resolve("output_1.pb"));
    assertThat(verify(folder.resolve("suite")).summary()).isEqualTo("0 passed, 1 failed");
  }

  @Test
  void aFileOfADataSetThatIsNoneIsNamed() throws IOException {
    Path set = recorded("junk");
    Files.writeString(set.resolve("input_0.pb"), "junkjunk");

    assertThat(verify(folder.resolve("suite")).failed())
        .singleElement()
        .extracting(Verdict::problem, as(STRING))
        .startsWith("test_data_set_0/input_0.pb: is truncated");
  }

  @Test
  void anEntryThatLeadsOutOfItsArchiveIsNamed() throws IOException {
    Path zip = folder.resolve("suite.zip");
    try (var out = new ZipOutputStream(Files.newOutputStream(zip))) {
      out.putNextEntry(new ZipEntry("../evil/model.onnx"));
    }

    assertThatThrownBy(() -> verify(zip))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("suite.zip' has the entry '../evil/model.onnx', with a folder");
  }

  @Test
  void aFolderMayBeALink() throws IOException {
    recorded("right");
    Path links = Files.createDirectories(folder.resolve("links"));
    Files.createSymbolicLink(links.resolve("there"), folder.resolve("suite/right"));

    assertThat(verify(links).summary()).isEqualTo("1 passed, 0 failed");
  }

  @Test
  void anIndexBesideTheFoldersSetsTolerances() throws IOException {
    recorded("wrong");
    spoil(folder.resolve("suite/wrong/test_data_set_0/output_0.pb"));
    Files.writeString(
        folder.resolve("suite/index.tsv"),
        "name\trtol\tatol\topset\tops\nwrong\t0\t1e9\t8\tConv\n");

    assertThat(verify(folder.resolve("suite")).failed()).isEmpty();
  }

  @Test
  void aPathWithoutModelsIsWrongUse() {
    assertThatThrownBy(() -> Suite.open(List.of(folder)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("holds no model.onnx");
    assertThatThrownBy(() -> Suite.open(List.of(folder.resolve("nothing"))))
        .hasMessageContaining("there is no '");
  }

  /// A folder of the suite with mnist-cnn, two images of zeros, and what the engine makes of them.
  private Path recorded(String name) throws IOException {
    Path model = Files.createDirectories(folder.resolve("suite").resolve(name));
    Path bundled =
        BundledModels.unpack(folder.resolve("cache")).find("mnist-cnn").orElseThrow().path();
    Files.copy(bundled, model.resolve("model.onnx"));
    Path set = Files.createDirectories(model.resolve("test_data_set_0"));
    var zeros =
        new Tensor(
            ElementType.F32, new long[] {1, 1, 28, 28}, MemorySegment.ofArray(new byte[784 * 4]));
    TensorWriter.writeFile(Values.file("Input3", zeros), set.resolve("input_0.pb"));
    var test = new TestModel(name, model, Tolerance.DEFAULT);
    try (Engine engine = engine()) {
      Map<String, Tensor> inputs = DataRun.inputs(test.read(), set);
      String report =
          DataRun.withModel(
              engine,
              test.read(),
              inputs,
              loaded -> DataRun.write(loaded, inputs, ModelRun.of(loaded, inputs), set));
      assertThat(report).isEqualTo("{\"failures\":[],\"rowsOk\":[0]}");
    }
    return set;
  }

  private static void spoil(Path file) throws IOException {
    OnnxTensor right = TensorReader.readFile(file, MB);
    Tensor copy = Values.copy(new Tensor(ElementType.F32, right.dims(), right.data()));
    copy.data().set(java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED, 12, 1e6f);
    TensorWriter.writeFile(Values.file(right.name(), copy), file);
  }

  private Path zipped() throws IOException {
    Path zip = folder.resolve("suite.zip");
    Path root = folder.resolve("suite");
    try (var out = new ZipOutputStream(Files.newOutputStream(zip));
        var tree = Files.walk(root)) {
      for (Path file : tree.filter(Files::isRegularFile).toList()) {
        out.putNextEntry(new ZipEntry(root.relativize(file).toString()));
        Files.copy(file, out);
        out.closeEntry();
      }
    }
    return zip;
  }

  private Verification verify(Path path) {
    try (Suite suite = Suite.open(List.of(path));
        Engine engine = engine()) {
      return Verification.run(engine, suite, verdict -> {});
    }
  }

  private Engine engine() {
    return Engines.open(
        new EngineOptions(32 * MB, "jvm", null, null, "auto", folder.resolve("cache")));
  }
}
