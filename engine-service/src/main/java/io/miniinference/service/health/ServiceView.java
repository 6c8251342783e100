package io.miniinference.service.health;

import io.miniinference.runtime.Engine;
import io.miniinference.service.admission.Admission;
import io.miniinference.service.catalog.Catalog;
import io.miniinference.service.catalog.CatalogEntry;
import io.miniinference.service.config.EngineProperties;
import io.miniinference.service.config.ModelSettings;
import io.miniinference.service.engine.RunningEngine;
import io.miniinference.spring.observe.EngineView;
import io.miniinference.spring.observe.ModelView;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/// The engine and the models of the service, which come and go while it runs. A model that is
/// loaded takes no requests while its circuit breaker is open.
@Component
final class ServiceView implements EngineView {
  private final RunningEngine engine;
  private final Catalog catalog;
  private final Admission admission;
  private final EngineProperties.Models properties;

  ServiceView(
      RunningEngine engine, Catalog catalog, Admission admission, EngineProperties properties) {
    this.engine = engine;
    this.catalog = catalog;
    this.admission = admission;
    this.properties = properties.models();
  }

  @Override
  public Optional<Engine> engine() {
    return engine.openEngine();
  }

  @Override
  public String whyClosed() {
    return engine.isLost() ? "lost, and is being opened anew" : "not open";
  }

  @Override
  public List<ModelView> models() {
    List<CatalogEntry> entries = catalog.entries();
    return Stream.concat(
            entries.stream().map(this::view),
            missing(entries).stream()
                .map(name -> ModelView.other(name, "", "missing", "not in the repository")))
        .toList();
  }

  private ModelView view(CatalogEntry entry) {
    return switch (entry) {
      case CatalogEntry.Ready ready -> view(ready);
      case CatalogEntry.Loading loading -> without(loading, "loading", null);
      case CatalogEntry.Failed failed -> without(failed, "failed", failed.problem());
      case CatalogEntry.Recovering recovering ->
          without(recovering, "recovering", "the device was lost");
      case CatalogEntry.Unloading unloading -> without(unloading, "unloading", null);
      case CatalogEntry.Unloaded unloaded -> without(unloaded, ModelView.UNLOADED, null);
    };
  }

  private ModelView view(CatalogEntry.Ready ready) {
    ModelView view =
        ModelView.ready(ready.name(), ready.version(), ready.model(), ready.figures().seconds());
    return admission.closedFor(ready.name()).map(view::resting).orElse(view);
  }

  private static ModelView without(CatalogEntry entry, String state, @Nullable String reason) {
    return ModelView.other(entry.name(), entry.version(), state, reason);
  }

  @Override
  public boolean areRequiredModelsReady() {
    List<CatalogEntry> entries = catalog.entries();
    boolean requiredServe =
        entries.stream().filter(entry -> isRequired(entry.name())).allMatch(this::takesRequests);
    return requiredServe && missing(entries).isEmpty() && enough(entries);
  }

  /* All of no models are there; any of none is not. */
  private boolean enough(List<CatalogEntry> entries) {
    return properties.isAnyEnough()
        ? entries.stream().anyMatch(this::takesRequests)
        : entries.stream().anyMatch(ServiceView::isLoaded) || catalog.expectsNone();
  }

  private static boolean isLoaded(CatalogEntry entry) {
    return entry instanceof CatalogEntry.Ready;
  }

  /* What is set for the model, in its file or as a property, goes before what is set for all. A model that
  is loaded or unloaded while others are served does not count as one of all. */
  private boolean isRequired(String model) {
    Optional<ModelSettings> expected = catalog.expected(model);
    return expected
        .map(ModelSettings::required)
        .orElseGet(() ->
            properties.isRequired(model)
                && (expected.isPresent() || properties.isRequiredByName(model)));
  }

  private List<String> missing(List<CatalogEntry> entries) {
    Set<String> known = entries.stream().map(CatalogEntry::name).collect(Collectors.toSet());
    return properties.requiredNames().stream().filter(name -> !known.contains(name)).toList();
  }

  private boolean takesRequests(CatalogEntry entry) {
    return entry instanceof CatalogEntry.Ready && admission.closedFor(entry.name()).isEmpty();
  }

  @Override
  public void onModel(Consumer<String> listener) {
    catalog.onEntry(entry -> listener.accept(entry.name()));
    catalog.entries().forEach(entry -> listener.accept(entry.name()));
  }
}
