package io.miniinference.bench.models;

import module io.miniinference.kernels;
import module java.base;

import io.miniinference.bench.measure.Entrant;
import io.miniinference.bench.measure.Findings;
import io.miniinference.bench.measure.Parameters;
import io.miniinference.bench.measure.Rounds;
import io.miniinference.bench.measure.Setting;
import io.miniinference.bench.measure.Spread;
import io.miniinference.bench.measure.Unit;

/// Models with open sizes in random shapes, or in shapes that grow: right as ONNX Runtime, what the
/// first request of a shape costs more than the next one, what is built for it, and the same shape
/// fixed at load.
public record OpenSuite(Engine engine, Findings findings) {
  private static final int FIXED_SHAPES = 6;
  private static final int SHAPES = 200;
  private static final int QUICK_SHAPES = 4;
  private static final int FURTHER = 5;
  private static final double ALMOST_ALL = 0.99;

  /// As `engine.specialisations.warm-up`.
  private static final int WARM_UP_SHAPES = 48;

  public static void measure(Findings findings) {
    if (findings.setting().folder().isEmpty()) {
      findings.say("no bundled model has an open size but the batch: name others with --models");
      return;
    }
    try (Engine engine = Engines.open(findings.setting().engine())) {
      findings.on(engine.device(), "");
      var suite = new OpenSuite(engine, findings);
      for (ModelFile file : findings.setting().models()) {
        findings.attempt(file.name(), () -> suite.run(file));
      }
      findings.summarise("open", "fixed");
    }
  }

  /// A request of a shape, to be made any number of times.
  private record Asking(RequestShape shape, EngineRuns runs, InferenceRequest request) {
    static Asking of(Model model, RequestShape shape) {
      Feed feed = Feed.of(model.inputs(), model.signature().shapes(shape));
      var runs = new EngineRuns("open", model, feed);
      return new Asking(shape, runs, runs.request(Memory.ORDINARY));
    }

    double millis() {
      long start = System.nanoTime();
      runs.model().infer(request, _ -> true);
      return (System.nanoTime() - start) / 1e6;
    }

    /// Once, and then some times more.
    Asked ask() {
      double first = millis();
      DoubleStream further = DoubleStream.generate(this::millis).limit(FURTHER);
      return asked(first, Spread.median(further.toArray()));
    }

    Asked asked(double first, double again) {
      return new Asked(shape, runs, first, again, runs.outputs());
    }
  }

  /// What requests of one shape took.
  ///
  /// @param first ms of the first one
  /// @param again ms of a further one, the median of some; of shapes in order, of the one in the
  ///   next round
  /// @param outputs of the last one
  private record Asked(
      RequestShape shape, EngineRuns runs, double first, double again, List<Tensor> outputs) {
    String text() {
      return "%d rows of %s".formatted(shape.batch(), new TreeMap<>(shape.sizes()));
    }
  }

  private void run(ModelFile file) {
    OnnxModel onnx = file.read();
    Setting setting = findings.setting();
    LoadOptions options = setting.loadOptions(onnx, OpenShapes.mostRows(setting.sizes()));
    long before = engine.pool().statistics().usedBytes();
    try (Model model = engine.load(onnx, options)) {
      if (model.specialisations().isEmpty()) {
        findings.say("%s has no open size but the batch", file.name());
        return;
      }
      List<Asked> all = ask(model);
      compare(file, onnx, all);
      for (Asked asked : all.stream().limit(setting.isQuick() ? 1 : FIXED_SHAPES).toList()) {
        String what = "%s fixed at %s".formatted(file.name(), asked.text());
        findings.attempt(what, () -> besideFixed(onnx, options, asked));
      }
    }
    long after = engine.pool().statistics().usedBytes();
    if (after != before) {
      findings.problem(
          "%s: %,d bytes of the pool are in use after it is unloaded, %,d were before",
          file.name(), after, before);
    }
  }

  /// Asks for a shape, and then for as many others as the suite takes.
  private List<Asked> ask(Model model) {
    Setting setting = findings.setting();
    var shapes = new OpenShapes(model.signature(), setting.sizes());
    int count = setting.isQuick() ? QUICK_SHAPES : SHAPES;
    findings.say("%s: first request", model.name());
    Asked first = Asking.of(model, shapes.middle()).ask();
    planAhead(model);
    findings.say("%s: %d shapes", model.name(), count);
    DriverCalls ready = engine.driverCalls();
    List<Asked> all =
        setting.isInOrder()
            ? inOrder(model, shapes.inOrder(count))
            : random(model, shapes.random(count));
    note(model, ready, engine.driverCalls(), all.size());
    add(model, "first request of all", Spread.of(first.first));
    add(model, "first request of a shape", Spread.of(all.stream().mapToDouble(Asked::first)));
    add(model, "the same shape again", Spread.of(all.stream().mapToDouble(Asked::again)));
    double[] extra = all.stream().mapToDouble(it -> it.first - it.again).sorted().toArray();
    add(model, "first − again, p99", Spread.exact(Spread.quantile(extra, ALMOST_ALL)));
    return all;
  }

