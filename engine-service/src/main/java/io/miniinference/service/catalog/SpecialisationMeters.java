package io.miniinference.service.catalog;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.BaseUnits;
import io.miniinference.runtime.SpecialisationStatistics;
import io.miniinference.runtime.SpecialisationStatistics.Promise;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;
import org.springframework.stereotype.Component;

/// The meters `engine.specialisations.*` of each model that is compiled per shape: how many are
/// kept, the bytes of their weights and of the room that was promised, how often and how long it
/// was compiled, how many were evicted. They are those of the version that is served, and zero
/// while there is none.
@Component
final class SpecialisationMeters {
  private static final SpecialisationStatistics NONE =
      new SpecialisationStatistics(0, 0, 0, 0, 0, 0, 0, 0, Optional.empty());

  private final MeterRegistry registry;
  private final Catalog catalog;
  private final Set<String> shown = ConcurrentHashMap.newKeySet();

  SpecialisationMeters(MeterRegistry registry, Catalog catalog) {
    this.registry = registry;
    this.catalog = catalog;
  }

  /// Shows the meters of a model from now on. Showing them again changes nothing.
  void show(String model) {
    if (shown.add(model)) {
      register(model);
    }
  }

  private void register(String model) {
    gauge(model, "kept", "shapes that it is compiled for now", SpecialisationStatistics::kept)
        .register(registry);
    gauge(model, "bytes", "weights of these shapes, each once", SpecialisationStatistics::bytes)
        .baseUnit(BaseUnits.BYTES)
        .register(registry);
    gauge(model, "promised", "room for requests up to the bounds", SpecialisationMeters::promised)
        .baseUnit(BaseUnits.BYTES)
        .register(registry);
    gauge(model, "kernels", "kernels that these shapes share", SpecialisationStatistics::kernels)
        .register(registry);
    FunctionCounter.builder(
            "engine.specialisations.evicted", catalog, c -> figures(c, model).evicted())
        .description("shapes that made room for others")
        .tag("model", model)
        .register(registry);
    FunctionTimer.builder(
            "engine.specialisations.compile",
            catalog,
            c -> figures(c, model).compiled(),
            c -> figures(c, model).compileNanos(),
            TimeUnit.NANOSECONDS)
        .description("compiling for new shapes")
        .tag("model", model)
        .register(registry);
  }

  private static double promised(SpecialisationStatistics figures) {
    return figures.promise().map(Promise::bytes).orElse(0L);
  }

  private Gauge.Builder<Catalog> gauge(
      String model,
      String name,
      String description,
      ToDoubleFunction<SpecialisationStatistics> figure) {
    return Gauge.builder(
            "engine.specialisations." + name, catalog, c -> figure.applyAsDouble(figures(c, model)))
        .description(description)
        .tag("model", model);
  }

  private static SpecialisationStatistics figures(Catalog catalog, String model) {
    return catalog.entries().stream()
        .filter(entry -> entry.name().equals(model))
        .flatMap(entry -> Optional.ofNullable(entry.readyModel()).stream())
        .flatMap(found -> found.specialisations().stream())
        .findFirst()
        .orElse(NONE);
  }
}
