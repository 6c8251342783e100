package io.miniinference.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.runtime.EngineOptions;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What an application hears of a host without OpenCL.
final class WithoutOpenClTest {
  @TempDir private Path noDrivers;

  @Test
  void theLogSaysWhyModelsRunOnTheJvm() throws Exception {
    assertThat(logWith("auto"))
        .contains("WARNING: no OpenCL found", "apt-get install pocl-opencl-icd")
        .contains("device JVM");
  }

  @Test
  void whoAsksForTheJvmHearsNothing() throws Exception {
    assertThat(logWith("jvm")).doesNotContain("OpenCL").contains("device JVM");
  }

  private String logWith(String device) throws IOException, InterruptedException {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    String path =
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    var builder =
        new ProcessBuilder(
            java,
            "--enable-native-access=ALL-UNNAMED",
            "-cp",
            path,
            OpenedEngine.class.getName(),
            device,
            noDrivers.toString());
    builder.environment().put("OCL_ICD_VENDORS", noDrivers.toString());
    Process process = builder.redirectErrorStream(true).start();
    String log = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
    return log;
  }

  static final class OpenedEngine {
    private OpenedEngine() {}

    public static void main(String[] args) {
      EngineOptions options = EngineOptions.defaults(Path.of(args[1])).withPool(8 << 20);
      try (InferenceEngine engine = InferenceEngine.open(options.withDevice(args[0]))) {
        System.out.println("device " + engine.device().kind());
      }
    }
  }
}
