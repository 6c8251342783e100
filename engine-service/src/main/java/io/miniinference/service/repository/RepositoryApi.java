package io.miniinference.service.repository;

import io.miniinference.onnx.Quote;
import io.miniinference.service.catalog.ModelLoadException;
import io.miniinference.service.catalog.RepositoryChanges;
import io.miniinference.service.catalog.UnknownModelException;
import io.miniinference.service.config.EngineProperties;
import io.miniinference.service.serving.BearerToken;
import io.miniinference.service.serving.ErrorKind;
import io.miniinference.service.serving.ServingException;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/// Loading and unloading for all protocols: who may, and what they may ask for.
@Component
public final class RepositoryApi {
  /// A configuration in JSON, in the place of the model's `config.pbtxt`.
  private static final String CONFIG = "config";

  /// What the name of a parameter with a file's content begins with.
  private static final String FILE = "file:";

  /// Without dependent models there is nothing to do for it.
  private static final String UNLOAD_DEPENDENTS = "unload_dependents";

  private final RepositoryChanges changes;
  private final EngineProperties.Repository properties;

  RepositoryApi(RepositoryChanges changes, EngineProperties properties) {
    this.changes = changes;
    this.properties = properties.repository();
  }

  /// Refuses those who may not load and unload, before their request is read.
  ///
  /// @param authorization the header of that name, null if there is none
  /// @throws ServingException if this is off, or the token is missing or another
  public void admit(@Nullable String authorization) {
    if (!properties.isOpen()) {
      throw new ServingException(
          ErrorKind.INVALID,
          "models are not loaded or unloaded over the API: set engine.repository.token to allow it,"
              + " or put them into the repository and restart");
    }
    String token = properties.token();
    if (token != null && !new BearerToken(token).isIn(authorization)) {
      throw new ServingException(
          ErrorKind.UNAUTHENTICATED,
          "loading and unloading want the header 'authorization: Bearer TOKEN' with the token of"
              + " engine.repository.token");
    }
  }

  /// Loads a model, or what has changed of it.
  ///
  /// @param parameters of the request, by name; empty where one is no text
  /// @throws ServingException if it cannot be loaded, with what was served before still served
  public void load(String model, Map<String, Optional<String>> parameters) {
    check(parameters.keySet(), CONFIG);
    Optional<String> config = parameters.get(CONFIG);
    if (config != null && config.isEmpty()) {
      throw new ServingException(
          ErrorKind.INVALID,
          "the parameter 'config' must be a string that holds the configuration as JSON, with \\\""
              + " for each of its quotes");
    }
    try {
      changes.load(model, config == null ? null : config.get());
    } catch (ModelLoadException e) {
      throw new ServingException(kind(e.reason()), String.valueOf(e.getMessage()));
    } catch (UnknownModelException e) {
      throw new ServingException(
          ErrorKind.NOT_FOUND, // in the words that Triton's clients look for
          "failed to load %s: %s".formatted(Quote.of(model), e.getMessage()));
    }
  }

  /// Unloads a model after its last requests.
  ///
  /// @param parameters names of the request's parameters
  public void unload(String model, Set<String> parameters) {
    check(parameters, UNLOAD_DEPENDENTS);
    changes.unload(model);
  }

  private static void check(Set<String> parameters, String known) {
    Set<String> files = startingWith(FILE, parameters);
    if (!files.isEmpty()) {
      throw new ServingException(
          ErrorKind.UNSUPPORTED,
          "parameters %s are not supported: a model's files come from the repository alone"
              .formatted(files));
    }
    Set<String> unknown = startingWith("", parameters);
    unknown.remove(known);
    if (!unknown.isEmpty()) {
      throw new ServingException(
          ErrorKind.INVALID,
          "unknown parameters %s: this request takes '%s' and no others"
              .formatted(unknown.stream().map(Quote::of).toList(), known));
    }
  }

  private static Set<String> startingWith(String prefix, Set<String> names) {
    return names.stream()
        .filter(name -> name.startsWith(prefix))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static ErrorKind kind(ModelLoadException.Reason reason) {
    return switch (reason) {
      case MODEL -> ErrorKind.INVALID;
      case NO_ROOM -> ErrorKind.NO_ROOM;
      case ENGINE -> ErrorKind.INTERNAL;
    };
  }
}
