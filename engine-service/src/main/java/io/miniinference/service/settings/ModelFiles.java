package io.miniinference.service.settings;

import io.miniinference.repository.StoredModel;
import io.miniinference.service.config.ModelSettings;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// What the files beside a model set for it: `model.yaml`, and Triton's `config.pbtxt` for what
/// that does not set.
public final class ModelFiles {
  private static final Logger LOG = LoggerFactory.getLogger(ModelFiles.class);
  private static final int MOST_BYTES = 64 << 10;

  /// What was warned of: a file is read several times while its model is loaded.
  private static final Set<String> TOLD = ConcurrentHashMap.newKeySet();

  private ModelFiles() {}

  /// The settings of a model.
  ///
  /// @param properties go before what lies in files
  /// @throws io.miniinference.service.config.SettingsException if a file cannot be understood
  public static ModelSettings settings(StoredModel model, ModelSettings properties) {
    return properties.over(yaml(model)).over(triton(model));
  }

  private static ModelSettings yaml(StoredModel model) {
    Path file = model.beside("model.yaml");
    return SettingsFile.text(file, MOST_BYTES)
        .map(text -> ModelYaml.parse(SettingsFile.shown(file), text))
        .orElse(ModelSettings.none());
  }

  private static ModelSettings triton(StoredModel model) {
    Path folder = model.folder();
    if (folder == null) {
      return ModelSettings.none();
    }
    Path file = folder.resolve("config.pbtxt");
    Optional<TritonConfig> config =
        SettingsFile.text(file, MOST_BYTES)
            .map(text -> TritonConfig.parse(SettingsFile.shown(file), text));
    config
        .filter(read -> !read.ignored().isEmpty())
        .ifPresent(read -> tellOnce(file + " sets what is not applied: " + read.ignored()));
    return config.map(TritonConfig::settings).orElse(ModelSettings.none());
  }

  private static void tellOnce(String line) {
    if (TOLD.add(line)) {
      LOG.warn("{}", line);
    }
  }
}
