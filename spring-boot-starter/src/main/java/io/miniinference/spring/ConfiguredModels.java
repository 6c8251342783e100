package io.miniinference.spring;

import io.miniinference.repository.BundledModels;
import io.miniinference.repository.ModelFile;
import io.miniinference.repository.ModelRepository;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The models that an application's properties ask for.
final class ConfiguredModels {
  private ConfiguredModels() {}

  /// Their files; none if neither a repository nor names are set.
  ///
  /// @throws NoSuchModelException if a name is not in the repository
  static List<ModelFile> files(EngineProperties properties) {
    Path folder = properties.models().repository();
    List<String> names = properties.models().names();
    if (folder == null && names.isEmpty()) {
      return List.of();
    }
    ModelRepository repository = repository(folder, properties);
    return names.isEmpty()
        ? repository.models()
        : names.stream().map(name -> find(name, repository)).toList();
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

  private static ModelFile find(String name, ModelRepository repository) {
    return repository.find(name).orElseThrow(() -> missing(name, repository));
  }

  private static NoSuchModelException missing(String name, ModelRepository repository) {
    String known =
        repository.models().stream().map(ModelFile::name).collect(Collectors.joining(", "));
    String leftOut = repository.skipped().get(repository.folder().resolve(name));
    return new NoSuchModelException(
        "engine.models.names has '%s', and in %s there is %s"
                .formatted(name, repository.folder(), known.isEmpty() ? "no model" : known)
            + (leftOut == null ? "" : "; the folder " + name + " is left out: " + leftOut));
  }
}
