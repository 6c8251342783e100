package io.miniinference.service.catalog;

import io.miniinference.repository.BundledModels;
import io.miniinference.repository.ModelFile;
import io.miniinference.repository.ModelRepository;
import io.miniinference.repository.StoredModel;
import io.miniinference.service.config.EngineProperties;
import io.miniinference.service.settings.Labels;
import io.miniinference.service.settings.ModelFiles;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.stereotype.Component;

/// Which versions of which models of the repository are to be served, as it is now.
@Component
final class WantedModels implements InitializingBean {
  private final EngineProperties properties;

  WantedModels(EngineProperties properties) {
    this.properties = properties;
  }

  /// Refuses a repository that cannot be read before the port is open.
  @Override
  public void afterPropertiesSet() {
    repository();
  }

  ModelRepository repository() {
    Path configured = properties.models().repository();
    return configured == null
        ? BundledModels.unpack(properties.cacheDirectory())
        : new ModelRepository(configured, ModelFiles::fileName);
  }

  /// A model of the repository, whether or not it is among those that are served from the start.
  Optional<StoredModel> stored(String name) {
    return repository().stored(name);
  }

  /// Why the repository has no model of a name.
  String whyNone(String name) {
    return repository().skipped().entrySet().stream()
        .filter(left -> name.equals(String.valueOf(left.getKey().getFileName())))
        .findFirst()
        .map(left -> "its folder is left out of the repository: " + left.getValue())
        .orElse("the repository has no such model");
  }

  /// The versions of a model that are to be served, newest first.
  ///
  /// @throws io.miniinference.service.config.SettingsException if what lies beside it is wrong
  List<Candidate> candidates(StoredModel model) {
    ModelFiles set = ModelFiles.of(model, properties.models().settingsOf(model.name()));
    Map<String, List<String>> labels = Labels.of(model, set.settings());
    List<ModelFile> versions = set.settings().versionPolicy().of(model.versions());
    return versions.reversed().stream()
        .map(file -> new Candidate(file, set, labels, FileStamp.of(model, file)))
        .toList();
  }
}
