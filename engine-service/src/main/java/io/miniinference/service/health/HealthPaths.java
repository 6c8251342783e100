package io.miniinference.service.health;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.ApiVersion;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.endpoint.web.WebServerNamespace;
import org.springframework.boot.health.actuate.endpoint.HealthDescriptor;
import org.springframework.boot.health.actuate.endpoint.HealthEndpointGroups;
import org.springframework.boot.health.actuate.endpoint.HealthEndpointWebExtension;
import org.springframework.boot.health.autoconfigure.actuate.endpoint.HealthEndpointProperties;
import org.springframework.boot.health.registry.HealthContributorRegistry;
import org.springframework.stereotype.Component;

/// Actuator's `health`, which answers 404 for a part of what has no parts, too
/// (`/actuator/health/pool/x`). Spring Boot 4.1.2 fails there.
@Component
final class HealthPaths extends HealthEndpointWebExtension {
  HealthPaths(
      HealthContributorRegistry registry,
      HealthEndpointGroups groups,
      HealthEndpointProperties properties) {
    super(registry, null, groups, slow(properties));
  }

  private static Duration slow(HealthEndpointProperties properties) {
    return properties.getLogging().getSlowIndicatorThreshold();
  }

  @Override
  public WebEndpointResponse<HealthDescriptor> health(
      ApiVersion apiVersion,
      @Nullable WebServerNamespace serverNamespace,
      SecurityContext securityContext,
      boolean showAll,
      String... path) {
    try {
      return super.health(apiVersion, serverNamespace, securityContext, showAll, path);
    } catch (IllegalStateException e) {
      if (path.length < 2) {
        throw e;
      }
      return new WebEndpointResponse<>(WebEndpointResponse.STATUS_NOT_FOUND);
    }
  }
}
