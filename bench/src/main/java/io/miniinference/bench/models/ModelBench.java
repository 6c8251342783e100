package io.miniinference.bench.models;

import io.miniinference.bench.measure.Comparison;
import io.miniinference.bench.measure.Measurement;
import io.miniinference.bench.measure.Parameters;
import io.miniinference.bench.measure.Spread;
import io.miniinference.bench.measure.Unit;
import io.miniinference.bench.peer.Agreement;
import io.miniinference.bench.peer.Entrant;
import io.miniinference.bench.peer.Feed;
import io.miniinference.bench.peer.Memory;
import io.miniinference.bench.peer.Peer;
import io.miniinference.bench.peer.PeerException;
import io.miniinference.bench.report.MeasuredDevice;
import io.miniinference.bench.report.SuiteResult;
import io.miniinference.bench.suite.Problems;
import io.miniinference.bench.suite.Setting;
import io.miniinference.bench.suite.Suite;
import io.miniinference.ir.Tensor;
import io.miniinference.onnx.OnnxModel;
import io.miniinference.repository.ModelFile;
import io.miniinference.runtime.Engine;
import io.miniinference.runtime.Model;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Times models on one engine, in turn with its peers. Where one of them computes something else,
/// nobody is timed.
final class ModelBench {
  static final String BATCH = "batch";

  private final RoomyEngine engine;
  private final Setting setting;
  private final Course course;
  private final List<Peer> peers;
  private final List<Measurement> measurements = new ArrayList<>();
  private final List<Comparison> comparisons = new ArrayList<>();
  private final Set<String> notes = new LinkedHashSet<>();
  private final Problems problems;

  ModelBench(RoomyEngine engine, Setting setting, Course course, List<Peer> peers) {
    this.engine = engine;
    this.setting = setting;
    this.course = course;
    this.peers = List.copyOf(peers);
    problems = new Problems(setting);
  }

  /// Measures a model at all batch sizes of the course that it can have.
  void run(ModelFile file) {
    setting.say("%s: loading", file.name());
    problems.attempt(file.name(), () -> load(file));
  }

  private void load(ModelFile file) {
    OnnxModel onnx = Plans.read(file);
    Engine roomy = engine.holding(onnx, course.loadOptions());
    try (Model model = roomy.load(onnx, course.loadOptions())) {
      List<Integer> batches =
          course.batches().stream().filter(batch -> batch <= model.maxBatch()).toList();
      if (batches.isEmpty()) {
        note("%s takes batches up to %d only".formatted(file.name(), model.maxBatch()));
      }
      for (int batch : batches) {
        setting.say("%s: batch %d", file.name(), batch);
        problems.attempt(file.name() + " at batch " + batch, () -> run(file, model, batch));
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
        problems.add(
            "%s at batch %d is not timed: %s".formatted(file.name(), batch, difference.get()));
      } else {
        add(file.name(), model, batch, run(file.name(), batch, ours, theirs));
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
        runs.notes().forEach(this::note);
        ready.add(runs);
      } catch (PeerException e) {
        note("%s does not run %s: %s".formatted(peer.name(), file.name(), e.getMessage()));
      }
    }
    return ready;
  }

  private Optional<String> difference(
      EngineRuns ours, List<Tensor> outputs, List<Peer.Runs> theirs) {
    for (Memory memory : course.memories()) {
      Optional<String> difference = Agreement.difference(outputs, ours.outputs(memory));
      if (difference.isPresent()) {
        return difference.map(what -> "from " + memory.text() + " memory, " + what);
      }
    }
    for (Peer.Runs runs : theirs) {
      Optional<String> difference = Agreement.difference(outputs, runs.outputs());
      if (difference.isPresent()) {
        return difference.map(what -> what + " of " + runs.entrants().getFirst().subject());
      }
    }
    return Optional.empty();
  }

  /// Runs all; without the peers where one of them fails on its way.
  private Field run(String name, int batch, EngineRuns ours, List<Peer.Runs> theirs) {
    List<Entrant> own = course.memories().stream().map(ours::entrant).toList();
    List<Entrant> all = new ArrayList<>(own);
    theirs.forEach(runs -> all.addAll(runs.entrants()));
    try {
      return Field.run(name, batch, all, course.pace());
    } catch (PeerException e) {
      note("no peer beside %s at batch %d: %s".formatted(name, batch, e.getMessage()));
      return Field.run(name, batch, own, course.pace());
    }
  }

  private void add(String name, Model model, int batch, Field field) {
    Parameters parameters = Parameters.of(BATCH, batch);
    measurements.addAll(field.times());
    comparisons.addAll(field.ratios());
    if (course.throughput()) {
      double[] rates = Arrays.stream(field.engineMicros()).map(us -> batch / us * 1e6).toArray();
      measurements.add(figure(name, parameters, Unit.IMAGES_PER_SECOND, Spread.of(rates)));
    } else {
      long arena = Plans.of(model.plan(batch)).path("plannedBytes").asLong();
      measurements.add(figure(name, parameters, Unit.ARENA_BYTES, Spread.exact(arena)));
    }
  }

  private static Measurement figure(String name, Parameters parameters, Unit unit, Spread spread) {
    return new Measurement(name, parameters, EngineRuns.SUBJECT, unit, spread);
  }

  void note(String note) {
    setting.say("%s", note);
    notes.add(note);
  }

  /// All that was found.
  SuiteResult result(Suite suite) {
    return new SuiteResult(
        suite.name(),
        suite.description(),
        MeasuredDevice.of(engine.any().device()),
        BATCH,
        measurements,
        comparisons,
        List.copyOf(notes),
        problems.lines());
  }
}
