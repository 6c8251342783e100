package io.miniinference.service.startup;

import java.util.Optional;
import org.springframework.boot.actuate.autoconfigure.web.server.ManagementPortType;
import org.springframework.boot.actuate.endpoint.EndpointId;
import org.springframework.boot.actuate.endpoint.web.PathMappedEndpoints;
import org.springframework.core.env.Environment;
import org.springframework.stereotype.Component;
import org.springframework.web.util.UriComponentsBuilder;

/// Where a browser that sees the service's page finds what Actuator exposes: below the page, or on
/// a port of its own. Nothing can be said of one that listens on an address of its own.
@Component
final class ActuatorLinks {
  private final PathMappedEndpoints endpoints;
  private final Environment environment;

  ActuatorLinks(PathMappedEndpoints endpoints, Environment environment) {
    this.endpoints = endpoints;
    this.environment = environment;
  }

  /// Whether Actuator shares the port of the service.
  boolean areOnTheSamePort() {
    return ManagementPortType.get(environment) == ManagementPortType.SAME;
  }

  /// The path below which all endpoints are; `/` under the profile `triton`.
  String basePath() {
    String path = endpoints.getBasePath();
    return path.isEmpty() ? "/" : path;
  }

  /// The address of an endpoint, none if it cannot be reached.
  ///
  /// @param page the address of the page
  Optional<String> to(String endpoint, String page) {
    String path = endpoints.getPath(EndpointId.of(endpoint));
    return path == null ? Optional.empty() : base(page).map(base -> base + path);
  }

  private Optional<String> base(String page) {
    return switch (ManagementPortType.get(environment)) {
      case SAME -> Optional.of(page);
      case DIFFERENT -> ownPort(page);
      case DISABLED -> Optional.empty();
    };
  }

  private Optional<String> ownPort(String page) {
    Integer port = environment.getProperty("local.management.port", Integer.class);
    if (port == null || environment.containsProperty("management.server.address")) {
      return Optional.empty();
    }
    return Optional.of(
        UriComponentsBuilder.fromUriString(page)
            .scheme(hasTls() ? "https" : "http")
            .port(port)
            .replacePath(environment.getProperty("management.server.base-path", ""))
            .toUriString());
  }

  private boolean hasTls() {
    boolean isSet =
        environment.containsProperty("management.server.ssl.bundle")
            || environment.containsProperty("management.server.ssl.key-store")
            || environment.containsProperty("management.server.ssl.certificate");
    return isSet && environment.getProperty("management.server.ssl.enabled", Boolean.class, true);
  }
}
