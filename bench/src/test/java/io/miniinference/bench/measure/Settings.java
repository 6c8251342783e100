package io.miniinference.bench.measure;

/// Settings as options say.
public final class Settings {
  private Settings() {}

  public static Setting of(String... options) {
    var setting = new Setting();
    Setting.commandLine(setting).parseArgs(options);
    return setting;
  }
}
