package io.miniinference.service.catalog;

import java.util.Comparator;

/// The order of versions, which are numbers without leading zeros or empty.
public final class VersionOrder {
  public static final Comparator<String> BY_NUMBER =
      Comparator.comparingInt(String::length).thenComparing(Comparator.naturalOrder());

  private VersionOrder() {}
}
