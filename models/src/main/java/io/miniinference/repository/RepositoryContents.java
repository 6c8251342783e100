package io.miniinference.repository;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// What lay in a repository at one look.
///
/// @param models with all their versions, by name
/// @param leftOut what is no version of a model
public record RepositoryContents(List<StoredModel> models, List<LeftOut> leftOut) {
  public RepositoryContents {
    models = List.copyOf(models);
    leftOut = List.copyOf(leftOut);
  }

  public boolean isEmpty() {
    return models.isEmpty() && leftOut.isEmpty();
  }

  /// All versions of one model.
  public Optional<StoredModel> model(String name) {
    return models.stream().filter(model -> model.name().equals(name)).findFirst();
  }

  /// What is left out, and why, by where it lies.
  public Map<Path, String> skipped() {
    Map<Path, String> skipped = new LinkedHashMap<>();
    leftOut.forEach(one -> skipped.putIfAbsent(one.path(), one.why()));
    return skipped;
  }
}
