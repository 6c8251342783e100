package io.miniinference.testing.fuzz;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The entry that Jazzer calls, in a process of its own.
public final class JazzerTarget {
  /// The system property that names the class of the target.
  static final String TARGET = "mie.fuzz.target";

  private static @Nullable FuzzTarget own;

  private JazzerTarget() {}

  /// Opens the target and has it take its seeds, for which no time is taken.
  public static void fuzzerInitialize() {
    FuzzTarget opened = Fuzzing.open(System.getProperty(TARGET, ""));
    opened.seeds().forEach(seed -> Trial.run(opened, seed));
    own = opened;
  }

  /// Takes one input.
  public static void fuzzerTestOneInput(byte[] input) {
    Trial.run(Objects.requireNonNull(own), input);
  }
}
