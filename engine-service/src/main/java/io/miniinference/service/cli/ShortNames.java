package io.miniinference.service.cli;

import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// What people write for a property of the service who know the options of Triton's server, or of
/// the other commands.
final class ShortNames {
  private static final String REPOSITORY = "--engine.models.repository=FOLDER";
  private static final String NAME = "--engine.models.served-name=NAME";
  private static final String TRITON_PORTS =
      " (--spring.profiles.active=triton has all of Triton's ports)";
  private static final String PORT = "--server.port=9000";
  private static final String TRITON_NAMES =
      "--engine.metrics.triton-names=true, for all metrics of Triton's names";
  private static final String TOKENS =
      "--engine.inference.token=SECRET for inferences, --engine.repository.token=SECRET for loads";
  private static final String TLS = "--spring.grpc.server.ssl.bundle=NAME";

  private static final Map<String, String> MEANT =
      Map.ofEntries(
          Map.entry("model-repository", REPOSITORY),
          Map.entry("model-store", REPOSITORY),
          Map.entry("repository", REPOSITORY),
          Map.entry("models", REPOSITORY),
          Map.entry("model-name", NAME),
          Map.entry("model_name", NAME),
          Map.entry("served-model-name", NAME),
          Map.entry(
              "load-model", "--engine.models.names=NAME,NAME (all if it is left out, or none)"),
          Map.entry("repository-poll-secs", "--engine.repository.poll=10s"),
          Map.entry("exit-on-error", "--engine.models.required=any for false"),
          Map.entry("log-verbose", "--logging.level.io.miniinference=debug"),
          Map.entry("log-info", "--logging.level.root=warn for false"),
          Map.entry("log-warning", "--logging.level.root=error for false"),
          Map.entry("log-error", "--logging.level.root=off for false"),
          Map.entry("log-format", "--logging.structured.format.console=ecs"),
          Map.entry("log-file", "--logging.file.name=FILE"),
          Map.entry("http-restricted-api", TOKENS),
          Map.entry("grpc-restricted-protocol", TOKENS),
          Map.entry("http-address", "--server.address=ADDRESS"),
          Map.entry("grpc-address", "--spring.grpc.server.address=ADDRESS"),
          Map.entry("metrics-address", "--management.server.address=ADDRESS"),
          Map.entry(
              "allow-http", "--server.address=127.0.0.1 for false, since REST is always there"),
          Map.entry("allow-grpc", "--spring.grpc.server.enabled=false for false"),
          Map.entry("allow-metrics", "--management.endpoint.prometheus.access=none for false"),
          Map.entry("allow-cpu-metrics", TRITON_NAMES),
          Map.entry("allow-gpu-metrics", TRITON_NAMES),
          Map.entry("grpc-use-ssl", TLS),
          Map.entry("grpc-use-ssl-mutual", TLS + " with --spring.grpc.server.ssl.client-auth=need"),
          Map.entry("grpc-server-cert", TLS),
          Map.entry("grpc-server-key", TLS),
          Map.entry("grpc-root-cert", TLS),
          Map.entry("grpc-keepalive-time", "--spring.grpc.server.keepalive.time=2h"),
          Map.entry("grpc-keepalive-timeout", "--spring.grpc.server.keepalive.timeout=20s"),
          Map.entry("trace-rate", "--management.tracing.sampling.probability=0.01"),
          Map.entry(
              "trace-config",
              "--management.opentelemetry.tracing.export.otlp.endpoint=URL with"
                  + " --management.tracing.sampling.probability=0.01"),
          Map.entry("cuda-memory-pool-byte-size", "--engine.pool.capacity=1GB, for all memory"),
          Map.entry("model-load-gpu-limit", "--engine.pool.capacity=1GB, for all memory"),
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

  /// Options of Triton's server for what is so here anyway, or has nothing to be set.
  private static final Set<String> NEEDLESS =
      Set.of(
          "strict-model-config",
          "disable-auto-complete-config",
          "backend-config",
          "backend-directory",
          "cache-config",
          "cache-directory",
          "response-cache-byte-size",
          "repoagent-directory",
          "pinned-memory-pool-byte-size",
          "buffer-manager-thread-count",
          "model-load-thread-count",
          "model-load-retry-count",
          "model-namespacing",
          "min-supported-compute-capability",
          "enable-peer-access",
          "host-policy",
          "rate-limit",
          "rate-limit-resource",
          "http-thread-count",
          "grpc-infer-thread-count",
          "grpc-infer-allocation-pool-size",
          "grpc-max-response-pool-size",
          "reuse-http-port",
          "reuse-grpc-port",
          "metrics-interval-ms",
          "metrics-config");

  private ShortNames() {}

  /// What to give instead of an option that somebody may have taken from elsewhere: the property
  /// that it stands for, with a value to see its form, or nothing.
  static Optional<String> instead(String option) {
    String name = option.replaceFirst("^--?", "").split("=", 2)[0];
    if (!option.startsWith("-")) {
      return Optional.empty();
    }
    return NEEDLESS.contains(name)
        ? Optional.of("it can be left out, since nothing here needs it")
        : Optional.ofNullable(MEANT.get(name)).map(meant -> "here it is " + meant);
  }
}
