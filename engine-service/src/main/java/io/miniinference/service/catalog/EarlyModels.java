package io.miniinference.service.catalog;

import io.miniinference.repository.StoredModel;
import io.miniinference.runtime.Engine;
import io.miniinference.service.config.EngineProperties;
import io.miniinference.service.engine.EarlyEngine;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The models of a start, prepared while the service's beans are made, and then built, as many as
/// the pool will hold. What is not as it was when it was prepared (files, settings, the engine) is
/// prepared anew.
public final class EarlyModels {
  private static final Logger LOG = LoggerFactory.getLogger(EarlyModels.class);

  private final EngineProperties properties;
  private final EarlyEngine engine;
  private final FutureTask<Listing> listing = new FutureTask<>(this::list);
  private final FutureTask<?> building = new FutureTask<>(this::buildAll, null);

  /// Held while a model is built.
  private final Object builds = new Object();

  /// Guarded by [#builds].
  private boolean ended;

  /// @param tasks in their order, of versions of one model the newest first
  /// @param left those that nobody took
  private record Listing(Map<Candidate, FutureTask<Prepared>> tasks, Set<Candidate> left) {}

  public EarlyModels(EngineProperties properties, EarlyEngine engine) {
    this.properties = properties;
    this.engine = engine;
  }

  /// Begins, on threads of its own, and leaves a core to the beans. A process that ends meanwhile
  /// waits for what is being built, since a driver's compiler may fail when it is cut off.
  public void begin() {
    try {
      Runtime.getRuntime().addShutdownHook(new Thread(this::end));
    } catch (IllegalStateException e) {
      return; // the process ends already
    }
    int threads = Math.max(1, Runtime.getRuntime().availableProcessors() - 1);
    for (int i = 0; i < threads; i++) {
      Thread thread = Preparation.deepThread(this::prepareAll);
      thread.setDaemon(true);
      thread.start();
    }
  }

  private void prepareAll() {
    engine.open();
    listed().tasks.values().forEach(FutureTask::run);
    building.run();
  }

  /* Once, by the first thread that has no model to prepare any more. */
  private void buildAll() {
    List<Prepared> prepared = new ArrayList<>();
    listed().tasks.values().forEach(task -> done(task).ifPresent(prepared::add));
    if (!prepared.isEmpty()) {
      List<Integer> batches =
          RoomOrder.batches(prepared, properties.models(), engine.open().orElseThrow().pool());
      for (int i = 0; i < prepared.size(); i++) {
        if (batches.get(i) > 0) {
          build(prepared.get(i));
        }
      }
    }
  }

  private void build(Prepared prepared) {
    synchronized (builds) {
      try {
        if (!ended) {
          prepared.build();
        }
      } catch (RuntimeException e) { // its load tries again, and tells why
        LOG.debug("model '{}' was not built ahead of its load", prepared.candidate().name(), e);
      }
    }
  }

  /* What was prepared, which is waited for; empty if it cannot be. */
  private static Optional<Prepared> done(FutureTask<Prepared> task) {
    try {
      return Optional.of(task.get());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    } catch (ExecutionException e) {
      return Optional.empty(); // its load tells why
    }
  }

  /// Builds nothing more, when what is being built is, and gives back what nobody took.
  public void end() {
    synchronized (builds) {
      ended = true;
    }
    if (listing.isDone()) {
      Listing all = listed();
      all.left.stream()
          .map(all.tasks::get)
          .filter(FutureTask::isDone)
          .forEach(task -> done(task).ifPresent(one -> one.model().close()));
    }
  }

  /// How many were listed and not taken.
  public int left() {
    return listed().left.size();
  }

  private Listing listed() {
    listing.run();
    try {
      return listing.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return new Listing(Map.of(), Set.of());
    } catch (ExecutionException e) {
      return new Listing(Map.of(), Set.of()); // the loads list them again, and tell why
    }
  }

  private Listing list() {
    var wanted = new WantedModels(properties);
    Map<Candidate, FutureTask<Prepared>> tasks = new LinkedHashMap<>();
    wanted.repository().stored().stream()
        .filter(model -> properties.models().isNamed(model.name()))
        .flatMap(model -> candidates(wanted, model))
        .forEach(candidate -> tasks.put(candidate, new FutureTask<>(preparation(candidate))));
    Set<Candidate> left = ConcurrentHashMap.newKeySet();
    left.addAll(tasks.keySet());
    return new Listing(tasks, left);
  }

  private static Stream<Candidate> candidates(WantedModels wanted, StoredModel model) {
    try {
      return wanted.candidates(model, null).stream();
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
    Listing all = listed();
    FutureTask<Prepared> task = all.tasks.get(candidate);
    if (task == null || !all.left.remove(candidate)) {
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
