package io.miniinference.spring;

import io.miniinference.engine.InferenceEngine;
import io.miniinference.spring.observe.EngineView;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;

/// The engine of an application, and its models as beans under their names:
/// `@Qualifier("mnist-cnn") InferenceModel digits`. An application that has an [InferenceEngine] of
/// its own keeps it, and the models are loaded into that one. One that has an [EngineView] of its
/// own has its own ways to open and load.
@AutoConfiguration
@ConditionalOnMissingBean(EngineView.class)
@EnableConfigurationProperties(EngineProperties.class)
public class EngineAutoConfiguration {
  static final String LOADED_MODELS = "engineLoadedModels";

  @Bean(destroyMethod = "close")
  @ConditionalOnMissingBean
  InferenceEngine inferenceEngine(EngineProperties properties) {
    return InferenceEngine.open(properties.engineOptions());
  }

  @Bean(LOADED_MODELS)
  LoadedModels loadedModels(InferenceEngine engine, EngineProperties properties) {
    return new LoadedModels(engine, properties);
  }

  @Bean
  EngineView engineView(InferenceEngine engine, LoadedModels models) {
    return new ApplicationView(engine, models);
  }

  @Bean
  static ModelBeans engineModelBeans(Environment environment) {
    return new ModelBeans(environment);
  }
}
