package io.miniinference.service.catalog;

import io.miniinference.repository.StoredModel;
import io.miniinference.service.catalog.CatalogEntry.Ready;
import io.miniinference.service.config.ModelSettings;
import io.miniinference.service.config.SettingsException;
import io.miniinference.service.settings.TritonConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/// Loads and unloads models while others are served. A load is a transaction: either all versions
/// that the repository has now are served, or what was served before, and the pool is as it was.
/// Requests that run on what is replaced or unloaded come to their end there.
@Component
public final class RepositoryChanges {
  private static final Logger LOG = LoggerFactory.getLogger(RepositoryChanges.class);

  private final Catalog catalog;
  private final ModelLoads loads;
  private final Preparation preparation;
  private final WantedModels models;

  RepositoryChanges(
      Catalog catalog, ModelLoads loads, Preparation preparation, WantedModels models) {
    this.catalog = catalog;
    this.loads = loads;
    this.preparation = preparation;
    this.models = models;
  }

  /// Serves the versions of a model that the repository has now. Versions whose files and settings
  /// are those that were loaded stay as they are.
  ///
  /// @param config in the place of its `config.pbtxt`, as JSON, for this load; null for the file
  /// @throws UnknownModelException if the repository has no such model
  /// @throws ModelLoadException if one of its versions cannot be loaded
  public void load(String name, @Nullable String config) {
    loads.exclusively(() -> {
      TritonConfig given = config == null ? null : parsed(name, config);
      change(stored(name, given), given);
    });
  }

  private StoredModel stored(String name, @Nullable TritonConfig given) {
    try {
      return models.stored(name, given);
    } catch (SettingsException e) {
      throw ModelLoadException.of(name, e);
    }
  }

  private TritonConfig parsed(String name, String config) {
    try {
      return TritonConfig.ofJson(config);
    } catch (SettingsException e) {
      ModelLoadException failure = ModelLoadException.of(name, e);
      models.repository().stored(name).ifPresent(stored -> showFailed(stored, failure));
      throw failure;
    }
  }

  private void change(StoredModel stored, @Nullable TritonConfig given) {
    List<Candidate> fresh = List.of();
    try {
      List<Candidate> wanted = models.candidates(stored, given);
      fresh = wanted.stream().filter(one -> !isServed(one)).toList();
      fresh.stream().findFirst().ifPresent(Candidate::warn);
      fresh.forEach(this::showLoading);
      serve(loadAll(fresh));
      dropOthers(stored.name(), wanted);
      catalog.expect(
          stored.name(), wanted.isEmpty() ? ModelSettings.none() : wanted.getFirst().settings());
    } catch (Throwable e) {
      ModelLoadException failure = ModelLoadException.of(stored.name(), e);
      if (fresh.isEmpty()) {
        showFailed(stored, failure);
      }
      fresh.forEach(one -> showFailed(one, failure));
      LOG.error("{}", failure.getMessage());
      throw failure;
    }
  }

  private boolean isServed(Candidate candidate) {
    return find(candidate).filter(candidate::isServedBy).isPresent();
  }

  private Optional<CatalogEntry> find(Candidate candidate) {
    return catalog.find(candidate.name(), candidate.version());
  }

  private boolean isReady(Candidate candidate) {
    return find(candidate).filter(Ready.class::isInstance).isPresent();
  }

  /* What is replaced goes on serving. */
  private void showLoading(Candidate candidate) {
    if (!isReady(candidate)) {
      catalog.put(new CatalogEntry.Loading(candidate.name(), candidate.version()));
    }
  }

  private void showFailed(Candidate candidate, ModelLoadException failure) {
    if (!isReady(candidate)) {
      catalog.put(
          new CatalogEntry.Failed(
              candidate.name(), candidate.version(), String.valueOf(failure.getMessage())));
    }
  }

  /* What is wrong with the settings of a model is told of its newest version, as at the start. */
  private void showFailed(StoredModel stored, ModelLoadException failure) {
    String version = stored.newest().version();
    boolean isServed =
        catalog.versions(stored.name()).stream().anyMatch(entry -> entry instanceof Ready);
    if (!isServed) {
      catalog.put(
          new CatalogEntry.Failed(stored.name(), version, String.valueOf(failure.getMessage())));
    }
  }

  private List<Ready> loadAll(List<Candidate> candidates) throws Throwable {
    var refused = new ConcurrentLinkedQueue<Throwable>();
    List<Prepared> prepared = preparation.prepare(candidates, (_, why) -> refused.add(why));
    Throwable first = refused.peek();
    if (first != null) {
      throw first;
    }
    List<Integer> batches = batches(prepared);
    List<Ready> loaded = new ArrayList<>();
    try {
      for (int i = 0; i < prepared.size(); i++) {
        loaded.add(loads.load(prepared.get(i), batches.get(i), leastBatch(prepared.get(i))));
      }
      return loaded;
    } catch (Throwable e) {
      loaded.forEach(ready -> ready.model().close());
      throw e;
    }
  }

  /* Planned against what is free, before anything is touched. */
  private List<Integer> batches(List<Prepared> prepared) {
    List<Integer> batches = loads.batches(prepared);
    for (int i = 0; i < batches.size(); i++) {
      if (batches.get(i) < leastBatch(prepared.get(i))) {
        throw loads.refusal(prepared, leastBatch(prepared.get(i)));
      }
    }
    return batches;
  }

  /* Clients of the version that is replaced may send batches as large as it took. */
  private int leastBatch(Prepared prepared) {
    int largest =
        catalog.versions(prepared.candidate().name()).stream()
            .filter(Ready.class::isInstance)
            .mapToInt(entry -> ((Ready) entry).model().reservedBatch())
            .max()
            .orElse(1);
    return Math.clamp(prepared.model().largestBatch(), 1, largest);
  }

  private void serve(List<Ready> loaded) {
    for (Ready ready : loaded) {
      CatalogEntry before = catalog.find(ready.name(), ready.version()).orElse(null);
      loads.enter(ready);
      if (before instanceof Ready replaced) {
        replaced.served().retire();
      }
    }
  }

  private void dropOthers(String name, List<Candidate> wanted) {
    Set<String> kept = wanted.stream().map(Candidate::version).collect(Collectors.toSet());
    catalog.versions(name).stream()
        .filter(entry -> !kept.contains(entry.version()))
        .forEach(this::drop);
  }

  /// Takes a model out of service: it gets no more requests, and its memory is back in the pool
  /// when its last ones are answered, which is waited for. Nothing is left to do for one that the
  /// repository has and that is not served.
  ///
  /// @throws UnknownModelException if there is no such model
  public void unload(String name) {
    loads.exclusively(() -> {
      if (catalog.versions(name).isEmpty() && !models.isListed(name)) {
        throw new UnknownModelException(name, null, "the repository has no such model");
      }
      catalog.dismiss(name);
      catalog.versions(name).forEach(this::drop);
    });
  }

  private void drop(CatalogEntry entry) {
    if (entry instanceof Ready ready) {
      catalog.put(new CatalogEntry.Unloading(entry.name(), entry.version()));
      ready.served().retire();
      LOG.info("model {} version {} unloaded", entry.name(), entry.version());
    }
    catalog.put(new CatalogEntry.Unloaded(entry.name(), entry.version()));
  }
}
