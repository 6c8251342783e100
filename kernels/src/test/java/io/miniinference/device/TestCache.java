package io.miniinference.device;

import java.nio.file.Path;

/// Where tests keep what drivers compile: longer than any test, since PoCL takes the first cache of
/// a process, and from build to build. Processes that test side by side have one each, so that none
/// waits for another to compile.
public final class TestCache {
  public static final Path FOLDER = Path.of(System.getProperty("mie.cache", "target/device-cache"));

  private TestCache() {}
}
