package io.miniinference.spring;

import io.miniinference.repository.BundledModels;
import io.miniinference.repository.ModelFile;
import io.miniinference.repository.ModelRepository;
import io.miniinference.repository.StoredModel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The models that an application's properties ask for.
final class ConfiguredModels {
  private ConfiguredModels() {}

  /// Their files; none if neither a repository nor names are set.
  ///
  /// @throws NoSuchModelException if a name is not in the repository
  /// @throws ConfiguredModelException if a name is there twice
  static List<ModelFile> files(EngineProperties properties) {
    return stored(properties).stream().map(StoredModel::newest).toList();
  }

  private static List<StoredModel> stored(EngineProperties properties) {
    Path folder = properties.models().repository();
    List<String> names = properties.models().names();
    if (folder == null && names.isEmpty()) {
      return List.of();
    }
    requireDistinct(names);
    ModelRepository repository = repository(folder, properties);
    return names.isEmpty()
        ? repository.stored()
        : names.stream().map(name -> find(name, repository)).toList();
  }

  private static void requireDistinct(List<String> names) {
    Set<String> seen = new HashSet<>();
    names.stream()
        .filter(name -> !seen.add(name))
        .findFirst()
        .ifPresent(name -> {
          throw new ConfiguredModelException(
              "engine.models.names has '%s' twice".formatted(name),
              "Name each model once in engine.models.names.");
        });
  }

  private static ModelRepository repository(@Nullable Path folder, EngineProperties properties) {
    return folder == null
        ? BundledModels.unpack(properties.cacheDirectory())
        : new ModelRepository(folder);
  }

  /// What lies in the configured repository and is no model, and why; nothing where models are
  /// named, among which a missing one ends the start.
  static Map<Path, String> leftOut(EngineProperties properties) {
    Path folder = properties.models().repository();
    return folder == null || !properties.models().names().isEmpty()
        ? Map.of()
        : new ModelRepository(folder).skipped();
  }

  /// What is set for names that no model has, mostly misspelt ones: a line for each.
  static List<String> settingsForNone(EngineProperties properties) {
    if (properties.models().settings().isEmpty()) {
      return List.of();
    }
    ModelRepository repository = repository(properties.models().repository(), properties);
    String known = known(repository);
    return properties.models().settings().keySet().stream()
        .filter(name -> repository.find(name).isEmpty())
        .sorted()
        .map(name ->
            "engine.models.settings.%s is for no model in %s, which has %s"
                .formatted(name, repository.folder(), known))
        .toList();
  }

  /// Files of settings beside models, which the service alone reads: a line for each.
  static List<String> settingsBeside(EngineProperties properties) {
    return stored(properties).stream()
        .map(model -> Map.entry(model.name(), model.beside("model.yaml")))
        .filter(beside -> Files.isRegularFile(beside.getValue()))
        .map(beside ->
            "%s is not applied, since the service alone reads it: set the same by engine.models.settings.%s.*"
                .formatted(beside.getValue(), beside.getKey()))
        .toList();
  }

  private static String known(ModelRepository repository) {
    String names =
        repository.models().stream().map(ModelFile::name).collect(Collectors.joining(", "));
    return names.isEmpty() ? "no model" : names;
  }

  private static StoredModel find(String name, ModelRepository repository) {
    return repository.stored(name).orElseThrow(() -> missing(name, repository));
  }

  private static NoSuchModelException missing(String name, ModelRepository repository) {
    String leftOut = repository.skipped().get(repository.folder().resolve(name));
    return new NoSuchModelException(
        "engine.models.names has '%s', and in %s there is %s"
                .formatted(name, repository.folder(), known(repository))
            + (leftOut == null ? "" : "; the folder " + name + " is left out: " + leftOut));
  }
}
