package io.miniinference.service.health;

import java.util.Map;
import org.springframework.boot.health.actuate.endpoint.HealthDescriptor;
import org.springframework.boot.health.actuate.endpoint.HealthEndpoint;
import org.springframework.boot.health.contributor.Status;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/// `GET /v2/health/live`, `/v2/health/ready` and, for clients of V1, `/`: the same answers as
/// Actuator's health groups.
@RestController
final class HealthController {
  private final HealthEndpoint health;

  HealthController(HealthEndpoint health) {
    this.health = health;
  }

  @GetMapping("/v2/health/live")
  ResponseEntity<Map<String, Boolean>> live() {
    return answer("liveness", "live");
  }

  @GetMapping("/v2/health/ready")
  ResponseEntity<Map<String, Boolean>> ready() {
    return answer("readiness", "ready");
  }

  /// KServe's V1. Those who ask for a page get another one here.
  @GetMapping("/")
  ResponseEntity<Map<String, String>> alive() {
    boolean live = isUp("liveness");
    return answer(live, Map.of("status", live ? "alive" : "not alive"));
  }

  private ResponseEntity<Map<String, Boolean>> answer(String group, String key) {
    boolean up = isUp(group);
    return answer(up, Map.of(key, up));
  }

  private boolean isUp(String group) {
    HealthDescriptor descriptor = health.healthForPath(group);
    return descriptor != null && descriptor.getStatus().equals(Status.UP);
  }

  private static <T> ResponseEntity<T> answer(boolean up, T body) {
    return ResponseEntity.status(up ? HttpStatus.OK : HttpStatus.SERVICE_UNAVAILABLE)
        .contentType(MediaType.APPLICATION_JSON)
        .body(body);
  }
}
