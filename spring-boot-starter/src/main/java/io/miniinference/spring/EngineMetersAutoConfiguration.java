package io.miniinference.spring;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.BaseUnits;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.miniinference.engine.InferenceEngine;
import io.miniinference.engine.InferenceModel;
import io.miniinference.pool.MemoryPool;
import io.miniinference.pool.PoolStatistics;
import java.util.function.ToDoubleFunction;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;

/// The gauges `engine.pool.*` and `engine.model.bytes`, where the application has Micrometer.
@AutoConfiguration(after = EngineAutoConfiguration.class)
@ConditionalOnClass(MeterBinder.class)
public class EngineMetersAutoConfiguration {

  @Bean
  MeterBinder engineMeters(InferenceEngine engine, LoadedModels models) {
    return registry -> {
      bindPool(registry, engine.runtime().pool());
      models.all().forEach(model -> bindModel(registry, model));
    };
  }

  private static void bindPool(MeterRegistry registry, MemoryPool pool) {
    bytes(registry, pool, "capacity", "the whole pool", PoolStatistics::capacityBytes);
    bytes(registry, pool, "used", "owned by models and requests", PoolStatistics::usedBytes);
    bytes(registry, pool, "held", "kept for the next request", PoolStatistics::heldBytes);
    bytes(registry, pool, "free", "owned by nobody", PoolStatistics::freeBytes);
    bytes(registry, pool, "peak", "most bytes ever used at once", PoolStatistics::peakUsedBytes);
  }

  private static void bytes(
      MeterRegistry registry,
      MemoryPool pool,
      String name,
      String description,
      ToDoubleFunction<PoolStatistics> figure) {
    Gauge.builder("engine.pool." + name, pool, p -> figure.applyAsDouble(p.statistics()))
        .description(description)
        .baseUnit(BaseUnits.BYTES)
        .register(registry);
  }

  private static void bindModel(MeterRegistry registry, InferenceModel model) {
    Gauge.builder("engine.model.bytes", model, m -> m.runtime().reservedBytes())
        .description("bytes of the pool that a model holds")
        .tag("model", model.name())
        .baseUnit(BaseUnits.BYTES)
        .register(registry);
  }
}
