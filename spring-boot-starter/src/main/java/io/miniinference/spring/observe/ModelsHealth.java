package io.miniinference.spring.observe;

import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/// The health of the models: up if those take requests that must, with the state of each.
public final class ModelsHealth implements HealthIndicator {
  private final EngineView view;

  public ModelsHealth(EngineView view) {
    this.view = view;
  }

  @Override
  public Health health() {
    Health.Builder health = view.areRequiredModelsReady() ? Health.up() : Health.down();
    view.models().forEach(model -> health.withDetail(model.name(), model.details()));
    return health.build();
  }
}
