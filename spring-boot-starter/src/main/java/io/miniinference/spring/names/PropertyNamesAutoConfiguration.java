package io.miniinference.spring.names;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.context.annotation.Bean;

/// Ends the start of an application that sets a property `engine.*` which there is not. It stands
/// apart from the engine's beans, since the service makes those in ways of its own, and a test of
/// models alone has not all classes that bind properties.
@AutoConfiguration
public class PropertyNamesAutoConfiguration {
  @Bean
  static UnknownProperties engineUnknownProperties() {
    return new UnknownProperties();
  }
}
