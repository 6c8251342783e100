package io.miniinference.spring;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.BaseUnits;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.miniinference.engine.InferenceEngine;
import io.miniinference.engine.InferenceModel;
import io.miniinference.pool.MemoryPool;
import io.miniinference.pool.PoolStatistics;
import io.miniinference.runtime.Engine;
import java.util.function.ToDoubleFunction;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;

/// The gauges `engine.memory.pool.*`, `engine.model.*`, `engine.device.kernels` and
/// `engine.planner.fallbacks`, as the service has them, where the application has Micrometer.
@AutoConfiguration(after = EngineAutoConfiguration.class)
@ConditionalOnClass(MeterBinder.class)
public class EngineMetersAutoConfiguration {

  @Bean
  MeterBinder engineMeters(InferenceEngine engine, LoadedModels models) {
    return registry -> {
      bindEngine(registry, engine.runtime());
      bindPool(registry, engine.runtime().pool());
      models.all().forEach(model -> bindModel(registry, model));
    };
  }

  private static void bindEngine(MeterRegistry registry, Engine engine) {
    Gauge.builder("engine.device.kernels", engine, e -> e.driverCalls().variants())
        .description("kernels that have been launched, counted once per device")
        .register(registry);
    Gauge.builder("engine.planner.fallbacks", engine, Engine::planFallbacks)
        .description("memory plans that failed their verification; plain ones are used instead")
        .register(registry);
  }

  private static void bindPool(MeterRegistry registry, MemoryPool pool) {
    bytes(registry, pool, "capacity", "the whole pool", PoolStatistics::capacityBytes);
    bytes(registry, pool, "used", "owned by models and requests", PoolStatistics::usedBytes);
    bytes(registry, pool, "held", "kept for the next request", PoolStatistics::heldBytes);
    bytes(registry, pool, "free", "owned by nobody", PoolStatistics::freeBytes);
    bytes(registry, pool, "peak", "most bytes ever used at once", PoolStatistics::peakUsedBytes);
    bytes(
        registry, pool, "largest.free", "the largest free block", PoolStatistics::largestFreeBytes);
  }

  private static void bytes(
      MeterRegistry registry,
      MemoryPool pool,
      String name,
      String description,
      ToDoubleFunction<PoolStatistics> figure) {
    Gauge.builder("engine.memory.pool." + name, pool, p -> figure.applyAsDouble(p.statistics()))
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
    Gauge.builder("engine.model.batch.max", model, InferenceModel::maxBatch)
        .description("largest batch of one request")
        .tag("model", model.name())
        .register(registry);
  }
}
