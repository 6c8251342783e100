package io.miniinference.service.cli;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.IVersionProvider;

/// The version of the engine, for `--version`.
final class Version implements IVersionProvider {

  @Override
  public String[] getVersion() {
    return new String[] {line()};
  }

  static String line() {
    @Nullable String version = Version.class.getPackage().getImplementationVersion();
    return "mini-inference-engine "
        + (version == null ? "of a development build" : version)
        + ", Java "
        + Runtime.version();
  }
}
