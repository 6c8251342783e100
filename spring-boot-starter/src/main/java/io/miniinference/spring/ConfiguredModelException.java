package io.miniinference.spring;

/// Models that an application's properties ask for in a way that cannot be.
final class ConfiguredModelException extends IllegalStateException {
  private static final long serialVersionUID = 1L;

  private final String action;

  /// @param action what to do
  ConfiguredModelException(String message, String action) {
    super(message);
    this.action = action;
  }

  String action() {
    return action;
  }
}
