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

/// `GET /v2/health/live` and `/v2/health/ready`: the same answers as Actuator's health groups.
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

  private ResponseEntity<Map<String, Boolean>> answer(String group, String key) {
    HealthDescriptor descriptor = health.healthForPath(group);
    boolean up = descriptor != null && descriptor.getStatus().equals(Status.UP);
    return ResponseEntity.status(up ? HttpStatus.OK : HttpStatus.SERVICE_UNAVAILABLE)
        .contentType(MediaType.APPLICATION_JSON)
        .body(Map.of(key, up));
  }
}