  private List<Asked> random(Model model, List<RequestShape> shapes) {
    List<Asked> all = new ArrayList<>();
    for (RequestShape shape : shapes) {
      findings.attempt(model.name() + " at " + shape, () -> all.add(Asking.of(model, shape).ask()));
    }
    return all;
  }

  /* As a text is generated: nothing is done between requests that plans could be made in. */
  private List<Asked> inOrder(Model model, List<RequestShape> shapes) {
    List<Asking> requests = shapes.stream().map(shape -> Asking.of(model, shape)).toList();
    double[] firsts = requests.stream().mapToDouble(Asking::millis).toArray();
    List<Asked> all = new ArrayList<>();
    for (int i = 0; i < firsts.length; i++) {
      Asking request = requests.get(i);
      all.add(request.asked(firsts[i], request.millis()));
    }
    return all;
  }

  /* As a service does behind its loads. */
  private void planAhead(Model model) {
    int largest = findings.setting().planAhead();
    if (largest > 0) {
      int some = model.warmUp(WARM_UP_SHAPES);
      long each = Stream.generate(() -> model.planAhead(largest)).takeWhile(it -> it).count();
      findings.note(
          "%s: planned for %d shapes, then for each of %d sizes up to %d, ahead of requests",
          model.name(), some, each, largest);
    }
  }

  private void add(Model model, String what, Spread millis) {
    findings.add(model.name(), Parameters.NONE, what, Unit.MILLISECONDS, millis);
  }

  private void note(Model model, DriverCalls ready, DriverCalls after, int shapes) {
    int kernels = model.specialisations().orElseThrow().kernels();
    long builds = kernels == 0 ? 0 : after.builds() - ready.builds();
    PoolStatistics pool = engine.pool().statistics();
    long objects = after.allocations() - ready.allocations();
    findings.note(
        "%s: %d shapes after the first; %d programs built for them, %d kernels, %d objects of"
            + " the driver made; %,d bytes of the pool in use and %,d held",
        model.name(), shapes, builds, kernels, objects, pool.usedBytes(), pool.heldBytes());
    if (builds > 0) {
      findings.problem("%s: %d programs were built after the first request", model.name(), builds);
    }
  }

  /* With ONNX Runtime on any device: it takes what comes in any shape. */
  private void compare(ModelFile file, OnnxModel onnx, List<Asked> all) {
    try (Peers peers = Peers.of(DeviceInfo.Kind.JVM, findings)) {
      peers
          .peer()
          .ifPresent(peer -> {
            Stream<Asked> right =
                all.stream().filter(asked -> isRight(asked, file, onnx, peers, peer));
            findings.note(
                "%s: %d of %d shapes as %s", file.name(), right.count(), all.size(), peer.name());
          });
    }
  }

  private boolean isRight(Asked asked, ModelFile file, OnnxModel onnx, Peers peers, Peer peer) {
    return findings.attempt(
        file.name() + " at " + asked.text(),
        () -> {
          try (var runs = peer.prepare(file.path(), asked.runs.feed(), asked.outputs)) {
            peers.check(onnx, asked.outputs, runs);
          }
        });
  }

  /// The model beside the same with these sizes fixed at load, in turn.
  private void besideFixed(OnnxModel onnx, LoadOptions options, Asked asked) {
    Map<String, Long> sizes = new HashMap<>(options.dimensions());
    sizes.putAll(asked.shape.sizes());
    Model model = engine.load(onnx, options.withDimensions(sizes));
    try (var fixed = new EngineRuns("fixed", model, asked.runs.feed())) {
      Agreement.check(asked.runs.outputs(), fixed.outputs(), Precision.F32, "the fixed one");
      List<Entrant> both = Peers.entrants(List.of(asked.runs, fixed), Memory.ORDINARY);
      Rounds rounds = Rounds.run(both, Timings.of(engine, findings).ofOneLoad());
      findings.add(model.name(), Parameters.of("shape", asked.text()), Unit.MICROSECONDS, rounds);
    }
  }
}
