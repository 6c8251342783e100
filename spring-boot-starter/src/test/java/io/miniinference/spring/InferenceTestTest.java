package io.miniinference.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.device.DeviceInfo;
import io.miniinference.engine.InferenceEngine;
import io.miniinference.engine.InferenceModel;
import io.miniinference.spring.test.InferenceTest;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Qualifier;

/// The slice gives one model on the JVM device.
@InferenceTest(names = "mnist-mlp")
final class InferenceTestTest {
  private final InferenceEngine engine;
  private final InferenceModel model;

  @Autowired
  InferenceTestTest(InferenceEngine engine, @Qualifier("mnist-mlp") InferenceModel model) {
    this.engine = engine;
    this.model = model;
  }

  @Test
  void theModelRunsOnTheJvm() {
    assertThat(engine.device().kind()).isEqualTo(DeviceInfo.Kind.JVM);
    assertThat(model.inputs()).hasSize(1);
  }
}
