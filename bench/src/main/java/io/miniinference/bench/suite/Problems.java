package io.miniinference.bench.suite;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/// What goes wrong with single models: a line each, while the suite goes on with the next one.
public final class Problems {
  private static final String OURS = "io.miniinference.";

  private final Set<String> lines = new LinkedHashSet<>();
  private final Setting setting;

  public Problems(Setting setting) {
    this.setting = setting;
  }

  /// Runs what concerns one model. An exception ends that alone.
  ///
  /// @param model its name, with which the line begins
  public void attempt(String model, Runnable work) {
    try {
      work.run();
    } catch (RuntimeException e) {
      add("%s is not measured: %s".formatted(model, message(e)));
    }
  }

  /// Our own exceptions tell thing, value and remedy; of others, the name tells most.
  private static String message(RuntimeException e) {
    boolean isOurs = e.getClass().getName().startsWith(OURS);
    return isOurs ? String.valueOf(e.getMessage()) : e.toString();
  }

  public void add(String line) {
    setting.say("PROBLEM: %s", line);
    lines.add(line);
  }

  public List<String> lines() {
    return List.copyOf(lines);
  }
}
