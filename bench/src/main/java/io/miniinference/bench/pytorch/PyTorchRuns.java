package io.miniinference.bench.pytorch;

import io.miniinference.bench.measure.Slice;
import io.miniinference.bench.peer.Memory;
import io.miniinference.bench.peer.ModelRunner;
import io.miniinference.bench.peer.Peer;
import io.miniinference.bench.peer.PeerException;
import io.miniinference.ir.Tensor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.StreamSupport;
import tools.jackson.databind.JsonNode;

/// A model and a feed in the process of PyTorch. It holds one at a time.
final class PyTorchRuns implements Peer.Runs {
  private static final Duration PATIENCE = Duration.ofMinutes(3);
  private static final Map<String, String> MODES = Map.of("eager", "eager", "graph", "CUDA graph");

  private final String name;
  private final PeerProcess process;
  private final List<Tensor> outputs;
  private final List<ModelRunner> runners = new ArrayList<>();
  private final List<String> notes = new ArrayList<>();

  private PyTorchRuns(String name, PeerProcess process, List<Tensor> outputs) {
    this.name = name;
    this.process = process;
    this.outputs = outputs;
  }

  static PyTorchRuns prepare(
      String name, PeerProcess process, Exchange exchange, PyTorch.Work work) {
    JsonNode answer =
        process.ask(
            Map.of(
                "do", "prepare",
                "model", work.model().toAbsolutePath().toString(),
                "inputs", exchange.send(work.feed().inputs()),
                "outputs", exchange.places(work.outputs().size())),
            PATIENCE);
    var runs = new PyTorchRuns(name, process, exchange.receive(work.outputs()));
    answer.path("ways").forEach(runs::add);
    answer.path("notes").forEach(note -> runs.notes.add(name + ": " + note.asString()));
    return runs;
  }

  private void add(JsonNode way) {
    String mode = way.path("mode").asString();
    Memory memory = Memory.of(way.path("memory").asString());
    String subject = name + " " + MODES.getOrDefault(mode, mode);
    runners.add(new ModelRunner(subject, memory, slice -> run(mode, memory, slice)));
  }

  @Override
  public List<Tensor> outputs() {
    return outputs;
  }

  @Override
  public List<ModelRunner> runners() {
    return runners;
  }

  @Override
  public List<String> notes() {
    return notes;
  }

  /// The process keeps what was prepared until it prepares the next.
  @Override
  public void close() {}

  /// Runs for one slice over there, where it is timed, too.
  private double[] run(String mode, Memory memory, Slice slice) {
    Map<String, Object> question = new HashMap<>(Map.of("do", "slice"));
    question.put("mode", mode);
    question.put("memory", memory.text());
    question.put("settle_micros", slice.settle().toNanos() / 1_000);
    question.put("micros", slice.length().toNanos() / 1_000);
    question.put("least_runs", slice.leastRuns());
    JsonNode micros = process.ask(question, PATIENCE).path("micros");
    if (micros.isEmpty()) {
      throw new PeerException(name + " timed nothing");
    }
    return StreamSupport.stream(micros.spliterator(), false)
        .mapToDouble(JsonNode::asDouble)
        .toArray();
  }
}
