package io.miniinference.bench.models;

import module io.miniinference.kernels;
import module java.base;
import module tools.jackson.databind;

import io.miniinference.bench.measure.BenchException;
import io.miniinference.bench.measure.Findings;
import io.miniinference.bench.measure.Spread;

/// What ONNX Runtime's own profile says of the nodes of a model.
///
/// @param micros of each run, by node
record NodeTimes(Map<String, List<Double>> micros) {
  private static final String KERNEL = "_kernel_time";
  private static final int RUNS = 30;
  private static final int QUICK_RUNS = 3;

  /// Runs a model some times under the profiler. If it is not run, a note says why.
  ///
  /// @param outputs tensors of the types and shapes that the engine's outputs have
  static NodeTimes of(ModelFile model, Feed feed, List<Tensor> outputs, Findings findings) {
    Path profile = findings.folder().resolve(model.name());
    try (OnnxRuntimePeer.Session all =
        Peers.onnxRuntime(findings.setting().threads())
            .prepare(model.path(), feed, outputs, Optional.of(profile))) {
      for (int i = 0; i < (findings.setting().isQuick() ? QUICK_RUNS : RUNS); i++) {
        all.outputs();
      }
      return read(all.endProfile());
    } catch (BenchException e) {
      findings.note("%s: no times of ONNX Runtime's nodes: %s", model.name(), e.getMessage());
      return new NodeTimes(Map.of());
    }
  }

  private static NodeTimes read(Path profile) {
    return new NodeTimes(
        JsonMapper.shared()
            .readTree(profile)
            .valueStream()
            .filter(event -> event.path("cat").asString().equals("Node"))
            .filter(event -> name(event).endsWith(KERNEL))
            .collect(
                Collectors.groupingBy(
                    event -> name(event).replace(KERNEL, ""),
                    LinkedHashMap::new,
                    Collectors.mapping(
                        event -> event.path("dur").asDouble(), Collectors.toList()))));
  }

  private static String name(JsonNode event) {
    return event.path("name").asString();
  }

  /// The time of a node, which may have been given an ending when it was rewritten.
  Optional<Spread> of(String node) {
    return micros.entrySet().stream()
        .filter(times -> times.getKey().equals(node) || times.getKey().startsWith(node + "_"))
        .findFirst()
        .map(times -> Spread.of(times.getValue().stream().mapToDouble(each -> each)));
  }
}
