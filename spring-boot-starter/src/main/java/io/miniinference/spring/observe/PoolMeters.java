package io.miniinference.spring.observe;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.BaseUnits;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.miniinference.pool.PoolStatistics;
import io.miniinference.runtime.Engine;
import java.util.function.ToDoubleFunction;

/// The gauges `memory.pool.*`, `device.kernels` and `planner.fallbacks` under a prefix. They have
/// no value while the engine is closed.
public final class PoolMeters implements MeterBinder {
  private final EngineView view;
  private final String prefix;

  public PoolMeters(EngineView view, String prefix) {
    this.view = view;
    this.prefix = prefix;
  }

  @Override
  public void bindTo(MeterRegistry registry) {
    bytes(registry, "capacity", "the whole pool", PoolStatistics::capacityBytes);
    bytes(registry, "used", "owned by models and requests", PoolStatistics::usedBytes);
    bytes(registry, "held", "kept for the next request of a kind", PoolStatistics::heldBytes);
    bytes(registry, "free", "owned by nobody", PoolStatistics::freeBytes);
    bytes(registry, "peak", "most bytes ever used at once", PoolStatistics::peakUsedBytes);
    bytes(registry, "largest.free", "the largest free block", PoolStatistics::largestFreeBytes);
    pool("fragmentation", "1 - largest free block / free bytes", PoolStatistics::fragmentationRatio)
        .register(registry);
    blocks(registry, "used", PoolStatistics::usedBlocks);
    blocks(registry, "held", PoolStatistics::heldBlocks);
    blocks(registry, "free", PoolStatistics::freeBlocks);
    gauge("device.kernels", e -> e.driverCalls().variants())
        .description("kernels that have been launched, counted once per device")
        .register(registry);
    gauge("planner.fallbacks", Engine::planFallbacks)
        .description("memory plans that failed their verification; plain ones are used instead")
        .register(registry);
  }

  private void bytes(
      MeterRegistry registry,
      String name,
      String description,
      ToDoubleFunction<PoolStatistics> figure) {
    pool(name, description, figure).baseUnit(BaseUnits.BYTES).register(registry);
  }

  private void blocks(
      MeterRegistry registry, String state, ToDoubleFunction<PoolStatistics> figure) {
    pool("blocks", "blocks of the pool by state", figure).tag("state", state).register(registry);
  }

  private Gauge.Builder<EngineView> pool(
      String name, String description, ToDoubleFunction<PoolStatistics> figure) {
    return gauge("memory.pool." + name, e -> figure.applyAsDouble(e.pool().statistics()))
        .description(description);
  }

  private Gauge.Builder<EngineView> gauge(String name, ToDoubleFunction<Engine> figure) {
    return Gauge.builder(
        prefix + name, view, v -> v.engine().map(figure::applyAsDouble).orElse(Double.NaN));
  }
}
