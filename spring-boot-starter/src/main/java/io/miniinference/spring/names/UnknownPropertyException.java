package io.miniinference.spring.names;

import java.util.List;

/// Properties `engine.*` are set that no class binds.
public final class UnknownPropertyException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /// @param problems a line for each, with where it is set and the name that is most like it
  UnknownPropertyException(List<String> problems) {
    super(
        (problems.size() == 1 ? "unknown property " : "unknown properties:\n  ")
            + String.join("\n  ", problems));
  }
}
