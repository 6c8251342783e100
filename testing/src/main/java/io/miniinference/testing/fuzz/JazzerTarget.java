package io.miniinference.testing.fuzz;

import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The entry that Jazzer calls, in a process of its own.
public final class JazzerTarget {
  /// The system property that names the class of the target.
  static final String TARGET = "mie.fuzz.target";

  /// The system property that names the folder of inputs that took too much.
  static final String SUSPECTS = "mie.fuzz.suspects";

  private static final Suspects KEPT = new Suspects(Path.of(System.getProperty(SUSPECTS, "")));
  private static @Nullable FuzzTarget own;

  private JazzerTarget() {}

  /// Opens the target and has it take its seeds, for which no time is taken.
  public static void fuzzerInitialize() {
    FuzzTarget opened = Fuzzing.open(System.getProperty(TARGET, ""));
    opened.seeds().forEach(seed -> Trial.isSuspect(opened, seed));
    own = opened;
  }

  /// Takes one input.
  public static void fuzzerTestOneInput(byte[] input) {
    if (Trial.isSuspect(Objects.requireNonNull(own), input)) {
      KEPT.keep(input);
    }
  }
}
