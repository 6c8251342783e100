package io.miniinference.service.catalog;

import io.miniinference.engine.WarmUps;
import io.miniinference.runtime.Model;
import io.miniinference.service.config.EngineProperties;
import jakarta.annotation.PreDestroy;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.springframework.stereotype.Component;

/// Models that were loaded and are still to be warmed up, which begins when the loads beside them
/// are over.
@Component
final class LoadedModels {
  private final WarmUps warmUps;
  private final Queue<Model> cold = new ConcurrentLinkedQueue<>();

  LoadedModels(EngineProperties properties) {
    warmUps =
        new WarmUps(
            properties.specialisations().warmUp(), properties.specialisations().planAhead());
  }

  void add(Model model) {
    cold.add(model);
  }

  /// Begins with those that were added. Returns at once.
  void warmUp() {
    for (Model next = cold.poll(); next != null; next = cold.poll()) {
      warmUps.begin(next);
    }
  }

  @PreDestroy
  void end() {
    warmUps.close();
  }
}
