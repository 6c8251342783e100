package io.miniinference.service.catalog;

import io.miniinference.device.DeviceException;
import io.miniinference.engine.BatchSharing;
import io.miniinference.onnx.ModelException;
import io.miniinference.repository.ModelFile;
import io.miniinference.runtime.Engine;
import io.miniinference.runtime.InvalidRequestException;
import io.miniinference.runtime.LoadOptions;
import io.miniinference.runtime.LoadRefusedException;
import io.miniinference.runtime.Model;
import io.miniinference.runtime.PreparedModel;
import io.miniinference.service.config.EngineProperties;
import io.miniinference.service.config.ModelSettings;
import io.miniinference.service.engine.RunningEngine;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/// Loads models together: prepares them side by side, shares the free pool among them
/// ([BatchSharing]), and loads one after the other. What is already served keeps what it has. A
/// model that cannot be loaded is refused, whatever its load ended with, and the others are loaded.
@Component
final class ModelLoads {
  private static final Logger LOG = LoggerFactory.getLogger(ModelLoads.class);

  /// Of the threads that prepare: graphs are walked by recursion.
  private static final long STACK_BYTES = 64L << 20;

  private final RunningEngine engine;
  private final Catalog catalog;
  private final EngineProperties properties;
  private final SpecialisationMeters meters;

  ModelLoads(
      RunningEngine engine,
      Catalog catalog,
      EngineProperties properties,
      SpecialisationMeters meters) {
    this.meters = meters;
    this.engine = engine;
    this.catalog = catalog;
    this.properties = properties;
  }

  /// @param nanos that it took
  private record Prepared(ModelFile file, PreparedModel model, long nanos) {}

  /// Loads models that are entered as loading, and enters what became of each.
  synchronized void load(List<ModelFile> files) {
    List<Prepared> prepared = prepare(files);
    List<PreparedModel> models = prepared.stream().map(Prepared::model).toList();
    List<Integer> batches = BatchSharing.batches(models, freeBytes());
    load(prepared, batches, true);
    load(prepared, batches, false);
  }

  private long freeBytes() {
    var pool = engine.engine().pool().statistics();
    return pool.freeBytes() + pool.heldBytes();
  }

  private List<Prepared> prepare(List<ModelFile> files) {
    int threads = Math.clamp(files.size(), 1, Runtime.getRuntime().availableProcessors());
    ThreadFactory deep = task -> new Thread(null, task, "preparing a model", STACK_BYTES);
    try (ExecutorService executor = Executors.newFixedThreadPool(threads, deep)) {
      List<Future<Optional<Prepared>>> all =
          files.stream().map(file -> executor.submit(() -> prepare(file))).toList();
      return all.stream().map(ModelLoads::result).flatMap(Optional::stream).toList();
    }
  }

  private static Optional<Prepared> result(Future<Optional<Prepared>> future) {
    try {
      return future.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while models were prepared", e);
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause());
    }
  }

  private Optional<Prepared> prepare(ModelFile file) {
    long start = System.nanoTime();
    try {
      Engine open = engine.engine();
      PreparedModel model = open.prepare(file.name(), file.path(), options(file.name()));
      return Optional.of(new Prepared(file, model, System.nanoTime() - start));
    } catch (Throwable e) {
      refuse(file, e);
      return Optional.empty();
    }
  }

  private LoadOptions options(String model) {
    LoadOptions defaults = LoadOptions.defaults();
    ModelSettings settings = properties.models().settingsOf(model);
    return new LoadOptions(
        Objects.requireNonNullElse(settings.maxBatchSize(), properties.batching().maxSize()),
        Objects.requireNonNullElse(settings.instances(), properties.instances()),
        settings.dimensions(),
        defaults.inputShapes(),
        defaults.inputValues(),
        properties.loops().maxIterations(),
        properties.specialisations().max());
  }

  /* Those without room come last: what they lack is told once the others have what is theirs. */
  private void load(List<Prepared> prepared, List<Integer> batches, boolean withRoom) {
    for (int i = 0; i < batches.size(); i++) {
      if (batches.get(i) > 0 == withRoom) {
        load(prepared.get(i), Math.max(1, batches.get(i)));
      }
    }
  }

  private void load(Prepared prepared, int batch) {
    ModelFile file = prepared.file();
    long start = System.nanoTime();
    long kernels = kernels();
    try {
      Model model = compiled(prepared.model().load(batch), file);
      double seconds = (prepared.nanos() + System.nanoTime() - start) / 1e9;
      var figures = LoadFigures.of(prepared.model(), batch, seconds, kernels() - kernels);
      var ready = new CatalogEntry.Ready(file.name(), file.version(), model, figures);
      catalog.put(ready);
      LoadLines.tell(ready);
    } catch (LoadRefusedException e) {
      if (batch == 1) {
        refuse(file, e);
      } else {
        load(prepared, Integer.highestOneBit(batch - 1)); // the free bytes lie apart
      }
    } catch (Throwable e) {
      refuse(file, e);
    }
  }

  /* For the shapes that are to be there before it is ready. */
  private Model compiled(Model model, ModelFile file) {
    try {
      properties.models().settingsOf(file.name()).preparedShapes().forEach(model::prepare);
      model.specialisations().ifPresent(_ -> meters.show(file.name()));
      return model;
    } catch (Throwable e) {
      model.close();
      throw e;
    }
  }

  private long kernels() {
    return engine.engine().driverCalls().variants();
  }

  private void refuse(ModelFile file, Throwable why) {
    String problem =
        switch (why) {
          case ModelException e -> String.valueOf(e.getMessage());
          case LoadRefusedException e -> String.valueOf(e.getMessage());
          case InvalidRequestException e -> String.valueOf(e.getMessage());
          case DeviceException e -> String.valueOf(e.getMessage());
          case StackOverflowError _ -> "its graph is nested too deeply";
          case OutOfMemoryError e -> "the JVM's heap is too small for it: " + e.getMessage();
          default -> {
            LOG.error("defect while loading model '{}'", file.name(), why);
            yield "defect of the engine: " + why.getMessage();
          }
        };
    fail(file.name(), file.version(), problem);
  }

  /// Enters a model that is not served, and why.
  void fail(String name, String version, String problem) {
    catalog.put(new CatalogEntry.Failed(name, version, problem));
    LOG.error("model '{}' is not served: {}", name, problem);
  }
}
