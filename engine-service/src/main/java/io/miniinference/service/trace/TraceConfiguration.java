package io.miniinference.service.trace;

import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/// Has spans exported where an endpoint is set for them, by Spring Boot's own properties. Nothing
/// of OpenTelemetry is loaded otherwise.
@Configuration(proxyBeanMethods = false)
class TraceConfiguration {

  @Bean
  Spans spans(Environment environment) {
    SpanExport export = Binder.get(environment).bindOrCreate(SpanExport.PREFIX, SpanExport.class);
    boolean isOn =
        export.endpoint() != null
            && environment.getProperty("management.tracing.export.enabled", Boolean.class, true);
    return isOn ? ExportedSpans.to(export, environment) : (_, _) -> null;
  }
}
