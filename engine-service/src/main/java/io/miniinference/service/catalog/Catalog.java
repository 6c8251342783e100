package io.miniinference.service.catalog;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/// The models of this service and their state, by name. Requests look here; [ModelLoading] writes.
@Component
public final class Catalog {
  private final Map<String, CatalogEntry> entries = new ConcurrentSkipListMap<>();
  private final List<Consumer<CatalogEntry>> listeners = new CopyOnWriteArrayList<>();

  /// Sets or replaces what is known of a model.
  void put(CatalogEntry entry) {
    entries.put(entry.name(), entry);
    listeners.forEach(listener -> listener.accept(entry));
  }

  /// Has a listener told of each entry that is set from now on.
  public void onEntry(Consumer<CatalogEntry> listener) {
    listeners.add(listener);
  }

  void remove(String name) {
    entries.remove(name);
  }

  /// All entries in the order of their names.
  public List<CatalogEntry> entries() {
    return List.copyOf(entries.values());
  }

  /// The entry of a model.
  ///
  /// @param version null for the one that is served
  /// @throws UnknownModelException if there is none
  public CatalogEntry entry(String name, @Nullable String version) {
    CatalogEntry entry = entries.get(name);
    if (entry == null) {
      throw new UnknownModelException(name, version, "served are " + names());
    }
    if (version != null && !version.equals(entry.version())) {
      throw new UnknownModelException(name, version, "served is version " + entry.version());
    }
    return entry;
  }

  /// A model that can take requests.
  ///
  /// @throws UnknownModelException if there is none of this name and version
  /// @throws ModelNotReadyException if it is loading or failed to load
  public ServedModel ready(String name, @Nullable String version) {
    return switch (entry(name, version)) {
      case CatalogEntry.Ready ready -> ready.served();
      case CatalogEntry.Loading loading ->
          throw new ModelNotReadyException(name, loading.version(), "it is loading");
      case CatalogEntry.Failed failed ->
          throw new ModelNotReadyException(name, failed.version(), failed.problem());
    };
  }

  private String names() {
    return entries.isEmpty()
        ? "no models"
        : entries.keySet().stream().collect(Collectors.joining("', '", "'", "'"));
  }
}
