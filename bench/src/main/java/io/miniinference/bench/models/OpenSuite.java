package io.miniinference.bench.models;

import io.miniinference.bench.measure.Parameters;
import io.miniinference.bench.measure.Rounds;
import io.miniinference.bench.measure.Spread;
import io.miniinference.bench.measure.Unit;
import io.miniinference.bench.onnxruntime.OnnxRuntime;
import io.miniinference.bench.peer.Agreement;
import io.miniinference.bench.peer.Feed;
import io.miniinference.bench.peer.Memory;
import io.miniinference.bench.peer.Peer;
import io.miniinference.bench.suite.Findings;
import io.miniinference.bench.suite.ModelFiles;
import io.miniinference.bench.suite.Setting;
import io.miniinference.bench.suite.Suite;
import io.miniinference.device.DeviceInfo;
import io.miniinference.device.DriverCalls;
import io.miniinference.ir.Tensor;
import io.miniinference.lower.Precision;
import io.miniinference.onnx.OnnxModel;
import io.miniinference.pool.PoolStatistics;
import io.miniinference.repository.ModelFile;
import io.miniinference.runtime.Engine;
import io.miniinference.runtime.InferenceRequest;
import io.miniinference.runtime.LoadOptions;
import io.miniinference.runtime.Model;
import io.miniinference.runtime.RequestShape;
import io.miniinference.runtime.open.Engines;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;

/// Models with open sizes in random shapes: right as ONNX Runtime, what the first request of a
/// shape costs more than the next one, what is built for it, and the same shape fixed at load.
public record OpenSuite(Engine engine, Setting setting, Findings findings) {
  public static final Suite SUITE =
      new Suite(
          "open",
          "random shapes of models with open sizes (--models, --sizes), beside the same sizes fixed",
          "",
          OpenSuite::measure);

  private static final int FIXED_SHAPES = 6;
  private static final int SHAPES = 200;
  private static final int QUICK_SHAPES = 4;
  private static final int FURTHER = 5;
  private static final double ALMOST_ALL = 0.99;

  private static Optional<DeviceInfo> measure(Setting setting, Findings findings) {
    if (setting.folder().isEmpty()) {
      setting.say("no bundled model has an open size but the batch: name others with --models");
      return Optional.empty();
    }
    try (Engine engine = Engines.open(setting.engine())) {
      var suite = new OpenSuite(engine, setting, findings);
      for (ModelFile file : ModelFiles.of(setting)) {
        findings.attempt(file.name(), () -> suite.run(file));
      }
      findings.summarise("open", "fixed");
      return Optional.of(engine.device());
    }
  }

  /// What requests of one shape took.
  ///
  /// @param first ms of the first one
  /// @param again ms of a further one, the median of some
  /// @param outputs of the last one
  private record Asked(
      RequestShape shape, Feed feed, double first, double again, List<Tensor> outputs) {
    static Asked of(Model model, RequestShape shape) {
      EngineRuns runs = runs(model, shape);
      InferenceRequest request = runs.request(Memory.ORDINARY);
      double first = millis(model, request);
      DoubleStream further = DoubleStream.generate(() -> millis(model, request)).limit(FURTHER);
      double again = Spread.median(further.toArray());
      return new Asked(shape, runs.feed(), first, again, runs.outputs());
    }

    private static double millis(Model model, InferenceRequest request) {
      long start = System.nanoTime();
      model.infer(request, _ -> true);
      return (System.nanoTime() - start) / 1e6;
    }

    String text() {
      return "%d rows of %s".formatted(shape.batch(), new TreeMap<>(shape.sizes()));
    }
  }

  private static EngineRuns runs(Model model, RequestShape shape) {
    List<long[]> shapes = model.signature().shapes(shape);
    return new EngineRuns(model, Feed.of(model.inputs(), shapes));
  }

