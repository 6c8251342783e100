package io.miniinference.onnx;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.onnx.inline.FunctionInliner;
import io.miniinference.onnx.tensor.TensorReader;
import io.miniinference.onnx.tensor.ValueFile;
import io.miniinference.onnx.wire.GraphProto;
import io.miniinference.onnx.wire.TypeProto;
import io.miniinference.onnx.wire.ValueInfoProto;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Real files: the trained models, and the operator tests of the ONNX standard.
@Tag("data")
class StandardModelsTest {
  private static final Path DATA = Path.of(System.getProperty("mie.data", "../../shared/data"));
  private static final Pattern VALUE = Pattern.compile("(.*?)/[^/]+/(input|output)_(\\d+)\\.pb");

  private final ReadLimits limits = ReadLimits.defaults();
  private final List<String> failures = new ArrayList<>();
  private int values;

  @Test
  void theTrainedModelsAreRead() throws IOException {
    List<Path> files;
    try (var tree = Files.walk(DATA.resolve("models"))) {
      files = tree.filter(file -> file.endsWith("model.onnx")).toList();
    }

    assertThat(files).hasSize(5).allSatisfy(file -> readConstants(OnnxReader.read(file, limits)));
  }

  @ParameterizedTest
  @CsvSource({
    "onnx-node.zip, 1310, 4545",
    "thesis.zip, 56, 1",
    "failures.zip, 27, 1",
    "topology.zip, 14, 1"
  })
  void everyModelAndValueOfASuiteIsRead(String suite, int models, int leastValues)
      throws IOException {
    Map<String, OnnxModel> read = new HashMap<>();
    try (var zip = new ZipFile(DATA.resolve(suite).toFile())) {
      for (ZipEntry entry : entries(zip, "model.onnx")) {
        attempt(entry.getName(), () -> read.put(folder(entry), readModel(zip, entry)));
      }
      for (ZipEntry entry : entries(zip, ".pb")) {
        attempt(entry.getName(), () -> readValue(zip, entry, read));
      }
    }

    assertThat(failures).isEmpty();
    assertThat(read).hasSize(models);
    assertThat(values).isGreaterThanOrEqualTo(leastValues);
  }

  private interface Attempt {
    void run() throws IOException;
  }

  private void attempt(String what, Attempt attempt) throws IOException {
    try {
      attempt.run();
    } catch (RuntimeException e) {
      failures.add(what + ": " + e);
    }
  }

  private static List<ZipEntry> entries(ZipFile zip, String ending) {
    List<ZipEntry> found = new ArrayList<>();
    Enumeration<? extends ZipEntry> all = zip.entries();
    while (all.hasMoreElements()) {
      ZipEntry entry = all.nextElement();
      if (entry.getName().endsWith(ending)) {
        found.add(entry);
      }
    }
    return found;
  }

  private static String folder(ZipEntry entry) {
    return entry.getName().substring(0, entry.getName().lastIndexOf('/'));
  }

  private static ByteBuffer bytes(ZipFile zip, ZipEntry entry) throws IOException {
    try (var in = zip.getInputStream(entry)) {
      return ByteBuffer.wrap(in.readAllBytes());
    }
  }

  private OnnxModel readModel(ZipFile zip, ZipEntry entry) throws IOException {
    OnnxModel model = OnnxReader.read(entry.getName(), bytes(zip, entry), null, limits);
    readConstants(model);
    return model;
  }

  private void readConstants(OnnxModel model) {
    TensorReader reader = TensorReader.of(model, limits);
    OnnxGraph graph = FunctionInliner.inline(model, limits);
    assertThat(graph.nodes()).allSatisfy(node -> assertThat(node.opset()).isPositive());
    graph.initializers().forEach(reader::read);
    for (OnnxNode node : graph.nodes()) {
      node.attributes().values().stream()
          .filter(attribute -> attribute.hasT())
          .forEach(attribute -> reader.read(attribute.getT()));
    }
  }

  private void readValue(ZipFile zip, ZipEntry entry, Map<String, OnnxModel> models)
      throws IOException {
    Matcher name = VALUE.matcher(entry.getName());
    assertThat(name.matches()).as(entry.getName()).isTrue();
    GraphProto graph = requireNonNull(models.get(name.group(1))).graph();
    List<ValueInfoProto> declared =
        name.group(2).equals("input") ? graph.getInputList() : graph.getOutputList();
    TypeProto type = declared.get(Integer.parseInt(name.group(3))).getType();
    ValueFile.read(entry.getName(), bytes(zip, entry), type, limits.tensorBytes());
    values++;
  }
}
