package io.miniinference.service.catalog;

import org.jspecify.annotations.Nullable;

/// A request for a model or version that is not served.
public final class UnknownModelException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  UnknownModelException(String name, @Nullable String version, String served) {
    super(
        "Request for unknown model: '"
            + name
            + (version == null ? "'" : "' version " + version)
            + " is not found; "
            + served);
  }
}
