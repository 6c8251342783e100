package io.miniinference.service.catalog;

import io.miniinference.repository.StoredModel;
import io.miniinference.runtime.Engine;
import io.miniinference.service.config.EngineProperties;
import io.miniinference.service.engine.EarlyEngine;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.stream.Stream;

/// The models of a start, prepared while the service's beans are made. What is not as it was when
/// it was prepared (files, settings, the engine) is prepared anew.
public final class EarlyModels {
  private final EngineProperties properties;
  private final EarlyEngine engine;
  private final FutureTask<Map<Candidate, FutureTask<Prepared>>> listing =
      new FutureTask<>(this::list);

  public EarlyModels(EngineProperties properties, EarlyEngine engine) {
    this.properties = properties;
    this.engine = engine;
  }

  /// Begins, on threads of its own, and leaves a core to the beans.
  public void begin() {
    int threads = Math.max(1, Runtime.getRuntime().availableProcessors() - 1);
    for (int i = 0; i < threads; i++) {
      Thread thread = Preparation.deepThread(this::prepareAll);
      thread.setDaemon(true);
      thread.start();
    }
  }

  private void prepareAll() {
    engine.open();
    listed().values().forEach(FutureTask::run);
  }

  /// How many were listed and not taken.
  public int left() {
    return listed().size();
  }

  private Map<Candidate, FutureTask<Prepared>> listed() {
    listing.run();
    try {
      return listing.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Map.of();
    } catch (ExecutionException e) {
      return Map.of(); // the loads list them again, and tell why
    }
  }

  private Map<Candidate, FutureTask<Prepared>> list() {
    var wanted = new WantedModels(properties);
    Map<Candidate, FutureTask<Prepared>> tasks = new ConcurrentHashMap<>();
    wanted.repository().stored().stream()
        .filter(this::isNamed)
        .flatMap(model -> candidates(wanted, model))
        .forEach(candidate -> tasks.put(candidate, new FutureTask<>(preparation(candidate))));
    return tasks;
  }

  private boolean isNamed(StoredModel model) {
    List<String> names = properties.models().names();
    return names.isEmpty() || names.contains(model.name());
  }

  private static Stream<Candidate> candidates(WantedModels wanted, StoredModel model) {
    try {
      return wanted.candidates(model).stream();
    } catch (RuntimeException e) {
      return Stream.of(); // its load tells why
    }
  }

  private Callable<Prepared> preparation(Candidate candidate) {
    return () -> Preparation.prepare(engine.open().orElseThrow(), properties, candidate);
  }

  /// A model that was prepared for an engine, once. What is not begun is done now, and what is
  /// under way is waited for.
  ///
  /// @throws Throwable as its preparation did
  Optional<Prepared> take(EngineProperties wanted, Engine loading, Candidate candidate)
      throws Throwable {
    if (!wanted.equals(properties) || engine.open().filter(loading::equals).isEmpty()) {
      return Optional.empty();
    }
    FutureTask<Prepared> task = listed().remove(candidate);
    if (task == null) {
      return Optional.empty();
    }
    task.run();
    try {
      return Optional.of(task.get());
    } catch (ExecutionException e) {
      throw e.getCause() == null ? e : e.getCause();
    }
  }
}