  private void run(ModelFile file) {
    OnnxModel onnx = ModelFiles.read(file);
    LoadOptions options = setting.loadOptions(RandomShapes.mostRows(setting.sizes()));
    long before = engine.pool().statistics().usedBytes();
    try (Model model = engine.load(onnx, options)) {
      if (model.specialisations().isEmpty()) {
        setting.say("%s has no open size but the batch", file.name());
        return;
      }
      List<Asked> all = ask(model);
      OnnxRuntime.find(setting.threads()).ifPresent(peer -> compare(peer, file, all));
      for (Asked asked :
          all.subList(0, Math.min(all.size(), setting.isQuick() ? 1 : FIXED_SHAPES))) {
        String what = "%s fixed at %s".formatted(file.name(), asked.text());
        findings.attempt(what, () -> besideFixed(onnx, model, options, asked));
      }
    }
    long after = engine.pool().statistics().usedBytes();
    if (after != before) {
      findings.problem(
          "%s: %,d bytes of the pool are in use after it is unloaded, %,d were before"
              .formatted(file.name(), after, before));
    }
  }

  /// Asks for a shape, and then for as many random ones as the suite takes.
  private List<Asked> ask(Model model) {
    var shapes = new RandomShapes(model.signature(), setting.sizes());
    int count = setting.isQuick() ? QUICK_SHAPES : SHAPES;
    setting.say("%s: first request", model.name());
    Asked first = Asked.of(model, shapes.middle());
    setting.say("%s: %d shapes", model.name(), count);
    DriverCalls ready = engine.driverCalls();
    List<Asked> all = new ArrayList<>();
    for (RequestShape shape : shapes.of(count)) {
      findings.attempt(model.name() + " at " + shape, () -> all.add(Asked.of(model, shape)));
    }
    note(model, ready, engine.driverCalls(), all.size());
    add(model, "first request of all", List.of(first), Asked::first);
    add(model, "first request of a shape", all, Asked::first);
    add(model, "the same shape again", all, Asked::again);
    double[] extra = all.stream().mapToDouble(it -> it.first - it.again).sorted().toArray();
    Spread most = Spread.exact(Spread.quantile(extra, ALMOST_ALL));
    findings.add(model.name(), Parameters.NONE, "first − again, p99", Unit.MILLISECONDS, most);
    return all;
  }

  private void add(Model model, String what, List<Asked> all, ToDoubleFunction<Asked> millis) {
    Spread spread = Spread.of(all.stream().mapToDouble(millis).toArray());
    findings.add(model.name(), Parameters.NONE, what, Unit.MILLISECONDS, spread);
  }

  private void note(Model model, DriverCalls ready, DriverCalls after, int shapes) {
    int kernels = model.specialisations().orElseThrow().kernels();
    long builds = kernels == 0 ? 0 : after.builds() - ready.builds();
    PoolStatistics pool = engine.pool().statistics();
    findings.note(
        "%s: %d shapes after the first; %d programs built for them, %d kernels, %d objects of"
            + " the driver made; %,d bytes of the pool in use and %,d held",
        model.name(),
        shapes,
        builds,
        kernels,
        after.allocations() - ready.allocations(),
        pool.usedBytes(),
        pool.heldBytes());
    if (builds > 0) {
      findings.problem(
          "%s: %d programs were built after the first request".formatted(model.name(), builds));
    }
  }

  private void compare(Peer peer, ModelFile file, List<Asked> all) {
    int right = 0;
    for (Asked ours : all) {
      String what = file.name() + " at " + ours.text();
      boolean same =
          findings.attempt(
              what,
              () -> {
                try (Peer.Runs runs = peer.prepare(file.path(), ours.feed, ours.outputs)) {
                  Precision precision = setting.engine().precision();
                  Agreement.check(ours.outputs, runs.outputs(), precision, peer.name());
                }
              });
      right += same ? 1 : 0;
    }
    findings.note("%s: %d of %d shapes as %s", file.name(), right, all.size(), peer.name());
  }

  /// The model beside the same with these sizes fixed at load, in turn.
  private void besideFixed(OnnxModel onnx, Model open, LoadOptions options, Asked asked) {
    Map<String, Long> sizes = new HashMap<>(options.dimensions());
    sizes.putAll(asked.shape.sizes());
    try (Model fixed = engine.load(onnx, options.withDimensions(sizes))) {
      EngineRuns ours = runs(open, asked.shape);
      EngineRuns theirs = new EngineRuns(fixed, ours.feed());
      Agreement.check(ours.outputs(), theirs.outputs(), Precision.F32, "the fixed one");
      Rounds rounds =
          Rounds.run(
              List.of(ours.entrant("open"), theirs.entrant("fixed")),
              Timings.ofOneLoad(engine.device().kind(), setting));
      findings.add(open.name(), Parameters.of("shape", asked.text()), rounds);
    }
  }
}
