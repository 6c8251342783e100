package io.miniinference.service.serving;

import io.miniinference.runtime.Model;
import io.miniinference.service.scheduling.Executions;
import io.miniinference.service.scheduling.RequestTimes;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.stereotype.Component;

/// The statistics of all models since each was loaded, as the protocol's extension counts them.
@Component
public final class Statistics implements Executions {
  private final Map<Model, ModelStatistics> byModel = new ConcurrentHashMap<>();

  /// The statistics of a model.
  public ModelStatistics of(Model model) {
    ModelStatistics known = byModel.get(model);
    if (known != null) {
      return known;
    }
    byModel.keySet().removeIf(Model::isClosed);
    return byModel.computeIfAbsent(model, _ -> new ModelStatistics());
  }

  /// Requests that were answered, with success or failure, by models that are loaded.
  public long answered() {
    return byModel.values().stream()
        .mapToLong(model -> model.success().count() + model.fail().count())
        .sum();
  }

  void succeeded(Model model, RequestTimes times, int rows) {
    of(model).succeeded(times, rows);
  }

  void failed(Model model, long nanos) {
    of(model).fail().add(nanos);
  }

  @Override
  public void ran(Model model, int rows, RequestTimes times) {
    of(model).batch(rows).add(times);
  }
}
