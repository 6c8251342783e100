package io.miniinference.service.describe;

import java.util.List;

/// The server: its name, version and the extensions of the protocol that it speaks.
public record ServerDescription(String name, String version, List<String> extensions) {
  private static final String NAME = "mini-inference-engine";
  private static final List<String> EXTENSIONS =
      List.of(
          "binary_tensor_data",
          "classification",
          "model_configuration",
          "model_repository",
          "model_repository(unload_dependents)",
          "parameters",
          "schedule_policy",
          "statistics");

  public ServerDescription {
    extensions = List.copyOf(extensions);
  }

  /// This server.
  public static ServerDescription own() {
    String built = ServerDescription.class.getPackage().getImplementationVersion();
    return new ServerDescription(NAME, built == null ? "development" : built, EXTENSIONS);
  }
}
