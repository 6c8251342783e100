package io.miniinference.service.catalog;

import io.miniinference.repository.StoredModel;
import io.miniinference.service.config.EngineProperties;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/// Looks at the repository now and then, if `engine.repository.poll` says how often, and loads and
/// unloads what has changed since the last look. A change that fails is tried again when the files
/// change again.
@Component
final class RepositoryPoll implements SmartLifecycle {
  private static final Logger LOG = LoggerFactory.getLogger(RepositoryPoll.class);

  private final Catalog catalog;
  private final WantedModels models;
  private final RepositoryChanges changes;
  private final @Nullable Duration period;
  private final EngineProperties.Models properties;

  /// What the last look found, by model; null before the first one.
  private @Nullable Map<String, String> known;

  private @Nullable ScheduledExecutorService timer;

  RepositoryPoll(
      Catalog catalog,
      WantedModels models,
      RepositoryChanges changes,
      EngineProperties properties) {
    this.catalog = catalog;
    this.models = models;
    this.changes = changes;
    this.period = properties.repository().poll();
    this.properties = properties.models();
  }

  /// After the models are loaded.
  @Override
  public int getPhase() {
    return Integer.MAX_VALUE;
  }

  @Override
  public synchronized void start() {
    Duration every = period;
    if (every == null) {
      return;
    }
    ScheduledExecutorService started =
        Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("repository-poll").factory());
    started.scheduleWithFixedDelay(this::look, 0, every.toMillis(), TimeUnit.MILLISECONDS);
    timer = started;
  }

  private void look() {
    try {
      Map<String, String> before = known;
      Map<String, String> now = found();
      known = now;
      apply(before == null ? listedAtTheStart(now) : before, now);
    } catch (RuntimeException e) {
      LOG.warn("the repository cannot be looked at: {}", e.getMessage());
    }
  }

  /* What came while the models of the start were loaded is as new as what comes later. */
  private Map<String, String> listedAtTheStart(Map<String, String> now) {
    Map<String, String> listed = new HashMap<>(now);
    listed.keySet().removeIf(name -> catalog.versions(name).isEmpty());
    return listed;
  }

  private Map<String, String> found() {
    Map<String, String> found = new HashMap<>();
    for (StoredModel model : models.repository().stored()) {
      if (properties.isNamed(model.name())) {
        found.put(model.name(), text(model));
      }
    }
    return found;
  }

  private static String text(StoredModel model) {
    List<FileStamp> versions =
        model.versions().stream().map(version -> FileStamp.of(model, version)).toList();
    return FileStamp.beside(model) + " " + versions;
  }

  private void apply(Map<String, String> before, Map<String, String> now) {
    Set<String> all = new HashSet<>(before.keySet());
    all.addAll(now.keySet());
    for (String name : all) {
      if (!now.containsKey(name)) {
        tryTo(() -> changes.unload(name));
      } else if (!now.get(name).equals(before.get(name))) {
        tryTo(() -> changes.load(name, null));
      }
    }
  }

  private static void tryTo(Runnable change) {
    try {
      change.run();
    } catch (RuntimeException e) {
      LOG.debug("what was served still is", e); // why is told where it failed
    }
  }

  @Override
  public synchronized void stop() {
    ScheduledExecutorService running = timer;
    timer = null;
    if (running != null) {
      running.shutdownNow();
    }
  }

  @Override
  public synchronized boolean isRunning() {
    return timer != null;
  }
}
