package io.miniinference.spring.observe;

import io.miniinference.device.DeviceInfo;
import io.miniinference.runtime.Engine;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/// The health of the device: up while it works, out of service while the engine is not open.
public final class DeviceHealth implements HealthIndicator {
  private final EngineView view;

  public DeviceHealth(EngineView view) {
    this.view = view;
  }

  @Override
  public Health health() {
    return view.engine().map(DeviceHealth::of).orElseGet(() -> closed(view));
  }

  static Health closed(EngineView view) {
    return Health.outOfService().withDetail("engine", view.whyClosed()).build();
  }

  private static Health of(Engine engine) {
    DeviceInfo info = engine.device();
    Health.Builder health = engine.healthy() ? Health.up() : Health.down();
    return health
        .withDetail("name", info.name())
        .withDetail("kind", info.kind())
        .withDetail("platform", info.platform())
        .build();
  }
}
