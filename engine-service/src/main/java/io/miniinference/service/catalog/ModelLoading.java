package io.miniinference.service.catalog;

import io.miniinference.device.DeviceException;
import io.miniinference.onnx.ModelException;
import io.miniinference.repository.BundledModels;
import io.miniinference.repository.ModelFile;
import io.miniinference.repository.ModelRepository;
import io.miniinference.runtime.LoadOptions;
import io.miniinference.runtime.LoadRefusedException;
import io.miniinference.runtime.Model;
import io.miniinference.service.config.EngineProperties;
import io.miniinference.service.engine.RunningEngine;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/// Loads the models when the port is open, so that probes are answered meanwhile. A model that
/// cannot be loaded is refused, whatever its load ended with, and the others serve; without any,
/// the service ends.
@Component
public final class ModelLoading implements SmartLifecycle {
  private static final Logger LOG = LoggerFactory.getLogger(ModelLoading.class);

  private final RunningEngine engine;
  private final Catalog catalog;
  private final EngineProperties properties;
  private volatile boolean running;

  ModelLoading(RunningEngine engine, Catalog catalog, EngineProperties properties) {
    this.engine = engine;
    this.catalog = catalog;
    this.properties = properties;
  }

  @Override
  public int getPhase() {
    return Integer.MAX_VALUE;
  }

  @Override
  public void start() {
    running = true;
    List<ModelFile> files = wanted(repository());
    files.forEach(file -> catalog.put(new CatalogEntry.Loading(file.name(), file.version())));
    files.forEach(this::load);
    requireOne();
  }

  private void requireOne() {
    if (catalog.entries().stream().noneMatch(CatalogEntry.Ready.class::isInstance)) {
      throw new NoModelException(catalog.entries());
    }
  }

  /// The models stay while requests are answered; they are closed with the engine.
  @Override
  public void stop() {
    running = false;
  }

  @Override
  public boolean isRunning() {
    return running;
  }

  private ModelRepository repository() {
    Path configured = properties.models().repository();
    return configured == null
        ? BundledModels.unpack(properties.cacheDirectory())
        : new ModelRepository(configured);
  }

  private List<ModelFile> wanted(ModelRepository repository) {
    List<String> names = properties.models().names();
    if (names.isEmpty()) {
      return repository.models();
    }
    return names.stream()
        .flatMap(name -> repository.find(name).or(() -> missing(name, repository)).stream())
        .toList();
  }

  private Optional<ModelFile> missing(String name, ModelRepository repository) {
    return fail(name, "", "not in " + repository.folder() + " as " + name + "/VERSION/model.onnx");
  }

  private LoadOptions options(String model) {
    LoadOptions defaults = LoadOptions.defaults();
    return new LoadOptions(
        properties.batching().maxSize(),
        properties.instances(),
        properties.models().settingsOf(model).dimensions(),
        defaults.inputShapes(),
        defaults.inputValues(),
        properties.loops().maxIterations());
  }

  private void load(ModelFile file) {
    LoadOptions options = options(file.name());
    try {
      Model model = engine.engine().load(file.name(), file.path(), options);
      catalog.put(new CatalogEntry.Ready(file.name(), file.version(), model));
    } catch (ModelException | LoadRefusedException | DeviceException e) {
      fail(file.name(), file.version(), String.valueOf(e.getMessage()));
    } catch (StackOverflowError e) {
      fail(file.name(), file.version(), "its graph is nested too deeply for this thread's stack");
    } catch (OutOfMemoryError e) {
      fail(file.name(), file.version(), "the JVM's heap is too small for it: " + e.getMessage());
    } catch (RuntimeException | Error e) {
      LOG.error("defect while loading model '{}'", file.name(), e);
      fail(file.name(), file.version(), "defect of the engine: " + e.getMessage());
    }
  }

  private Optional<ModelFile> fail(String name, String version, String problem) {
    catalog.put(new CatalogEntry.Failed(name, version, problem));
    LOG.error("model '{}' is not served: {}", name, problem);
    return Optional.empty();
  }
}
