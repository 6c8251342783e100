package io.miniinference.codegen;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.lower.Precision;
import io.miniinference.onnx.ModelException;
import io.miniinference.onnx.OnnxModel;
import io.miniinference.onnx.OnnxReader;
import io.miniinference.onnx.ReadLimits;
import io.miniinference.runtime.LoadOptions;
import io.miniinference.runtime.compile.ModelListing;
import io.miniinference.runtime.compile.ModelListing.Writer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What one device takes, all take: each operator test of the ONNX standard that is planned for the
/// JVM device is planned, and its kernels written, for every other. Nothing is built here, so that
/// kernels of GPUs need none.
@Tag("data")
final class EveryWriterTest {
  private static final long POOL_BYTES = 256L << 20;

  private static Map<String, OnnxModel> models = Map.of();
  private static Set<String> onTheJvm = Set.of();

  @BeforeAll
  static void readAll() throws IOException {
    Map<String, OnnxModel> read = new LinkedHashMap<>();
    Path suite = Path.of(System.getProperty("mie.data")).resolve("onnx-node.zip");
    try (var zip = new ZipFile(suite.toFile())) {
      for (ZipEntry entry : zip.stream().toList()) {
        if (entry.getName().endsWith("/model.onnx")) {
          String name = entry.getName().substring(0, entry.getName().indexOf('/'));
          ByteBuffer bytes = ByteBuffer.wrap(zip.getInputStream(entry).readAllBytes());
          read.put(name, OnnxReader.read(name, bytes, null, ReadLimits.defaults()));
        }
      }
    }
    models = read;
    onTheJvm = written(Writer.JVM, Precision.F32);
    assertThat(onTheJvm).hasSizeGreaterThan(1000);
  }

  @ParameterizedTest
  @CsvSource({"CPU, F32", "GPU, F32", "GPU, F16"})
  void everyOperatorIsWritten(Writer writer, Precision precision) {
    assertThat(written(writer, precision)).containsAll(onTheJvm);
  }

  private static Set<String> written(Writer writer, Precision precision) {
    Set<String> names = new TreeSet<>();
    List<String> defects = new ArrayList<>();
    models.forEach((name, model) -> {
      try {
        ModelListing.of(model, LoadOptions.defaults(), writer, precision, POOL_BYTES);
        names.add(name);
      } catch (ModelException e) {
        // refused by name, for want of values or sizes that a data set would give
      } catch (RuntimeException e) {
        defects.add(name + ": " + e);
      }
    });
    assertThat(defects).as("%s in %s", writer, precision).isEmpty();
    return names;
  }
}
