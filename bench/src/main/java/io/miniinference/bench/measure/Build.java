package io.miniinference.bench.measure;

import java.util.ResourceBundle;

/// What was measured: a version of the sources, as the build wrote it down.
///
/// @param commit hash, or `unknown` where the build was not told
/// @param dirty whether sources differed from that commit
public record Build(String version, String commit, boolean dirty) {
  private static final int SHORT = 9;

  /// The build that this code is of.
  public static Build current() {
    var told = ResourceBundle.getBundle("io.miniinference.bench.build");
    boolean dirty = Boolean.parseBoolean(told.getString("dirty"));
    return new Build(told.getString("version"), told.getString("commit"), dirty);
  }

  /// As tables show it: a short hash, with a plus sign if sources differed.
  public String text() {
    return commit.substring(0, Math.min(SHORT, commit.length())) + (dirty ? "+" : "");
  }
}
