package io.miniinference.service.serving;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.miniinference.runtime.Model;
import io.miniinference.service.catalog.Catalog;
import io.miniinference.service.catalog.CatalogEntry;
import io.miniinference.service.config.EngineProperties;
import io.miniinference.service.scheduling.Scheduler;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ToDoubleFunction;
import org.springframework.stereotype.Component;

/// The statistics of models under the names of Triton's metrics, so that its dashboards and rules
/// of scaling work. They are read when they are scraped: a request pays nothing for them. What
/// counts up is a gauge here, since a counter's name would end in `_total`, and Triton's do not.
/// The bean is there whether or not the property asks for them: beans do not depend on properties.
@Component
final class TritonMeters {
  private static final String PREFIX = "nv_inference_";
  private static final double NANOS_PER_MICRO = 1e3;
  private static final Map<Outcome, String> REASONS =
      Map.of(
          Outcome.REFUSED, "REJECTED",
          Outcome.EXPIRED, "REJECTED",
          Outcome.CANCELLED, "CANCELED",
          Outcome.ERROR, "BACKEND",
          Outcome.FAILED, "BACKEND",
          Outcome.INVALID, "OTHER");

  private final MeterRegistry registry;
  private final Catalog catalog;
  private final Statistics statistics;
  private final Scheduler scheduler;
  private final Set<Tags> shown = ConcurrentHashMap.newKeySet();

  TritonMeters(
      MeterRegistry registry,
      Catalog catalog,
      Statistics statistics,
      Scheduler scheduler,
      EngineProperties properties) {
    this.registry = registry;
    this.catalog = catalog;
    this.statistics = statistics;
    this.scheduler = scheduler;
    if (properties.metrics().tritonNames()) {
      catalog.onEntry(this::prepare);
    }
  }

  private void prepare(CatalogEntry entry) {
    Tags tags = Tags.of("model", entry.name(), "version", entry.version());
    if (entry instanceof CatalogEntry.Ready && shown.add(tags)) {
      show(tags);
    }
  }

  private void show(Tags tags) {
    counted(tags, "request_success", all -> all.success().count());
    counted(tags, "count", ModelStatistics::inferences);
    counted(tags, "exec_count", ModelStatistics::executions);
    counted(tags, "request_duration_us", all -> micros(all.success()));
    counted(tags, "queue_duration_us", all -> micros(all.queue()));
    counted(tags, "compute_input_duration_us", all -> micros(all.stages().input()));
    counted(tags, "compute_infer_duration_us", all -> micros(all.stages().infer()));
    counted(tags, "compute_output_duration_us", all -> micros(all.stages().output()));
    gauge(tags, "pending_request_count", scheduler::waiting);
    REASONS.values().stream().distinct().forEach(reason -> failed(tags, reason));
  }

  private static double micros(ModelStatistics.Duration duration) {
    return duration.nanos() / NANOS_PER_MICRO;
  }

  private void counted(Tags tags, String name, ToDoubleFunction<ModelStatistics> value) {
    gauge(tags, name, model -> value.applyAsDouble(statistics.of(model)));
  }

  /* Asked of the model that is served at the moment; 0 while there is none. */
  private void gauge(Tags tags, String name, ToDoubleFunction<Model> value) {
    Gauge.builder(PREFIX + name, () -> ofServed(tags, value)).tags(tags).register(registry);
  }

  private double ofServed(Tags tags, ToDoubleFunction<Model> value) {
    String[] named = tags.stream().map(Tag::getValue).toArray(String[]::new);
    return catalog.versions(named[0]).stream()
        .filter(entry -> entry.version().equals(named[1]))
        .filter(CatalogEntry.Ready.class::isInstance)
        .mapToDouble(entry -> value.applyAsDouble(((CatalogEntry.Ready) entry).served().model()))
        .sum();
  }

  private void failed(Tags tags, String reason) {
    Gauge.builder(PREFIX + "request_failure", () -> failures(tags, reason))
        .tags(tags.and("reason", reason))
        .register(registry);
  }

  private double failures(Tags tags, String reason) {
    return REASONS.entrySet().stream()
        .filter(outcome -> outcome.getValue().equals(reason))
        .map(outcome -> outcome.getKey().name().toLowerCase(Locale.ROOT))
        .map(outcome -> registry.find("engine.requests").tags(tags).tag("outcome", outcome).timer())
        .mapToLong(timer -> timer == null ? 0 : timer.count())
        .sum();
  }
}
