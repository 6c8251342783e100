package io.miniinference.service.grpc;

import org.springframework.boot.health.actuate.endpoint.HealthDescriptor;
import org.springframework.boot.health.actuate.endpoint.HealthEndpoint;
import org.springframework.boot.health.contributor.Status;
import org.springframework.stereotype.Component;

/// The answers of Actuator's health groups.
@Component
final class Readiness {
  private final HealthEndpoint health;

  Readiness(HealthEndpoint health) {
    this.health = health;
  }

  boolean isLive() {
    return isUp("liveness");
  }

  boolean isReady() {
    return isUp("readiness");
  }

  private boolean isUp(String group) {
    HealthDescriptor descriptor = health.healthForPath(group);
    return descriptor != null && descriptor.getStatus().equals(Status.UP);
  }
}
