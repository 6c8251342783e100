package io.miniinference.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.miniinference.engine.InferenceModel;
import io.miniinference.spring.test.InferenceTest;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.test.context.TestPropertySource;

/// Without names the slice gives the models of the application's properties.
@InferenceTest
@TestPropertySource(properties = "engine.models.names=mnist-mlp")
final class InferenceTestOfPropertiesTest {
  private final InferenceModel model;

  @Autowired
  InferenceTestOfPropertiesTest(InferenceModel model) {
    this.model = model;
  }

  @Test
  void theModelIsThatOfTheProperties() {
    assertThat(model.name()).isEqualTo("mnist-mlp");
  }
}
