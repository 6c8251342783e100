package io.miniinference.spring;

import io.miniinference.engine.InferenceEngine;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.endpoint.web.annotation.WebEndpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;

/// The endpoints `memorypool` and `plans`, where the application has Actuator and exposes them.
@AutoConfiguration(after = EngineAutoConfiguration.class)
@ConditionalOnClass({WebEndpoint.class, ConditionalOnAvailableEndpoint.class})
public class EngineEndpointsAutoConfiguration {

  @Bean
  @ConditionalOnAvailableEndpoint
  MemoryPoolEndpoint memoryPoolEndpoint(InferenceEngine engine) {
    return new MemoryPoolEndpoint(engine);
  }

  @Bean
  @ConditionalOnAvailableEndpoint
  PlansEndpoint plansEndpoint(LoadedModels models) {
    return new PlansEndpoint(models);
  }
}
