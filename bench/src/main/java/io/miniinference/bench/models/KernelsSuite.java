package io.miniinference.bench.models;

import module io.miniinference.kernels;
import module java.base;

import io.miniinference.bench.measure.BenchException;
import io.miniinference.bench.measure.Findings;
import io.miniinference.bench.measure.Parameters;
import io.miniinference.bench.measure.Spread;
import io.miniinference.bench.measure.Unit;

/// Where the time of a request goes, launch by launch: those that take longest come first.
public record KernelsSuite(Optional<Peaks> peaks, Findings findings) {
  private static final String WHO = "by";

  public static void measure(Findings findings) {
    Optional<Peaks> peaks = PeakMeter.measure(findings.setting());
    peaks.ifPresent(most ->
        findings.note(
            "%d threads reach %.0f GFLOP/s in registers and %.1f GB/s from memory",
            findings.setting().threads(), most.gflops(), most.gigabytes()));
    /* What goes row by row is one launch, which says nothing of its steps. */
    Planning planning = Planning.defaults().withRows(false);
    EngineOptions options = findings.setting().engine().withPlanning(planning);
    var suite = new KernelsSuite(peaks, findings);
    try (var engine = new RoomyEngine("engine", options)) {
      findings.on(engine.engine().device(), WHO);
      for (ModelFile file : findings.setting().models()) {
        findings.attempt(file.name(), () -> suite.run(file, engine));
      }
    }
  }

  private void run(ModelFile file, RoomyEngine engine) {
    findings.say("%s: loading", file.name());
    List<Integer> batches = findings.setting().batches(1);
    OnnxModel onnx = file.read();
    LoadOptions options = findings.setting().loadOptions(onnx, batches.getLast());
    engine.makeRoom(onnx, options);
    try (Model model = engine.engine().load(onnx, options)) {
      batches.stream().filter(n -> n <= model.maxBatch()).forEach(n -> run(file, model, n));
    }
  }

  private void run(ModelFile file, Model model, int batch) {
    findings.say("%s: batch %d", file.name(), batch);
    EngineRuns runs = EngineRuns.of("engine", model, batch);
    List<Map<Integer, Double>> requests = requests(model, runs.request(Memory.ORDINARY));
    NodeTimes nodes = NodeTimes.of(file, runs.feed(), runs.outputs(), findings);
    List<Launches> all =
        model.plan(batch).costs().stream()
            .map(cost -> Launches.of(cost, requests))
            .sorted(Comparator.comparingDouble(Launches::median).reversed())
            .toList();
    all.forEach(launches -> tell(file.name(), launches, batch, nodes));
    findings.note(
        "%s at batch %d: its launches take %.1f µs together, each waited for",
        file.name(), batch, all.stream().mapToDouble(Launches::median).sum());
  }

  /* Of each request, what the launches of each step took, µs. The first ones do not count. */
  private List<Map<Integer, Double>> requests(Model model, InferenceRequest request) {
    long length = findings.setting().isQuick() ? 20_000_000L : 2_000_000_000L;
    long start = System.nanoTime();
    List<Map<Integer, Double>> requests = new ArrayList<>();
    while (requests.size() < 5 || System.nanoTime() - start < length) {
      requests.add(
          model.profile(request).stream()
              .collect(
                  Collectors.groupingBy(
                      LaunchTime::step, Collectors.summingDouble(each -> each.nanos() / 1e3))));
    }
    if (requests.getFirst().isEmpty()) {
      throw new BenchException("it is compiled per shape, and has no launches of its own");
    }
    return requests.subList(requests.size() / 5, requests.size());
  }

  /// What the launches of one step took together, and what they could have taken.
  ///
  /// @param micros one sample a request
  private record Launches(StepCost cost, double[] micros) {
    static Launches of(StepCost cost, List<Map<Integer, Double>> requests) {
      return new Launches(
          cost,
          requests.stream().mapToDouble(each -> each.getOrDefault(cost.number(), 0.0)).toArray());
    }

    double median() {
      return Spread.median(micros);
    }

    Spread rate(long count) {
      return Spread.of(Arrays.stream(micros).map(us -> count / us / 1e3));
    }
  }

  /// Tells of them, one column for each of engine, bound and peer.
  private void tell(String model, Launches launches, int batch, NodeTimes nodes) {
    StepCost cost = launches.cost;
    String step = cost.number() + " " + cost.op() + " " + cost.name();
    String algorithm = cost.algorithm().name();
    Parameters at = Parameters.of("batch", batch).with("step", step);
    Parameters engine = at.with(WHO, "engine");
    Spread gflops = launches.rate(cost.work().operations());
    Spread gigabytes = launches.rate(cost.work().bytes());
    findings.add(model, engine, algorithm, Unit.MICROSECONDS, Spread.of(launches.micros));
    peaks
        .map(most -> Spread.exact(most.boundMicros(cost.work())))
        .ifPresent(bound ->
            findings.add(model, at.with(WHO, "bound"), algorithm, Unit.MICROSECONDS, bound));
    nodes
        .of(cost.name())
        .ifPresent(time ->
            findings.add(model, at.with(WHO, "ONNX Runtime"), algorithm, Unit.MICROSECONDS, time));
    findings.add(model, engine, algorithm, Unit.GIGAFLOPS, gflops);
    findings.add(model, engine, algorithm, Unit.GIGABYTES_PER_SECOND, gigabytes);
  }
}
