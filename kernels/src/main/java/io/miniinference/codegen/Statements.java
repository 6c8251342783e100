package io.miniinference.codegen;

import java.util.Arrays;
import java.util.stream.Collectors;

/// Statements of kernel text as they stand one after the other, to fill a hole with.
public final class Statements {
  private Statements() {}

  /// The texts of `parts` in that order, each from a line of its own; empty ones are left out.
  public static String of(Object... parts) {
    return Arrays.stream(parts)
        .map(Object::toString)
        .filter(text -> !text.isEmpty())
        .collect(Collectors.joining("\n"));
  }
}
