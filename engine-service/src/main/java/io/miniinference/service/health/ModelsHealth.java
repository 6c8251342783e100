package io.miniinference.service.health;

import io.miniinference.service.admission.Admission;
import io.miniinference.service.catalog.Catalog;
import io.miniinference.service.catalog.CatalogEntry;
import io.miniinference.service.config.EngineProperties;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/// The health of the models: up if those that `engine.models.required` wants take requests. A model
/// that is loaded takes none while its circuit breaker is open.
final class ModelsHealth implements HealthIndicator {
  private final Catalog catalog;
  private final Admission admission;
  private final EngineProperties.Models properties;

  ModelsHealth(Catalog catalog, Admission admission, EngineProperties.Models properties) {
    this.catalog = catalog;
    this.admission = admission;
    this.properties = properties;
  }

  @Override
  public Health health() {
    List<CatalogEntry> entries = catalog.entries();
    Health.Builder health = isReady(entries) ? Health.up() : Health.down();
    entries.forEach(entry -> health.withDetail(entry.name(), detail(entry)));
    missing(entries)
        .forEach(name -> health.withDetail(name, state("missing", "", "not in the repository")));
    return health.build();
  }

  private boolean isReady(List<CatalogEntry> entries) {
    boolean requiredServe =
        entries.stream().filter(entry -> isRequired(entry.name())).allMatch(this::takesRequests);
    return requiredServe && missing(entries).isEmpty() && enough(entries);
  }

  private boolean enough(List<CatalogEntry> entries) {
    return entries.stream()
        .anyMatch(properties.isAnyEnough() ? this::takesRequests : ModelsHealth::isLoaded);
  }

  private static boolean isLoaded(CatalogEntry entry) {
    return entry instanceof CatalogEntry.Ready;
  }

  /* A model that is loaded or unloaded while others are served does not count as one of all. */
  private boolean isRequired(String model) {
    return properties.isRequired(model)
        && (catalog.isExpected(model) || properties.isRequiredByName(model));
  }

  private List<String> missing(List<CatalogEntry> entries) {
    Set<String> known = entries.stream().map(CatalogEntry::name).collect(Collectors.toSet());
    return properties.requiredNames().stream().filter(name -> !known.contains(name)).toList();
  }

  private boolean takesRequests(CatalogEntry entry) {
    return entry instanceof CatalogEntry.Ready && admission.closedFor(entry.name()).isEmpty();
  }

  private Map<String, Object> detail(CatalogEntry entry) {
    return switch (entry) {
      case CatalogEntry.Ready ready ->
          admission
              .closedFor(ready.name())
              .map(why -> state("resting", ready.version(), why))
              .orElseGet(() -> state("ready", ready.version(), null));
      case CatalogEntry.Loading loading -> state("loading", loading.version(), null);
      case CatalogEntry.Failed failed -> state("failed", failed.version(), failed.problem());
      case CatalogEntry.Recovering recovering ->
          state("recovering", recovering.version(), "the device was lost");
      case CatalogEntry.Unloading unloading -> state("unloading", unloading.version(), null);
      case CatalogEntry.Unloaded unloaded -> state("unloaded", unloaded.version(), null);
    };
  }

  private static Map<String, Object> state(String state, String version, @Nullable String reason) {
    Map<String, Object> detail = new LinkedHashMap<>();
    detail.put("state", state);
    if (!version.isEmpty()) {
      detail.put("version", version);
    }
    if (reason != null) {
      detail.put("reason", reason);
    }
    return detail;
  }
}
