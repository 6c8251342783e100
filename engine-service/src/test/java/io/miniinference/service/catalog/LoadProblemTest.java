package io.miniinference.service.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/// Why a model is not loaded, in words.
@ExtendWith(OutputCaptureExtension.class)
final class LoadProblemTest {
  @Test
  void aLoadThatTheEndOfTheServiceCutsOffIsNoDefect(CapturedOutput output) {
    assertThat(LoadProblem.of("digits", new InterruptedException()))
        .isEqualTo("the service ended before it was loaded");
    assertThat(output).doesNotContain("defect");
  }

  @Test
  void whatNobodyExpectedIsADefectAndIsLogged(CapturedOutput output) {
    assertThat(LoadProblem.of("digits", new IllegalStateException("out of steps")))
        .isEqualTo("defect of the engine: out of steps");
    assertThat(output).contains("defect while loading model 'digits'");
  }
}
