package io.miniinference.device.jvm;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// A JVM that computes slowly for want of an option of its start says so, once.
final class SlowFormTest {
  private static final String TOLD = "several times slower than with the Vector API";

  /// Opens two devices.
  static final class Program {
    private Program() {}

    public static void main(String[] args) {
      for (int i = 0; i < 2; i++) {
        try (JvmDevice device = new JvmDevice()) {
          device.openPool(1024);
        }
      }
    }
  }

  @Test
  void withoutTheVectorApiItIsToldOnceWithTheRemedy() throws Exception {
    assertThat(said()).containsOnlyOnce(TOLD).contains("--add-modules jdk.incubator.vector");
  }

  @Test
  void withItOrWithoutAWishForItNothingIsTold() throws Exception {
    assertThat(said("--add-modules=jdk.incubator.vector")).doesNotContain(TOLD);
    assertThat(said("-Dmie.vectors=false")).doesNotContain(TOLD);
    assertThat(said("--add-exports=java.base/jdk.internal.module=ALL-UNNAMED"))
        .doesNotContain(TOLD);
  }

  private static String said(String... options) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of(options));
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Program.class.getName()));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(said).isZero();
    return said;
  }
}
