package io.miniinference.bench.pytorch;

import io.miniinference.bench.measure.Contestant;
import io.miniinference.bench.measure.Slice;
import io.miniinference.bench.peer.Entrant;
import io.miniinference.bench.peer.Memory;
import io.miniinference.bench.peer.Peer;
import io.miniinference.bench.peer.PeerException;
import io.miniinference.ir.Tensor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/// A model and a feed in the process of PyTorch. It holds one at a time.
final class PyTorchRuns implements Peer.Runs {
  private static final Duration PATIENCE = Duration.ofMinutes(3);
  private static final Map<String, String> MODES = Map.of("eager", "eager", "graph", "CUDA graph");

  private final String name;
  private final PeerProcess process;
  private final List<Tensor> outputs;
  private final List<Entrant> entrants = new ArrayList<>();
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
    entrants.add(new Entrant(subject, memory, new InPeer(subject, mode, memory)));
  }

  @Override
  public List<Tensor> outputs() {
    return outputs;
  }

  @Override
  public List<Entrant> entrants() {
    return entrants;
  }

  @Override
  public List<String> notes() {
    return notes;
  }

  /// The process keeps what was prepared until it prepares the next.
  @Override
  public void close() {}

  /// A contestant that runs over there, and is timed there.
  private final class InPeer implements Contestant {
    private final String name;
    private final String mode;
    private final Memory memory;

    InPeer(String name, String mode, Memory memory) {
      this.name = name;
      this.mode = mode;
      this.memory = memory;
    }

    @Override
    public String name() {
      return name;
    }

    @Override
    public double[] run(Slice slice) {
      JsonNode answer =
          process.ask(
              Map.of(
                  "do",
                  "slice",
                  "mode",
                  mode,
                  "memory",
                  memory.text(),
                  "settle_micros",
                  slice.settle().toNanos() / 1_000,
                  "micros",
                  slice.length().toNanos() / 1_000,
                  "least_runs",
                  slice.leastRuns()),
              PATIENCE);
      double[] micros = new double[answer.path("micros").size()];
      for (int i = 0; i < micros.length; i++) {
        micros[i] = answer.path("micros").path(i).asDouble();
      }
      if (micros.length == 0) {
        throw new PeerException(name + " timed nothing");
      }
      return micros;
    }
  }
}
