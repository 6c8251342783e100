package io.miniinference.service.catalog;

import io.miniinference.device.DriverCalls;
import io.miniinference.runtime.Engine;
import io.miniinference.runtime.LoadRefusedException;
import io.miniinference.runtime.Model;
import io.miniinference.service.config.EngineProperties;
import io.miniinference.service.engine.RunningEngine;
import io.miniinference.service.shapes.SeenTensors;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/// Loads models together: prepares them side by side, shares the free pool among them
/// (`BatchSharing`), and loads one after the other. What is already served keeps what it has. A
/// model that cannot be loaded is refused, whatever its load ended with, and the others are loaded.
@Component
final class ModelLoads {
  private static final Logger LOG = LoggerFactory.getLogger(ModelLoads.class);

  private final RunningEngine engine;
  private final Catalog catalog;
  private final Preparation preparation;
  private final SpecialisationMeters meters;
  private final LoadedModels loaded;
  private final EngineProperties properties;

  /// Held by what changes which models are served.
  private final ReentrantLock changing = new ReentrantLock();

  ModelLoads(
      RunningEngine engine,
      Catalog catalog,
      Preparation preparation,
      SpecialisationMeters meters,
      LoadedModels loaded,
      EngineProperties properties) {
    this.properties = properties;
    this.meters = meters;
    this.loaded = loaded;
    this.engine = engine;
    this.catalog = catalog;
    this.preparation = preparation;
  }

  /// Makes a change to what is served after those that have begun, and then warms up what it
  /// loaded.
  void exclusively(Runnable change) {
    changing.lock();
    try {
      change.run();
      loaded.warmUp();
    } finally {
      changing.unlock();
    }
  }

  /// Loads models that are entered as loading, and enters what became of each. Of versions of one
  /// model the newest come first.
  void load(List<Candidate> candidates) {
    List<Prepared> prepared = preparation.prepare(candidates, this::refuse);
    try {
      List<Integer> batches = batches(prepared);
      load(prepared, batches, true);
      load(prepared, batches, false);
    } finally {
      prepared.forEach(one -> one.model().close());
    }
  }

  /// The largest batch of each model in what is free of the pool, 0 for one without room.
  List<Integer> batches(List<Prepared> prepared) {
    return RoomOrder.batches(prepared, properties.models(), engine.engine().pool());
  }

  /// Why models do not fit beside what is served.
  LoadRefusedException refusal(List<Prepared> prepared, int batch) {
    var pool = engine.engine().pool().statistics();
    long bytes =
        prepared.stream()
            .mapToLong(one -> one.model().bytes(Math.min(batch, one.model().largestBatch())))
            .sum();
    return new LoadRefusedException(
        "it needs %,d bytes for batches up to %d beside what is served, and of the pool of %,d there are %,d free. Unload a model first, set a smaller max-batch-size, or give a larger pool (engine.pool.capacity)"
            .formatted(bytes, batch, pool.capacityBytes(), pool.freeBytes() + pool.heldBytes()));
  }

  /* Those without room come last: what they lack is told once the others have what is theirs. */
  private void load(List<Prepared> prepared, List<Integer> batches, boolean withRoom) {
    for (int i = 0; i < batches.size(); i++) {
      if (batches.get(i) > 0 == withRoom) {
        loadOrRefuse(prepared.get(i), Math.max(1, batches.get(i)));
      }
    }
  }

  private void loadOrRefuse(Prepared prepared, int batch) {
    try {
      enter(load(prepared, batch, 1));
    } catch (Throwable e) {
      refuse(prepared.candidate(), e);
    }
  }

  /// Loads a model for the largest batch for which there is room.
  ///
  /// @param batch the largest to try
  /// @param leastBatch the smallest that will do
  /// @throws LoadRefusedException if there is no room even for that, with the figures
  CatalogEntry.Ready load(Prepared prepared, int batch, int leastBatch) {
    Candidate candidate = prepared.candidate();
    Engine open = engine.engine();
    long start = System.nanoTime();
    DriverCalls before = open.driverCalls();
    LoadFigures figures = LoadFigures.before(prepared.model(), batch);
    try {
      Model model = compiled(prepared.load(batch), candidate);
      double seconds = (prepared.nanos().get() + System.nanoTime() - start) / 1e9;
      return new CatalogEntry.Ready(
          new ServedModel(
              candidate.name(),
              candidate.version(),
              model,
              candidate.fileName(),
              candidate.set(),
              SeenTensors.of(model, candidate.set().tensors()),
              candidate.labels(),
              new Usage(),
              failure -> engine.told(failure, open)),
          figures.loaded(seconds, before, open.driverCalls()),
          candidate);
    } catch (LoadRefusedException e) {
      if (batch <= leastBatch) {
        throw e;
      }
      // the free bytes lie apart
      return load(prepared, Math.max(leastBatch, Integer.highestOneBit(batch - 1)), leastBatch);
    }
  }

  /* For the shapes that are to be there before it is ready. */
  private static Model compiled(Model model, Candidate candidate) {
    List<Map<String, Long>> shapes = candidate.settings().preparedShapes();
    if (!shapes.isEmpty() && model.specialisations().isEmpty()) {
      LOG.warn(
          "model '{}': prepare is set, and has nothing to do: all its shapes are planned at load",
          candidate.name());
    }
    try {
      shapes.forEach(model::prepare);
      return model;
    } catch (Throwable e) {
      model.close();
      throw e;
    }
  }

  /// Lets requests at a model that is loaded.
  void enter(CatalogEntry.Ready ready) {
    catalog.put(ready);
    ready.model().specialisations().ifPresent(_ -> meters.show(ready.name()));
    loaded.add(ready.model());
    LoadLines.tell(ready);
  }

  private void refuse(Candidate candidate, Throwable why) {
    fail(candidate.name(), candidate.version(), LoadProblem.of(candidate.name(), why));
  }

  /// Enters a model that is not served, and why.
  void fail(String name, String version, String problem) {
    catalog.put(new CatalogEntry.Failed(name, version, problem));
    LOG.error("model '{}' is not served: {}", name, problem);
  }
}
