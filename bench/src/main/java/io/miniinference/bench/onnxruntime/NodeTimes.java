package io.miniinference.bench.onnxruntime;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toList;

import io.miniinference.bench.measure.BenchException;
import io.miniinference.bench.measure.Spread;
import io.miniinference.bench.peer.Feed;
import io.miniinference.bench.suite.Findings;
import io.miniinference.ir.Tensor;
import io.miniinference.repository.ModelFile;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// What ONNX Runtime's own profile says of the nodes of a model.
///
/// @param micros of each run, by node
public record NodeTimes(Map<String, List<Double>> micros) {
  private static final String KERNEL = "_kernel_time";
  private static final int RUNS = 30;
  private static final int QUICK_RUNS = 3;

  /// Runs a model some times under the profiler. If it is not run, a note says why.
  ///
  /// @param outputs tensors of the types and shapes that the engine's outputs have
  public static NodeTimes of(ModelFile model, Feed feed, List<Tensor> outputs, Findings findings) {
    Path profile = findings.folder().resolve(model.name());
    try (OnnxRuntimePeer.Session all =
        OnnxRuntime.open(findings.setting().threads())
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
                groupingBy(
                    event -> name(event).replace(KERNEL, ""),
                    LinkedHashMap::new,
                    mapping(event -> event.path("dur").asDouble(), toList()))));
  }

  private static String name(JsonNode event) {
    return event.path("name").asString();
  }

  /// The time of a node, which may have been given an ending when it was rewritten.
  public Optional<Spread> of(String node) {
    return micros.entrySet().stream()
        .filter(times -> times.getKey().equals(node) || times.getKey().startsWith(node + "_"))
        .findFirst()
        .map(times -> Spread.of(times.getValue().stream().mapToDouble(each -> each)));
  }
}
