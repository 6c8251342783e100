package io.miniinference.bench.onnxruntime;

import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import io.miniinference.bench.measure.Spread;
import io.miniinference.bench.peer.Feed;
import io.miniinference.bench.peer.PeerException;
import io.miniinference.ir.Tensor;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// What ONNX Runtime's own profile says of the nodes of a model: µs of each run.
public final class NodeTimes {
  private static final String KERNEL = "_kernel_time";
  private final Map<String, List<Double>> micros = new LinkedHashMap<>();

  private NodeTimes() {}

  /// Runs a model a number of times under the profiler.
  ///
  /// @param outputs tensors of the types and shapes that the engine's outputs have
  /// @param folder for the profile
  /// @throws PeerException if ONNX Runtime does not run it
  public static NodeTimes of(
      Path model, Feed feed, List<Tensor> outputs, int threads, int runs, Path folder) {
    OrtEnvironment environment = OrtEnvironment.getEnvironment();
    try (var options = new OrtSession.SessionOptions()) {
      options.setIntraOpNumThreads(threads);
      options.setOptimizationLevel(OrtSession.SessionOptions.OptLevel.ALL_OPT);
      options.enableProfiling(folder.resolve("nodes").toString());
      OrtSession session = environment.createSession(model.toString(), options);
      try (OnnxRuntimeRuns all =
          OnnxRuntimeRuns.of("ONNX Runtime", environment, session, feed, outputs)) {
        for (int i = 0; i < runs; i++) {
          all.outputs();
        }
        return read(Path.of(session.endProfiling()));
      }
    } catch (OrtException e) {
      throw new PeerException("ONNX Runtime's profile: " + e.getMessage(), e);
    }
  }

  private static NodeTimes read(Path profile) {
    var times = new NodeTimes();
    for (JsonNode event : JsonMapper.builder().build().readTree(profile)) {
      String name = event.path("name").asString();
      if (event.path("cat").asString().equals("Node") && name.endsWith(KERNEL)) {
        times
            .micros
            .computeIfAbsent(
                name.substring(0, name.length() - KERNEL.length()), _ -> new ArrayList<>())
            .add(event.path("dur").asDouble());
      }
    }
    return times;
  }

  /// The time of a node, which may have been given an ending when it was rewritten.
  public Optional<Spread> of(String node) {
    return micros.entrySet().stream()
        .filter(times -> times.getKey().equals(node) || times.getKey().startsWith(node + "_"))
        .findFirst()
        .map(times -> Spread.of(times.getValue().stream().mapToDouble(each -> each).toArray()));
  }
}
