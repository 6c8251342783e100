package io.miniinference.runtime;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// The folder in which a user's caches lie (XDG base directories).
public final class CacheFolder {
  private static final String NAME = "mini-inference-engine";

  private CacheFolder() {}

  public static Path ofUser() {
    String xdg = System.getenv("XDG_CACHE_HOME");
    return isAbsolute(xdg)
        ? Path.of(xdg, NAME)
        : Path.of(System.getProperty("user.home", "."), ".cache", NAME);
  }

  private static boolean isAbsolute(@Nullable String folder) {
    return folder != null && folder.startsWith("/");
  }
}
