package io.miniinference.service.catalog;

import io.miniinference.onnx.Quote;
import io.miniinference.repository.BundledModels;
import io.miniinference.repository.FolderRules;
import io.miniinference.repository.ModelFile;
import io.miniinference.repository.ModelRepository;
import io.miniinference.repository.RepositoryContents;
import io.miniinference.repository.RepositoryException;
import io.miniinference.repository.StoredModel;
import io.miniinference.service.config.EngineProperties;
import io.miniinference.service.config.SettingsException;
import io.miniinference.service.settings.Labels;
import io.miniinference.service.settings.ModelFiles;
import io.miniinference.service.settings.TritonConfig;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.stereotype.Component;

/// Which versions of which models of the repository are to be served, as it is now.
@Component
final class WantedModels implements InitializingBean {
  private static final Logger LOG = LoggerFactory.getLogger(WantedModels.class);

  /// Files that a message names.
  private static final int MOST_NAMED = 10;

  private final EngineProperties properties;

  WantedModels(EngineProperties properties) {
    this.properties = properties;
  }

  /// Refuses a repository that cannot be read before the port is open, and tells of a name that no
  /// model gets.
  @Override
  public void afterPropertiesSet() {
    ModelRepository repository = repository();
    String name = properties.models().servedName();
    if (name != null && properties.models().repository() == null) {
      throw new RepositoryException(
          "engine.models.served-name is %s, and no engine.models.repository is set whose model it names (models are chosen by engine.models.names)"
              .formatted(Quote.of(name)));
    }
    if (name != null && !repository.isOneModel()) {
      LOG.warn(
          "no model is served as {} (engine.models.served-name): {} is not one model, and those in it keep their names",
          Quote.of(name),
          repository.folder());
    }
  }

  ModelRepository repository() {
    return repository(ModelFiles::rules);
  }

  private ModelRepository repository(ModelRepository.Rules rules) {
    Path configured = properties.models().repository();
    if (configured == null) {
      return BundledModels.unpack(properties.cacheDirectory());
    }
    var repository = new ModelRepository(configured, rules);
    String name = properties.models().servedName();
    return name == null ? repository : repository.named(name);
  }

  /// A model of the repository, whether or not it is among those that are served from the start.
  ///
  /// @param given in the place of its `config.pbtxt`; null for the file
  /// @throws UnknownModelException if there is none
  /// @throws SettingsException if there is one, without a file as it is given
  StoredModel stored(String name, @Nullable TritonConfig given) {
    ModelRepository repository =
        given == null
            ? repository()
            : repository(_ -> FolderRules.named(given.fileName())); // looks at this model alone
    RepositoryContents found = repository.contents(name);
    return found
        .model(name)
        .orElseThrow(() ->
            given != null && hasFolder(found) && (!given.fileName().isEmpty() || isStored(name))
                ? noFile(given.fileName(), found.leftOut().getFirst().path())
                : new UnknownModelException(name, null, whyNone(found)));
  }

  private boolean isStored(String name) {
    return repository().stored(name).isPresent();
  }

  private static boolean hasFolder(RepositoryContents found) {
    return !found.leftOut().isEmpty() && Files.isDirectory(found.leftOut().getFirst().path());
  }

  private static SettingsException noFile(String wanted, Path folder) {
    String missing =
        wanted.isEmpty()
            ? "without a default_model_filename the model's file is model.onnx"
            : "default_model_filename is " + Quote.of(wanted);
    return new SettingsException(
        "the parameter config: %s, which no version has; the model's folder has %s"
            .formatted(missing, filesOf(folder)));
  }

  private static String filesOf(Path folder) {
    try (Stream<Path> all = Files.walk(folder, 2)) {
      String files =
          all.filter(Files::isRegularFile)
              .sorted()
              .limit(MOST_NAMED)
              .map(file -> Quote.of(folder.relativize(file).toString()))
              .collect(Collectors.joining(", "));
      return files.isEmpty() ? "no files" : files;
    } catch (IOException | UncheckedIOException e) {
      return "files that cannot be listed: " + e.getMessage();
    }
  }

  /// Whether the repository has a model, or something that is left out, of a name.
  boolean isListed(String name) {
    return !repository().contents(name).isEmpty();
  }

  private static String whyNone(RepositoryContents found) {
    return found.leftOut().stream()
        .findFirst()
        .map(left -> "it is left out of the repository: " + left.why())
        .orElse("the repository has no such model");
  }

  /// The versions of a model that are to be served, newest first.
  ///
  /// @param given in the place of its `config.pbtxt`; null for the file
  /// @throws io.miniinference.service.config.SettingsException if what lies beside it is wrong
  List<Candidate> candidates(StoredModel model, @Nullable TritonConfig given) {
    ModelFiles set = ModelFiles.of(model, properties.models().settingsOf(model.name()), given);
    Map<String, List<String>> labels = Labels.of(model, set.settings());
    List<ModelFile> versions = set.settings().versionPolicy().of(model.versions());
    return versions.reversed().stream()
        .map(file -> new Candidate(file, set, labels, FileStamp.of(model, file)))
        .toList();
  }
}
