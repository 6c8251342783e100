package io.miniinference.bench.report;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;

/// What was measured: a version of the sources, as the build wrote it down.
///
/// @param commit hash, or `unknown` where the build was not told
/// @param dirty whether sources differed from that commit
public record Build(String version, String commit, boolean dirty) {
  private static final String RESOURCE = "/io/miniinference/bench/build.properties";
  private static final int SHORT = 9;

  /// The build that this code is of.
  public static Build current() {
    var properties = new Properties();
    try (InputStream in = Build.class.getResourceAsStream(RESOURCE)) {
      if (in == null) {
        throw new FileNotFoundException("the jar holds no " + RESOURCE);
      }
      properties.load(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new Build(
        properties.getProperty("version", "unknown"),
        properties.getProperty("commit", "unknown"),
        Boolean.parseBoolean(properties.getProperty("dirty", "true")));
  }

  /// As tables show it: a short hash, with a plus sign if sources differed.
  public String text() {
    return commit.substring(0, Math.min(SHORT, commit.length())) + (dirty ? "+" : "");
  }
}
