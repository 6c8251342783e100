package io.miniinference.service.catalog;

import io.miniinference.runtime.Model;
import io.miniinference.service.config.ModelSettings;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/// The models of this service with their versions and states, by name. Requests look here;
/// [ModelLoading] and [RepositoryChanges] write. A request that names no version gets the highest
/// one that is ready.
@Component
public final class Catalog {
  /// By name, then by version. The inner maps are never changed, only replaced.
  private final Map<String, NavigableMap<String, CatalogEntry>> models =
      new ConcurrentSkipListMap<>();

  private final Map<String, ModelSettings> expected = new ConcurrentHashMap<>();
  private volatile boolean expectedAreKnown;
  private final Map<String, String> leftOut = new ConcurrentHashMap<>();
  private final List<Consumer<CatalogEntry>> listeners = new CopyOnWriteArrayList<>();

  /// Sets or replaces what is known of a version.
  void put(CatalogEntry entry) {
    models.compute(entry.name(), (_, known) -> with(known, entry));
    listeners.forEach(listener -> listener.accept(entry));
  }

  private static NavigableMap<String, CatalogEntry> with(
      @Nullable NavigableMap<String, CatalogEntry> known, CatalogEntry entry) {
    NavigableMap<String, CatalogEntry> all = new TreeMap<>(VersionOrder.BY_NUMBER);
    if (known != null) {
      all.putAll(known);
    }
    all.put(entry.version(), entry);
    return all;
  }

  /// Has those who ask for a model that the start left out told why.
  void leaveOut(String name, String why) {
    leftOut.put(name, why);
  }

  /// Has the service need a model that it was told to serve, as far as models are needed.
  ///
  /// @param settings with which it is to be served
  void expect(String name, ModelSettings settings) {
    expected.put(name, settings);
  }

  /// Says that the models of the start are expected by now.
  void expectNoOthers() {
    expectedAreKnown = true;
  }

  /// Whether no model is to be served: the start had none, or all of them were unloaded.
  public boolean expectsNone() {
    return expectedAreKnown && expected.isEmpty();
  }

  /// Has the service do without a model.
  void dismiss(String name) {
    expected.remove(name);
  }

  /// With which settings a model is to be served, if it is: since the start or since it was loaded,
  /// until it is unloaded.
  public Optional<ModelSettings> expected(String name) {
    return Optional.ofNullable(expected.get(name));
  }

  /// Has a listener told of each entry that is set from now on.
  public void onEntry(Consumer<CatalogEntry> listener) {
    listeners.add(listener);
  }

  /// One entry for each model, in the order of their names: of the version that is served to
  /// requests that name none.
  public List<CatalogEntry> entries() {
    return models.values().stream().map(Catalog::main).toList();
  }

  /// All versions of all models, in the order of their names and numbers.
  public List<CatalogEntry> versions() {
    return models.values().stream().map(Map::values).flatMap(Collection::stream).toList();
  }

  /// All versions of a model, in the order of their numbers; none if the model is unknown.
  public List<CatalogEntry> versions(String name) {
    NavigableMap<String, CatalogEntry> versions = models.get(name);
    return versions == null ? List.of() : List.copyOf(versions.values());
  }

  /// One entry of a model, if it is known.
  Optional<CatalogEntry> find(String name, String version) {
    return versions(name).stream().filter(entry -> entry.version().equals(version)).findFirst();
  }

  private static CatalogEntry main(NavigableMap<String, CatalogEntry> versions) {
    Map.Entry<String, CatalogEntry> highest = versions.lastEntry();
    if (highest != null && highest.getValue() instanceof CatalogEntry.Ready ready) {
      return ready; // nearly always, and asked with each request
    }
    return versions.descendingMap().values().stream()
        .max(Comparator.comparingInt(CatalogEntry::rank)) // the first of equals
        .orElseThrow();
  }

  /// The entry of a model.
  ///
  /// @param version null for the one that is served
  /// @throws UnknownModelException if there is none
  public CatalogEntry entry(String name, @Nullable String version) {
    NavigableMap<String, CatalogEntry> versions = models.get(name);
    if (versions == null) {
      throw new UnknownModelException(name, version, whyNone(name));
    }
    if (version == null) {
      return main(versions);
    }
    CatalogEntry entry = versions.get(version);
    if (entry == null) {
      throw new UnknownModelException(name, version, served(versions));
    }
    return entry;
  }

  private String whyNone(String name) {
    String why = leftOut.get(name);
    return why == null
        ? "served are " + names()
        : "it was left out of the repository at the start: " + why;
  }

  private static String served(NavigableMap<String, CatalogEntry> versions) {
    return (versions.size() == 1 ? "served is version " : "there are versions ")
        + String.join(", ", versions.keySet());
  }

  /// A model that can take requests.
  ///
  /// @throws UnknownModelException if there is none of this name and version
  /// @throws ModelNotReadyException if it is loading or failed to load
  public ServedModel ready(String name, @Nullable String version) {
    CatalogEntry entry = entry(name, version);
    return switch (entry) {
      case CatalogEntry.Ready ready -> ready.served();
      case CatalogEntry.Loading loading ->
          throw new ModelNotReadyException(name, loading.version(), "it is loading", false);
      case CatalogEntry.Failed failed ->
          throw new ModelNotReadyException(name, failed.version(), failed.problem(), true);
      case CatalogEntry.Recovering recovering ->
          throw new ModelNotReadyException(
              name, recovering.version(), "the device was lost and is being opened anew", false);
      case CatalogEntry.Unloading unloading ->
          throw new ModelNotReadyException(
              name, unloading.version(), "it is being unloaded", false);
      case CatalogEntry.Unloaded _ ->
          throw new UnknownModelException(name, version, "it was unloaded");
    };
  }

  /// What is set for a model that is loaded; nothing for any other.
  public ModelSettings settingsOf(Model model) {
    return versions(model.name()).stream()
        .filter(entry -> entry.readyModel() == model)
        .map(entry -> ((CatalogEntry.Ready) entry).served().settings())
        .findFirst()
        .orElse(ModelSettings.none());
  }

  /// Uses a model that can take requests. It stays loaded meanwhile; one that is replaced at this
  /// moment is looked for again.
  ///
  /// @throws UnknownModelException if there is none of this name and version
  /// @throws ModelNotReadyException if it is loading or failed to load
  public <T> T use(String name, @Nullable String version, Function<ServedModel, T> work) {
    ServedModel served = enter(name, version);
    try {
      return work.apply(served);
    } finally {
      served.usage().leave();
    }
  }

  /// A model that can take requests, which stays loaded until the caller leaves its usage.
  ///
  /// @throws UnknownModelException if there is none of this name and version
  /// @throws ModelNotReadyException if it is loading or failed to load
  public ServedModel enter(String name, @Nullable String version) {
    ServedModel served = ready(name, version);
    while (!served.usage().enter()) {
      served = ready(name, version); // the one that replaced it at this moment
    }
    return served;
  }

  /* Of models that take requests. */
  private String names() {
    List<String> served =
        models.entrySet().stream()
            .filter(model -> main(model.getValue()) instanceof CatalogEntry.Ready)
            .map(Map.Entry::getKey)
            .toList();
    return served.isEmpty()
        ? "no models"
        : served.stream().collect(Collectors.joining("', '", "'", "'"));
  }
}
