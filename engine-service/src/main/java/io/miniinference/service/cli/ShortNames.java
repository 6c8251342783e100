package io.miniinference.service.cli;

import java.util.Map;
import java.util.Optional;

/// What people write for a property of the service who know the options of Triton's server, or of
/// the other commands.
final class ShortNames {
  private static final String REPOSITORY = "--engine.models.repository=FOLDER";
  private static final String TRITON_PORTS =
      " (--spring.profiles.active=triton has all of Triton's ports)";
  private static final String PORT = "--server.port=9000";

  private static final Map<String, String> MEANT =
      Map.ofEntries(
          Map.entry("model-repository", REPOSITORY),
          Map.entry("model-store", REPOSITORY),
          Map.entry("repository", REPOSITORY),
          Map.entry("models", REPOSITORY),
          Map.entry("load-model", "--engine.models.names=NAME,NAME"),
          Map.entry(
              "model-control-mode",
              "--engine.repository.token=SECRET for explicit, --engine.repository.poll=10s for"
                  + " poll"),
          Map.entry("http-port", PORT + TRITON_PORTS),
          Map.entry("grpc-port", "--spring.grpc.server.port=9001" + TRITON_PORTS),
          Map.entry("metrics-port", "--management.server.port=9002" + TRITON_PORTS),
          Map.entry("http-max-input-size", "--engine.http.max-body-size=64MB"),
          Map.entry("strict-readiness", "--engine.models.required=any"),
          Map.entry("exit-timeout-secs", "--spring.lifecycle.timeout-per-shutdown-phase=30s"),
          Map.entry("port", PORT),
          Map.entry("device", "--engine.device=jvm"),
          Map.entry("pool", "--engine.pool.capacity=1GB"),
          Map.entry("precision", "--engine.precision=f16"),
          Map.entry("batch", "--engine.batching.max-size=32"));

  private ShortNames() {}

  /// The property that an option stands for, with a value to see its form.
  static Optional<String> meant(String option) {
    String name = option.replaceFirst("^--?", "").split("=", 2)[0];
    return option.startsWith("-") ? Optional.ofNullable(MEANT.get(name)) : Optional.empty();
  }
}
