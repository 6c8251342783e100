package io.miniinference.service.observe;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.miniinference.pool.BlockState;
import io.miniinference.pool.MemoryMap;
import io.miniinference.service.catalog.Catalog;
import io.miniinference.service.catalog.CatalogEntry;
import io.miniinference.service.engine.RunningEngine;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ToDoubleFunction;
import org.springframework.stereotype.Component;

/// The gauges `engine.model.*`, by model, from the moment that the service knows of it: whether it
/// is ready, what it holds of the pool, what its load took. They have no value where there is
/// nothing to measure.
@Component
final class ModelMeters {
  private final MeterRegistry registry;
  private final Catalog catalog;
  private final RunningEngine engine;
  private final Set<String> known = ConcurrentHashMap.newKeySet();

  ModelMeters(MeterRegistry registry, Catalog catalog, RunningEngine engine) {
    this.registry = registry;
    this.catalog = catalog;
    this.engine = engine;
    catalog.onEntry(entry -> register(entry.name()));
  }

  private void register(String model) {
    if (known.add(model)) {
      gauge("engine.model.ready", model, ModelMeters::isReady)
          .description("1 if the model takes requests, else 0")
          .register(registry);
      gauge("engine.model.load", model, entry -> ready(entry, r -> r.figures().seconds()))
          .description("time from the model's file to its first answer")
          .baseUnit("seconds")
          .register(registry);
      gauge("engine.model.batch.max", model, entry -> ready(entry, r -> r.model().maxBatch()))
          .description("largest batch of one request")
          .register(registry);
      bytes(model, "weights", "/weights");
      bytes(model, "arenas", "/arena");
      bytes(model, "held", "/");
    }
  }

  private static double isReady(CatalogEntry entry) {
    return entry instanceof CatalogEntry.Ready ? 1 : 0;
  }

  private static double ready(CatalogEntry entry, ToDoubleFunction<CatalogEntry.Ready> figure) {
    return entry instanceof CatalogEntry.Ready ready ? figure.applyAsDouble(ready) : Double.NaN;
  }

  private Gauge.Builder<Catalog> gauge(
      String name, String model, ToDoubleFunction<CatalogEntry> figure) {
    return Gauge.builder(
            name,
            catalog,
            c ->
                c.entries().stream()
                    .filter(entry -> entry.name().equals(model))
                    .mapToDouble(figure)
                    .findFirst()
                    .orElse(0))
        .tag("model", model);
  }

  /* Blocks of the pool are labelled MODEL/WHAT while used, and tagged MODEL/SIZES while held. */
  private void bytes(String model, String kind, String label) {
    Gauge.builder("engine.model.bytes", engine, running -> bytesOf(running, model + label, kind))
        .description("bytes of the pool: weights, arenas of requests, held for the next request")
        .baseUnit("bytes")
        .tag("model", model)
        .tag("kind", kind)
        .register(registry);
  }

  private static double bytesOf(RunningEngine engine, String label, String kind) {
    if (!engine.isRunning()) {
      return Double.NaN;
    }
    BlockState state = kind.equals("held") ? BlockState.HELD : BlockState.USED;
    return engine.engine().pool().memoryMap().blocks().stream()
        .filter(block -> block.state() == state)
        .filter(block -> block.owner().startsWith(label))
        .mapToLong(MemoryMap.Entry::size)
        .sum();
  }
}
