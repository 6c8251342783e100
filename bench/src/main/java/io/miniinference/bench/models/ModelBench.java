package io.miniinference.bench.models;

import io.miniinference.bench.measure.Parameters;
import io.miniinference.bench.measure.Rounds;
import io.miniinference.bench.measure.Spread;
import io.miniinference.bench.measure.Unit;
import io.miniinference.bench.peer.Agreement;
import io.miniinference.bench.peer.Feed;
import io.miniinference.bench.peer.Memory;
import io.miniinference.bench.peer.ModelRunner;
import io.miniinference.bench.peer.Peer;
import io.miniinference.bench.peer.PeerException;
import io.miniinference.bench.suite.Findings;
import io.miniinference.bench.suite.Setting;
import io.miniinference.ir.Tensor;
import io.miniinference.onnx.OnnxModel;
import io.miniinference.repository.ModelFile;
import io.miniinference.runtime.Engine;
import io.miniinference.runtime.LoadOptions;
import io.miniinference.runtime.Model;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// Times models on one engine, in turn with its peers. Where one of them computes something else,
/// none is timed.
final class ModelBench {
  static final String BATCH = "batch";

  private final RoomyEngine engine;
  private final Setting setting;
  private final Workload workload;
  private final List<Peer> peers;
  private final Findings findings;

  ModelBench(
      RoomyEngine engine, Setting setting, Workload workload, List<Peer> peers, Findings findings) {
    this.engine = engine;
    this.setting = setting;
    this.workload = workload;
    this.peers = List.copyOf(peers);
    this.findings = findings;
  }

  /// Measures a model at all batch sizes of the workload that it can have.
  void run(ModelFile file) {
    setting.say("%s: loading", file.name());
    findings.attempt(file.name(), () -> load(file));
  }

  private void load(ModelFile file) {
    OnnxModel onnx = Plans.read(file);
    LoadOptions options = setting.loadOptions(workload.batches().getLast());
    Engine roomy = engine.holding(onnx, options);
    try (Model model = roomy.load(onnx, options)) {
      List<Integer> batches =
          workload.batches().stream().filter(batch -> batch <= model.maxBatch()).toList();
      if (batches.isEmpty()) {
        findings.note("%s takes batches up to %d only".formatted(file.name(), model.maxBatch()));
      }
      for (int batch : batches) {
        setting.say("%s: batch %d", file.name(), batch);
        findings.attempt(file.name() + " at batch " + batch, () -> run(file, model, batch));
      }
    }
  }

  private void run(ModelFile file, Model model, int batch) {
    Feed feed = Feed.of(model.inputs(), batch);
    var ours = new EngineRuns(model, feed);
    List<Tensor> outputs = ours.outputs(Memory.ORDINARY);
    List<Peer.Runs> theirs = ready(file, feed, outputs);
    try {
      Optional<String> difference = difference(ours, outputs, theirs);
      if (difference.isPresent()) {
        findings.problem(
            "%s at batch %d is not timed: %s".formatted(file.name(), batch, difference.get()));
      } else {
        time(model, batch, ours, theirs);
      }
    } finally {
      theirs.forEach(Peer.Runs::close);
    }
  }

  private List<Peer.Runs> ready(ModelFile file, Feed feed, List<Tensor> outputs) {
    List<Peer.Runs> ready = new ArrayList<>();
    for (Peer peer : peers) {
      try {
        Peer.Runs runs = peer.prepare(file.path(), feed, outputs);
        runs.notes().forEach(findings::note);
        ready.add(runs);
      } catch (PeerException e) {
        findings.note("%s does not run %s: %s".formatted(peer.name(), file.name(), e.getMessage()));
      }
    }
    return ready;
  }

  private Optional<String> difference(
      EngineRuns ours, List<Tensor> outputs, List<Peer.Runs> theirs) {
    for (Memory memory : workload.memories()) {
      Optional<String> difference = Agreement.difference(outputs, ours.outputs(memory));
      if (difference.isPresent()) {
        return difference.map(what -> "from " + memory.text() + " memory, " + what);
      }
    }
    for (Peer.Runs runs : theirs) {
      Optional<String> difference =
          Agreement.difference(outputs, runs.outputs(), setting.engine().precision());
      if (difference.isPresent()) {
        return difference.map(what -> what + " of " + runs.runners().getFirst().subject());
      }
    }
    return Optional.empty();
  }

  /// Times all; without the peers where one of them fails on its way.
  private void time(Model model, int batch, EngineRuns ours, List<Peer.Runs> theirs) {
    List<ModelRunner> own = workload.memories().stream().map(ours::runner).toList();
    List<ModelRunner> all = new ArrayList<>(own);
    theirs.forEach(runs -> all.addAll(runs.runners()));
    try {
      add(model, batch, all, rounds(all));
    } catch (PeerException e) {
      findings.note("no peer beside %s at batch %d: %s".formatted(model.name(), batch, e));
      add(model, batch, own, rounds(own));
    }
  }

  private Rounds rounds(List<ModelRunner> runners) {
    return Rounds.run(runners.stream().map(ModelRunner::runner).toList(), workload.timing());
  }

  /// The time of each runner, and the engine's over that of each peer with inputs in the same
  /// memory.
  private void add(Model model, int batch, List<ModelRunner> runners, Rounds rounds) {
    for (int i = 0; i < runners.size(); i++) {
      ModelRunner runner = runners.get(i);
      Parameters parameters = parameters(runner.memory(), batch);
      findings.add(model.name(), parameters, runner.subject(), Unit.MICROSECONDS, rounds.spread(i));
      for (int k = 0; k < runners.size() && isEngine(runner); k++) {
        ModelRunner peer = runners.get(k);
        if (!isEngine(peer) && peer.memory() == runner.memory()) {
          findings.add(
              model.name(), parameters, runner.subject(), peer.subject(), rounds.ratio(i, k));
        }
      }
    }
    addOwn(model, batch, rounds.micros(0));
  }

  private static boolean isEngine(ModelRunner runner) {
    return runner.subject().equals(EngineRuns.SUBJECT);
  }

  /// The kind of memory is told where there is more than one.
  private Parameters parameters(Memory memory, int batch) {
    Parameters own =
        workload.memories().size() == 1 ? Parameters.NONE : Parameters.of("input", memory.text());
    return own.with(BATCH, batch);
  }

  /// @param micros samples of the engine
  private void addOwn(Model model, int batch, double[] micros) {
    Parameters parameters = Parameters.of(BATCH, batch);
    double[] rates = Arrays.stream(micros).map(us -> batch / us * 1e6).toArray();
    long arena = Plans.arenaBytes(model.plan(batch));
    findings.add(
        model.name(),
        parameters,
        EngineRuns.SUBJECT,
        workload.throughput() ? Unit.IMAGES_PER_SECOND : Unit.ARENA_BYTES,
        workload.throughput() ? Spread.of(rates) : Spread.exact(arena));
  }
}
