package io.miniinference.spring.observe;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.BaseUnits;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.miniinference.pool.BlockState;
import io.miniinference.pool.MemoryMap;
import io.miniinference.runtime.Engine;
import io.miniinference.runtime.Model;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ToDoubleFunction;

/// The gauges `engine.model.*`, by model, from the moment that the process knows of it: whether it
/// is ready, what it holds of the pool, what its load took. They have no value where there is
/// nothing to measure.
final class ModelMeters implements MeterBinder {
  private final EngineView view;

  ModelMeters(EngineView view) {
    this.view = view;
  }

  @Override
  public void bindTo(MeterRegistry registry) {
    Set<String> known = ConcurrentHashMap.newKeySet();
    view.onModel(model -> {
      if (known.add(model)) {
        register(registry, model);
      }
    });
  }

  private void register(MeterRegistry registry, String model) {
    gauge("engine.model.ready", model, ModelMeters::ready)
        .description("1 if the model takes requests, else 0; no number once it is unloaded")
        .register(registry);
    gauge("engine.model.load", model, ModelView::loadSeconds)
        .description("time from the model's file to its first answer")
        .baseUnit("seconds")
        .register(registry);
    gauge("engine.model.batch.max", model, ModelMeters::maxBatch)
        .description("largest batch of one request")
        .register(registry);
    bytes(registry, model, "weights", "/weights");
    bytes(registry, model, "arenas", "/arena");
    bytes(registry, model, "held", "/");
  }

  /* An alert of models that are not ready would else call for one that an operator unloaded. */
  private static double ready(ModelView seen) {
    if (seen.state().equals(ModelView.UNLOADED)) {
      return Double.NaN;
    }
    return seen.isReady() ? 1 : 0;
  }

  private static double maxBatch(ModelView seen) {
    Model model = seen.model();
    return model == null ? Double.NaN : model.maxBatch();
  }

  private Gauge.Builder<EngineView> gauge(
      String name, String model, ToDoubleFunction<ModelView> figure) {
    return Gauge.builder(
            name, view, v -> v.model(model).map(figure::applyAsDouble).orElse(Double.NaN))
        .tag("model", model);
  }

  /* Blocks of the pool are labelled MODEL/WHAT while used, and tagged MODEL/SIZES while held. */
  private void bytes(MeterRegistry registry, String model, String kind, String label) {
    BlockState state = kind.equals("held") ? BlockState.HELD : BlockState.USED;
    Gauge.builder(
            "engine.model.bytes",
            view,
            v -> v.engine().map(e -> bytes(e, model + label, state)).orElse(Double.NaN))
        .description("bytes of the pool: weights, arenas of requests, held for the next request")
        .baseUnit(BaseUnits.BYTES)
        .tag("model", model)
        .tag("kind", kind)
        .register(registry);
  }

  private static double bytes(Engine engine, String label, BlockState state) {
    return engine.pool().memoryMap().blocks().stream()
        .filter(block -> block.state() == state)
        .filter(block -> block.owner().startsWith(label))
        .mapToLong(MemoryMap.Entry::size)
        .sum();
  }
}
