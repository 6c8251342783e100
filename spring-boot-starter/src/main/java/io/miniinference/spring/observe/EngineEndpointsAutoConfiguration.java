package io.miniinference.spring.observe;

import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.endpoint.web.annotation.WebEndpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;

/// The endpoints `memorypool` and `plans`, where the application has Actuator and exposes them.
@AutoConfiguration(afterName = "io.miniinference.spring.EngineAutoConfiguration")
@ConditionalOnClass({WebEndpoint.class, ConditionalOnAvailableEndpoint.class})
@ConditionalOnBean(EngineView.class)
public class EngineEndpointsAutoConfiguration {

  @Bean
  @ConditionalOnAvailableEndpoint
  MemoryPoolEndpoint memoryPoolEndpoint(EngineView view) {
    return new MemoryPoolEndpoint(view);
  }

  @Bean
  @ConditionalOnAvailableEndpoint
  PlansEndpoint plansEndpoint(EngineView view) {
    return new PlansEndpoint(view);
  }
}
