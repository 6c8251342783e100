package io.miniinference.service.describe;

import io.miniinference.device.DeviceInfo;
import io.miniinference.service.catalog.Catalog;
import io.miniinference.service.catalog.CatalogEntry;
import io.miniinference.service.catalog.ServedModel;
import io.miniinference.service.catalog.Unserved;
import io.miniinference.service.engine.RunningEngine;
import io.miniinference.service.scheduling.Scheduler;
import io.miniinference.service.serving.Statistics;
import io.miniinference.service.settings.wire.TritonModel.ModelConfig;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/// Describes models to clients. Methods that take a version take null for the one that is served,
/// if they say nothing else.
@Component
public final class Descriptions {
  private final Catalog catalog;
  private final Unserved unserved;
  private final RunningEngine engine;
  private final Scheduler scheduler;
  private final Statistics statistics;

  Descriptions(
      Catalog catalog,
      Unserved unserved,
      RunningEngine engine,
      Scheduler scheduler,
      Statistics statistics) {
    this.catalog = catalog;
    this.unserved = unserved;
    this.engine = engine;
    this.scheduler = scheduler;
    this.statistics = statistics;
  }

  public ModelDescription metadata(String model, @Nullable String version) {
    return ModelDescription.of(
        catalog.ready(model, version), version == null ? served(model) : List.of(version));
  }

  public ModelConfig configuration(String model, @Nullable String version) {
    ServedModel served = catalog.ready(model, version);
    long delayMicros =
        scheduler.packs(served.model()) ? scheduler.maxDelay(served.model()).toNanos() / 1000 : -1;
    return ModelConfiguration.of(served, served(model), device(), delayMicros);
  }

  /// The statistics of one version of a model, or of all of its versions that are ready.
  ///
  /// @param version null for all of them
  public StatisticsReport statistics(String model, @Nullable String version) {
    ServedModel named = catalog.ready(model, version);
    return version == null
        ? statistics(catalog.versions(model))
        : new StatisticsReport(List.of(report(named)));
  }

  /// The statistics of all versions that are ready.
  public StatisticsReport statistics() {
    return statistics(catalog.versions());
  }

  private StatisticsReport statistics(List<CatalogEntry> entries) {
    return new StatisticsReport(
        entries.stream()
            .filter(CatalogEntry.Ready.class::isInstance)
            .map(entry -> report(((CatalogEntry.Ready) entry).served()))
            .toList());
  }

  private List<String> served(String model) {
    return catalog.versions(model).stream()
        .filter(CatalogEntry.Ready.class::isInstance)
        .map(CatalogEntry::version)
        .toList();
  }

  /// All versions of all models of the repository with their states, or those that are ready.
  public List<IndexEntry> index(boolean readyOnly) {
    Stream<CatalogEntry> known = catalog.versions().stream();
    if (readyOnly) {
      return known.map(IndexEntry::of).filter(IndexEntry::isReady).toList();
    }
    Unserved.Look look = unserved.look();
    return Stream.concat(
            known.filter(Predicate.not(look.isGone())).map(IndexEntry::of),
            look.versions().stream().map(IndexEntry::of))
        .sorted(IndexEntry.ORDER)
        .toList();
  }

  private StatisticsReport.OfModel report(ServedModel served) {
    return StatisticsReport.of(served, statistics.of(served.model()), device());
  }

  private DeviceInfo.Kind device() {
    return engine.engine().device().kind();
  }
}
