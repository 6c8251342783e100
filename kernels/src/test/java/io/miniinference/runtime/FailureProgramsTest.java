package io.miniinference.runtime;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.device.TestCache;
import io.miniinference.onnx.ModelException;
import io.miniinference.onnx.OnnxModel;
import io.miniinference.onnx.OnnxReader;
import io.miniinference.onnx.ReadLimits;
import io.miniinference.onnx.tensor.OnnxTensor;
import io.miniinference.onnx.tensor.ValueFile;
import io.miniinference.onnx.wire.TypeProto;
import io.miniinference.runtime.open.Engines;
import io.miniinference.testing.device.OnEachDevice;
import io.miniinference.testing.device.TestedDevice;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;

/// The failure programs of the test data, as far as the operators that can fail go: who failed,
/// where, and with which value. `./mie verify` also compares what did not fail.
@OnEachDevice(optimised = false)
@Tag("data")
final class FailureProgramsTest {
  @Parameter TestedDevice tested;

  /// Cases that must be right; operators to come raise it.
  private static final int FLOOR = 129;

  private static final TypeProto TENSOR =
      TypeProto.newBuilder().setTensorType(TypeProto.Tensor.getDefaultInstance()).build();

  private static final Pattern REPORT =
      Pattern.compile(
          "\"node\": \"([^\"]*)\",\\s*\"op\": \"([^\"]*)\",\\s*\"axis\": (\\S+),\\s*"
              + "\"index\": (\\S+),\\s*\"bound\": (?:null|\\[[^]]*]),\\s*"
              + "\"linear\": (\\S+),\\s*\"row\": (\\S+),"
              + "\\s*\"kind\": \"\\w+\",\\s*\"iteration\": (\\S+)");

  @Test
  void failuresNameNodeValueAndRow() throws IOException {
    Path file = Path.of(System.getProperty("mie.data", "../shared/data"), "failures.zip");
    List<String> wrong = new ArrayList<>();
    List<String> missing = new ArrayList<>();
    int right = 0;
    try (ZipFile zip = new ZipFile(file.toFile());
        Engine engine =
            Engines.open(
                new EngineOptions(
                    SharedEngine.POOL_BYTES,
                    tested.device(),
                    null,
                    null,
                    tested.codegen(),
                    TestCache.FOLDER))) {
      for (String program : programs(zip)) {
        try (Model model = load(engine, zip, program)) {
          for (int k = 0; zip.getEntry(program + "/case_" + k + "/expected.json") != null; k++) {
            String difference = difference(zip, model, program + "/case_" + k + "/");
            if (difference.isEmpty()) {
              right++;
            } else {
              wrong.add(program + "/" + k + ": " + difference);
            }
          }
        } catch (ModelException | InvalidRequestException | IllegalArgumentException e) {
          missing.add(program + ": " + e.getMessage());
        }
      }
    }
    System.out.printf(
        "%d failure cases right; %d programs or cases not yet:%n", right, missing.size());
    missing.forEach(System.out::println);
    assertThat(wrong).isEmpty();
    assertThat(right).isGreaterThanOrEqualTo(FLOOR);
  }

  private static List<String> programs(ZipFile zip) {
    return zip.stream()
        .map(entry -> entry.getName())
        .filter(name -> name.endsWith("/model.onnx"))
        .map(name -> name.substring(0, name.indexOf('/')))
        .sorted()
        .toList();
  }

  private static byte[] bytes(ZipFile zip, String name) {
    try (var in = zip.getInputStream(zip.getEntry(name))) {
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Model load(Engine engine, ZipFile zip, String program) {
    ByteBuffer model = ByteBuffer.wrap(bytes(zip, program + "/model.onnx"));
    OnnxModel read = OnnxReader.read(program, model, null, ReadLimits.defaults());
    return engine.load(read, LoadOptions.defaults().withMaxBatch(64));
  }

  private static String difference(ZipFile zip, Model model, String folder) {
    String expected = expected(new String(bytes(zip, folder + "expected.json"), UTF_8));
    List<OnnxTensor> inputs = new ArrayList<>();
    for (int i = 0; i < model.inputs().size(); i++) {
      ByteBuffer value = ByteBuffer.wrap(bytes(zip, folder + "input_" + i + ".pb"));
      inputs.add((OnnxTensor) ValueFile.read("input", value, TENSOR, 1 << 24));
    }
    InferenceRequest request =
        new InferenceRequest(
            inputs.stream().map(OnnxTensor::dims).toList(),
            (i, staging) -> staging.copyFrom(inputs.get(i).data()));
    String got = outcome(model, request);
    return got.equals(expected) ? "" : "got " + got + ", not " + expected;
  }

  private static String outcome(Model model, InferenceRequest request) {
    try {
      return model.infer(request, _ -> "[]");
    } catch (RequestFailedException e) {
      var reports = new TreeMap<String, String>();
      for (FailureReport r : e.failures()) {
        reports.put(
            String.valueOf(r.row()),
            "%s %s %s %s %d %s %s"
                .formatted(
                    r.node(), r.op(), r.axis(), r.index(), r.linear(), r.iteration(), r.row()));
      }
      return reports.values().toString();
    }
  }

  /* The reports of an expected.json by row, as the test words them. */
  private static String expected(String json) {
    var reports = new TreeMap<String, String>();
    var matcher = REPORT.matcher(json.substring(json.indexOf("\"failures\"")));
    while (matcher.find()) {
      reports.put(
          matcher.group(6),
          "%s %s %s %s %s %s %s"
              .formatted(
                  matcher.group(1),
                  matcher.group(2),
                  matcher.group(3),
                  matcher.group(4),
                  matcher.group(5),
                  matcher.group(7),
                  matcher.group(6)));
    }
    return reports.values().toString();
  }
}
