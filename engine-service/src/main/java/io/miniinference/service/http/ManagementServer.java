package io.miniinference.service.http;

import org.springframework.boot.actuate.autoconfigure.web.ManagementContextConfiguration;
import org.springframework.boot.actuate.autoconfigure.web.ManagementContextType;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.annotation.Bean;

/// Sets the Tomcat of `management.server.port` up, which has a context of its own: it keeps
/// connections and says what Tomcat refuses as that of [HttpServer] does.
@ManagementContextConfiguration(value = ManagementContextType.CHILD, proxyBeanMethods = false)
class ManagementServer {

  @Bean
  WebServerFactoryCustomizer<TomcatServletWebServerFactory> managementTomcat(Drain drain) {
    return factory -> HttpServer.keepConnections(factory, drain);
  }
}
