package io.miniinference.service.catalog;

import io.miniinference.repository.LeftOut;
import io.miniinference.repository.RepositoryContents;
import io.miniinference.repository.RepositoryException;
import io.miniinference.repository.StoredModel;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/// What lies in the repository now and was never loaded: what is left out of it, and models that
/// are not among those that are served.
@Component
public final class Unserved {
  private static final Logger LOG = LoggerFactory.getLogger(Unserved.class);

  private final Catalog catalog;
  private final WantedModels models;

  Unserved(Catalog catalog, WantedModels models) {
    this.catalog = catalog;
    this.models = models;
  }

  /// A version of a model.
  ///
  /// @param version empty for a model as a whole
  /// @param reason why it is not served
  public record Version(String name, String version, String reason) {}

  /// One look at the repository.
  ///
  /// @param versions all of it that is not served; nothing if it cannot be read now
  /// @param isGone whether a version that was unloaded lies there no more; not known to be so if it
  ///   cannot be read now
  public record Look(List<Version> versions, Predicate<CatalogEntry> isGone) {
    private static final Look AT_NOTHING = new Look(List.of(), _ -> false);
  }

  /// What lies there now.
  public Look look() {
    try {
      RepositoryContents found = models.repository().contents();
      return new Look(
          Stream.concat(notLoaded(found), leftOut(found)).toList(),
          entry -> entry instanceof CatalogEntry.Unloaded && !lies(found, entry));
    } catch (RepositoryException e) {
      LOG.debug("the repository cannot be looked at", e);
      return Look.AT_NOTHING;
    }
  }

  private static boolean lies(RepositoryContents found, CatalogEntry entry) {
    return found.models().stream()
        .filter(model -> model.name().equals(entry.name()))
        .flatMap(model -> model.versions().stream())
        .anyMatch(file -> file.version().equals(entry.version()));
  }

  private Stream<Version> notLoaded(RepositoryContents found) {
    return found.models().stream()
        .filter(model -> catalog.versions(model.name()).isEmpty())
        .flatMap(model -> model.versions().stream())
        .map(file -> new Version(file.name(), file.version(), "it was not loaded"));
  }

  /* Not what lies beside that which is served. */
  private Stream<Version> leftOut(RepositoryContents found) {
    return found.leftOut().stream()
        .filter(one -> !isKnown(one) && found.models().stream().noneMatch(model -> has(model, one)))
        .map(one -> new Version(one.model(), one.version(), one.why()));
  }

  private boolean isKnown(LeftOut one) {
    return one.version().isEmpty()
        ? !catalog.versions(one.model()).isEmpty()
        : catalog.find(one.model(), one.version()).isPresent();
  }

  private static boolean has(StoredModel model, LeftOut one) {
    return model.name().equals(one.model())
        && (one.version().isEmpty()
            || model.versions().stream().anyMatch(file -> file.version().equals(one.version())));
  }
}
