package io.miniinference.spring;

import io.miniinference.engine.InferenceEngine;
import io.miniinference.engine.InferenceModel;
import io.miniinference.engine.ModelSource;
import io.miniinference.engine.WarmUps;
import io.miniinference.repository.ModelFile;
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
    ConfiguredModels.settingsBeside(properties).forEach(LOG::warn);
    List<ModelFile> files = ConfiguredModels.files(properties);
    List<InferenceModel> loaded =
        engine.load(files.stream().map(file -> source(file, properties)).toList());
    for (int i = 0; i < loaded.size(); i++) {
      InferenceModel model = loaded.get(i);
      models.put(model.name(), model);
      properties.preparedShapes(model.name()).forEach(model.runtime()::prepare);
      LOG.info(
          "model '{}' version {} ({}) is loaded on {}: batches up to {}, {} bytes of the pool",
          model.name(),
          files.get(i).version(),
          files.get(i).path(),
          engine.device().name(),
          model.maxBatch(),
          model.runtime().reservedBytes());
    }
    warmUps =
        new WarmUps(
            properties.specialisations().warmUp(), properties.specialisations().planAhead());
    models.values().forEach(model -> warmUps.begin(model.runtime()));
  }

  private static ModelSource source(ModelFile file, EngineProperties properties) {
    try {
      return new ModelSource(file.name(), file.path(), properties.loadOptions(file.name()));
    } catch (IllegalArgumentException e) {
      throw new ConfiguredModelException(
          "model '%s' cannot be loaded so: %s".formatted(file.name(), e.getMessage()),
          "Correct engine.models.settings.%s.*, or engine.batching.max-size, engine.instances,"
                  .formatted(file.name())
              + " engine.loops.* and engine.specialisations.*, which hold for all models.");
    }
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
