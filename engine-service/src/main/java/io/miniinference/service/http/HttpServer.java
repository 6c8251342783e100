package io.miniinference.service.http;

import io.miniinference.service.config.EngineProperties;
import org.apache.catalina.core.StandardHost;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/// Sets Tomcat up.
@Configuration(proxyBeanMethods = false)
class HttpServer {
  /// A client that waits for `100 Continue` before it sends a body gets it when the body is wanted,
  /// not before it is refused.
  private static final String WHEN_READ = "onRead";

  @Bean
  WebServerFactoryCustomizer<TomcatServletWebServerFactory> tomcat(
      Drain drain, EngineProperties properties) {
    return factory -> {
      keepConnections(factory, drain);
      factory.addConnectorCustomizers(connector -> {
        if (connector.getProtocolHandler() instanceof KeepAliveProtocol protocol) {
          protocol.setContinueResponseTiming(WHEN_READ);
          protocol.setMostPerAddress(properties.http().maxConnectionsPerAddress());
          protocol.setProcessorCache(
              Math.max(protocol.getProcessorCache(), properties.queue().maxRequests()));
          protocol.setRefusedPause(properties.http().refusedPause());
          drain.watch(protocol);
        }
      });
    };
  }

  /// Has connections go on after a refusal, and what Tomcat refuses by itself said in the
  /// protocol's words.
  static void keepConnections(TomcatServletWebServerFactory factory, Drain drain) {
    factory.setProtocol(KeepAliveProtocol.class.getName());
    factory.addEngineValves(new KeepAliveValve(drain), new AddressValve());
    factory.addContextCustomizers(context -> {
      if (context.getParent() instanceof StandardHost host) {
        host.setErrorReportValveClass(PlainErrorValve.class.getName());
      }
    });
  }
}
