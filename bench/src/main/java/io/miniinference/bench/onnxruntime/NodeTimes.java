package io.miniinference.bench.onnxruntime;

import io.miniinference.bench.measure.Spread;
import io.miniinference.bench.peer.Feed;
import io.miniinference.ir.Tensor;
import java.nio.file.Path;
import java.util.ArrayList;
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

  /// Runs a model a number of times under the profiler.
  ///
  /// @param outputs tensors of the types and shapes that the engine's outputs have
  /// @param folder for the profile
  /// @throws io.miniinference.bench.measure.BenchException if ONNX Runtime does not run it
  public static NodeTimes of(
      Path model, Feed feed, List<Tensor> outputs, int threads, int runs, Path folder) {
    Optional<Path> profile = Optional.of(folder.resolve("nodes"));
    try (OnnxRuntimePeer.Session all =
        new OnnxRuntimePeer(threads).prepare(model, feed, outputs, profile)) {
      for (int i = 0; i < runs; i++) {
        all.outputs();
      }
      return read(all.endProfile());
    }
  }

  private static NodeTimes read(Path profile) {
    Map<String, List<Double>> micros = new LinkedHashMap<>();
    for (JsonNode event : JsonMapper.shared().readTree(profile)) {
      String name = event.path("name").asString();
      if (event.path("cat").asString().equals("Node") && name.endsWith(KERNEL)) {
        String node = name.substring(0, name.length() - KERNEL.length());
        double duration = event.path("dur").asDouble();
        micros.computeIfAbsent(node, _ -> new ArrayList<>()).add(duration);
      }
    }
    return new NodeTimes(micros);
  }

  /// The time of a node, which may have been given an ending when it was rewritten.
  public Optional<Spread> of(String node) {
    return micros.entrySet().stream()
        .filter(times -> times.getKey().equals(node) || times.getKey().startsWith(node + "_"))
        .findFirst()
        .map(times -> Spread.of(times.getValue().stream().mapToDouble(each -> each).toArray()));
  }
}
