package io.miniinference.service.catalog;

import io.miniinference.repository.BundledModels;
import io.miniinference.repository.ModelFile;
import io.miniinference.repository.ModelRepository;
import io.miniinference.service.config.EngineProperties;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/// Loads the models when the port is open, so that probes are answered meanwhile. If none can be
/// loaded, the service ends.
@Component
public final class ModelLoading implements SmartLifecycle {
  private static final Logger LOG = LoggerFactory.getLogger(ModelLoading.class);

  private final ModelLoads loads;
  private final Catalog catalog;
  private final EngineProperties properties;
  private volatile boolean running;

  ModelLoading(ModelLoads loads, Catalog catalog, EngineProperties properties) {
    this.loads = loads;
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
    ModelRepository repository = repository();
    repository
        .skipped()
        .forEach((path, why) -> LOG.warn("{} is left out of the repository: {}", path, why));
    List<ModelFile> files = wanted(repository);
    files.forEach(file -> catalog.put(new CatalogEntry.Loading(file.name(), file.version())));
    LOG.info("loading {} models from {}", files.size(), repository.folder());
    loads.load(files);
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
    loads.fail(name, "", "not in " + repository.folder() + " as " + name + "/VERSION/model.onnx");
    return Optional.empty();
  }
}
