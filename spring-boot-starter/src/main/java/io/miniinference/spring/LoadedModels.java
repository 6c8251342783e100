package io.miniinference.spring;

import io.miniinference.engine.InferenceEngine;
import io.miniinference.engine.InferenceModel;
import io.miniinference.engine.ModelSource;
import io.miniinference.engine.WarmUps;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The models of the application's properties, loaded together so that they share the pool.
final class LoadedModels implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(LoadedModels.class);

  private final Map<String, InferenceModel> models = new LinkedHashMap<>();
  private final WarmUps warmUps;

  LoadedModels(InferenceEngine engine, EngineProperties properties) {
    ConfiguredModels.leftOut(properties)
        .forEach((path, why) -> LOG.warn("{} is left out of the models: {}", path, why));
    ConfiguredModels.settingsForNone(properties).forEach(LOG::warn);
    List<ModelSource> sources =
        ConfiguredModels.files(properties).stream()
            .map(f -> new ModelSource(f.name(), f.path(), properties.loadOptions(f.name())))
            .toList();
    for (InferenceModel model : engine.load(sources)) {
      models.put(model.name(), model);
      properties.preparedShapes(model.name()).forEach(model.runtime()::prepare);
      LOG.info(
          "model '{}' is loaded on {}: batches up to {}, {} bytes of the pool",
          model.name(),
          engine.device().name(),
          model.maxBatch(),
          model.runtime().reservedBytes());
    }
    warmUps = new WarmUps(properties.specialisations().warmUp());
    models.values().forEach(model -> warmUps.begin(model.runtime()));
  }

  List<InferenceModel> all() {
    return List.copyOf(models.values());
  }

  Optional<InferenceModel> find(String name) {
    return Optional.ofNullable(models.get(name));
  }

  @Override
  public void close() {
    warmUps.close();
  }
}
