package io.miniinference.service.catalog;

import io.miniinference.onnx.OnnxModel;
import io.miniinference.ops.LeadingBatch;
import io.miniinference.runtime.Engine;
import io.miniinference.runtime.LoadOptions;
import io.miniinference.runtime.ModelToLoad;
import io.miniinference.runtime.PreparedModel;
import io.miniinference.service.config.EngineProperties;
import io.miniinference.service.config.ModelSettings;
import io.miniinference.service.engine.RunningEngine;
import io.miniinference.service.shapes.ConfiguredShapes;
import io.miniinference.service.shapes.TensorBlocks;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.stereotype.Component;

/// Does of the loads of models what needs neither the device nor the pool, side by side on all
/// cores.
@Component
final class Preparation {
  /// Of the threads that prepare: graphs are walked by recursion.
  private static final long STACK_BYTES = 64L << 20;

  private final RunningEngine engine;
  private final EngineProperties properties;
  private final ObjectProvider<EarlyModels> early;

  Preparation(
      RunningEngine engine, EngineProperties properties, ObjectProvider<EarlyModels> early) {
    this.engine = engine;
    this.properties = properties;
    this.early = early;
  }

  /// Prepares models, in their order.
  ///
  /// @param refused is told of each that cannot be prepared, and of whatever that ended with
  List<Prepared> prepare(List<Candidate> candidates, BiConsumer<Candidate, Throwable> refused) {
    int threads = Math.clamp(candidates.size(), 1, Runtime.getRuntime().availableProcessors());
    try (ExecutorService executor =
        Executors.newFixedThreadPool(threads, Preparation::deepThread)) {
      List<Future<Optional<Prepared>>> all =
          candidates.stream().map(one -> executor.submit(() -> prepare(one, refused))).toList();
      return all.stream().map(Preparation::result).flatMap(Optional::stream).toList();
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

  /// A thread with room for deep graphs.
  static Thread deepThread(Runnable task) {
    return new Thread(null, task, "preparing a model", STACK_BYTES);
  }

  private Optional<Prepared> prepare(
      Candidate candidate, BiConsumer<Candidate, Throwable> refused) {
    try {
      Engine loading = engine.engine();
      EarlyModels models = early.getIfAvailable();
      Optional<Prepared> done =
          models == null ? Optional.empty() : models.take(properties, loading, candidate);
      return done.or(() -> Optional.of(prepare(loading, properties, candidate)));
    } catch (Throwable e) {
      refused.accept(candidate, e);
      return Optional.empty();
    }
  }

  /// Prepares a model on this thread.
  static Prepared prepare(Engine engine, EngineProperties properties, Candidate candidate) {
    long start = System.nanoTime();
    LoadOptions options = options(candidate.settings(), properties);
    TensorBlocks tensors = candidate.set().tensors();
    var shapes = new AtomicReference<>(ConfiguredShapes.none());
    PreparedModel model =
        tensors.saysNothing()
            ? engine.prepare(candidate.name(), candidate.file().path(), options)
            : engine.prepare(
                candidate.name(),
                candidate.file().path(),
                file -> {
                  OnnxModel seen = tensors.batched() ? LeadingBatch.named(file) : file;
                  shapes.set(ConfiguredShapes.of(seen, tensors));
                  return new ModelToLoad(seen, fixed(options, shapes.get().sizes()));
                });
    return new Prepared(candidate, model, shapes.get(), System.nanoTime() - start);
  }

  /* What is set for the model here goes before Triton's configuration. */
  private static LoadOptions fixed(LoadOptions options, Map<String, Long> sizes) {
    Map<String, Long> all = new HashMap<>(sizes);
    all.putAll(options.dimensions());
    return options.withDimensions(all);
  }

  private static LoadOptions options(ModelSettings settings, EngineProperties properties) {
    LoadOptions defaults = LoadOptions.defaults();
    return new LoadOptions(
        Objects.requireNonNullElse(settings.maxBatchSize(), properties.batching().maxSize()),
        Objects.requireNonNullElse(settings.instances(), properties.instances()),
        settings.dimensions(),
        defaults.inputShapes(),
        defaults.inputValues(),
        properties.loops().maxIterations(),
        properties.specialisations().max(),
        settings.precision(),
        settings.bounds(),
        settings.padding());
  }
}
