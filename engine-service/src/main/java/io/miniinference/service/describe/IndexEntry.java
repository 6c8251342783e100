package io.miniinference.service.describe;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.miniinference.service.catalog.CatalogEntry;
import io.miniinference.service.catalog.Unserved;
import io.miniinference.service.catalog.VersionOrder;
import java.util.Comparator;

/// A version of a model of the repository and its state.
///
/// @param version empty for a folder that is left out as a whole
/// @param reason why it is in no better state; empty for one that is ready
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record IndexEntry(String name, String version, String state, String reason) {
  /// By name and number.
  static final Comparator<IndexEntry> ORDER =
      Comparator.comparing(IndexEntry::name)
          .thenComparing(IndexEntry::version, VersionOrder.BY_NUMBER);

  private static final String READY = "READY";
  private static final String UNAVAILABLE = "UNAVAILABLE";

  static IndexEntry of(CatalogEntry entry) {
    return switch (entry) {
      case CatalogEntry.Ready ready -> new IndexEntry(ready.name(), ready.version(), READY, "");
      case CatalogEntry.Loading loading ->
          new IndexEntry(loading.name(), loading.version(), "LOADING", "");
      case CatalogEntry.Failed failed ->
          new IndexEntry(failed.name(), failed.version(), UNAVAILABLE, failed.problem());
      case CatalogEntry.Recovering recovering ->
          new IndexEntry(
              recovering.name(), recovering.version(), UNAVAILABLE, "the device was lost");
      case CatalogEntry.Unloading unloading ->
          new IndexEntry(unloading.name(), unloading.version(), "UNLOADING", "");
      case CatalogEntry.Unloaded unloaded ->
          new IndexEntry(unloaded.name(), unloaded.version(), UNAVAILABLE, "unloaded");
    };
  }

  static IndexEntry of(Unserved.Version left) {
    return new IndexEntry(left.name(), left.version(), UNAVAILABLE, left.reason());
  }

  boolean isReady() {
    return state.equals(READY);
  }
}
