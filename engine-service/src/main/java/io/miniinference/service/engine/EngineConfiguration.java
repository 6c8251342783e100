package io.miniinference.service.engine;

import io.miniinference.runtime.open.Engines;
import java.util.Optional;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/// How the service gets its engine: the one that opened early, if there is one, and the others
/// anew.
@Configuration(proxyBeanMethods = false)
class EngineConfiguration {
  @Bean
  EngineFactory engineFactory(ObjectProvider<EarlyEngine> early) {
    return options ->
        Optional.ofNullable(early.getIfAvailable())
            .flatMap(engine -> engine.take(options))
            .orElseGet(() -> Engines.open(options));
  }
}
