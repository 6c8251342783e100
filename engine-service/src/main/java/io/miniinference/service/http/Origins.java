package io.miniinference.service.http;

import io.miniinference.service.config.EngineProperties;
import java.util.List;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.server.ServerHttpResponse;
import org.springframework.http.server.ServletServerHttpResponse;
import org.springframework.web.cors.CorsConfiguration;
import org.springframework.web.cors.DefaultCorsProcessor;
import org.springframework.web.filter.CorsFilter;

/// Tells browsers which pages of other origins may ask the service and read its answers (CORS). A
/// page of an origin that is not named is refused; who is no browser says no origin and is let
/// through. Browsers ask without a token whether they may ask, so they are answered before anyone
/// looks for one.
@Configuration(proxyBeanMethods = false)
class Origins {
  /// What an answer says in its head and a client reads there.
  private static final List<String> READABLE =
      List.of("Inference-Header-Content-Length", HttpHeaders.RETRY_AFTER);

  @Bean
  FilterRegistrationBean<CorsFilter> pagesOfOtherOrigins(EngineProperties properties) {
    List<String> allowed = properties.http().allowedOrigins();
    CorsConfiguration rules = rules(allowed);
    var filter = new CorsFilter(_ -> rules);
    filter.setCorsProcessor(new Processor());
    var registration = new FilterRegistrationBean<>(filter);
    registration.setEnabled(!allowed.isEmpty());
    registration.addUrlPatterns("/v1/*", "/v2/*", "/openapi.json");
    registration.setOrder(Ordered.HIGHEST_PRECEDENCE + 2); // before inference
    return registration;
  }

  private static CorsConfiguration rules(List<String> allowed) {
    var rules = new CorsConfiguration();
    rules.setAllowedOrigins(allowed);
    rules.setAllowedMethods(List.of("GET", "HEAD", "POST"));
    rules.addAllowedHeader(CorsConfiguration.ALL);
    rules.setExposedHeaders(READABLE);
    return rules;
  }

  /// Spring's, which says in the protocol's words why it refuses.
  private static final class Processor extends DefaultCorsProcessor {
    @Override
    protected void rejectRequest(ServerHttpResponse response) {
      response.setStatusCode(HttpStatus.FORBIDDEN);
      if (response instanceof ServletServerHttpResponse servlet) {
        ErrorBody.write(
            servlet.getServletResponse(),
            "a page of this origin may not ask so: engine.http.allowed-origins names those that"
                + " may, with GET, HEAD and POST");
      }
    }
  }
}
