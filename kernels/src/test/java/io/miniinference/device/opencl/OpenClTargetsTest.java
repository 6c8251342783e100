package io.miniinference.device.opencl;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

final class OpenClTargetsTest {
  private static final Map<String, String> OF_MACOS =
      Map.of("OpenCL 1.2 (Apr 18 2025 21:45:30)", "Apple");

  /* What JOCL throws for a function that the library does not have. */
  private static void missing() {
    throw new UnsupportedOperationException(
        "The function clCreateCommandQueueWithProperties is not supported");
  }

  @Test
  void thatOfMacOsIsTooOldAndTheLineSaysWhatRuns() {
    assertThat(OpenClTargets.tooOld(OF_MACOS, OpenClTargetsTest::missing))
        .hasValue(
            "no OpenCL found that the engine can use (Apple has OpenCL 1.2 (Apr 18 2025 21:45:30), and a function of OpenCL 2.0 is needed): models run on the JVM, and in a container of Linux over PoCL");
  }

  @Test
  void anOldPlatformBehindALibraryThatHasTheFunctionIsUsed() {
    assertThat(OpenClTargets.tooOld(Map.of("OpenCL 1.2 (Oclgrind 21.10)", "Oclgrind"), () -> {}))
        .isEmpty();
  }

  @Test
  void whereAPlatformIsNewerTheLibraryIsNotAsked() {
    Map<String, String> both = Map.of("OpenCL 1.2 X", "old", "OpenCL 3.0 PoCL", "new");

    assertThat(OpenClTargets.tooOld(both, OpenClTargetsTest::missing)).isEmpty();
    assertThat(OpenClTargets.tooOld(Map.of(), OpenClTargetsTest::missing)).isEmpty();
  }
}
