package io.miniinference.bench.models;

import io.miniinference.bench.measure.BenchException;
import io.miniinference.bench.measure.Parameters;
import io.miniinference.bench.measure.Spread;
import io.miniinference.bench.measure.Unit;
import io.miniinference.bench.onnxruntime.NodeTimes;
import io.miniinference.bench.onnxruntime.OnnxRuntime;
import io.miniinference.bench.peer.Memory;
import io.miniinference.bench.suite.Findings;
import io.miniinference.bench.suite.ModelFiles;
import io.miniinference.bench.suite.Setting;
import io.miniinference.bench.suite.Suite;
import io.miniinference.bench.suite.TemporaryFolder;
import io.miniinference.cost.Peaks;
import io.miniinference.cost.StepCost;
import io.miniinference.device.DeviceInfo;
import io.miniinference.onnx.OnnxModel;
import io.miniinference.repository.ModelFile;
import io.miniinference.runtime.EngineOptions;
import io.miniinference.runtime.InferenceRequest;
import io.miniinference.runtime.LaunchTime;
import io.miniinference.runtime.LoadOptions;
import io.miniinference.runtime.Model;
import io.miniinference.runtime.Planning;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// Where the time of a request goes, launch by launch: those that take longest come first.
public final class KernelsSuite {
  private static final String WHO = "by";

  public static final Suite SUITE =
      new Suite(
          "kernels",
          "each launch of a request, beside the machine's peaks and ONNX Runtime's node",
          WHO,
          KernelsSuite::measure);

  private KernelsSuite() {}

  private static Optional<DeviceInfo> measure(Setting setting, Findings findings) {
    List<ModelFile> files = ModelFiles.of(setting);
    Optional<Peaks> peaks = PeakMeter.measure(setting);
    peaks.ifPresent(most ->
        findings.note(
            "%d threads reach %.0f GFLOP/s in registers and %.1f GB/s from memory",
            setting.threads(), most.gflops(), most.gigabytes()));
    /* What goes row by row is one launch, which says nothing of its steps. */
    EngineOptions options = setting.engine().withPlanning(Planning.defaults().withRows(false));
    try (RoomyEngine engine = new RoomyEngine(options)) {
      for (ModelFile file : files) {
        var one = new OfModel(file, setting, peaks, findings);
        findings.attempt(file.name(), () -> one.run(engine));
      }
      return Optional.of(engine.any().device());
    }
  }

  /// The launches of one step: samples of what they took together, and what they could have taken.
  ///
  /// @param micros one sample a request
  private record Launches(StepCost cost, double[] micros) {
    /// Takes them out of those of some requests.
    static Launches of(StepCost cost, List<List<LaunchTime>> requests) {
      return new Launches(cost, requests.stream().mapToDouble(all -> micros(cost, all)).toArray());
    }

    private static double micros(StepCost cost, List<LaunchTime> launches) {
      return launches.stream()
              .filter(launch -> launch.step() == cost.number())
              .mapToLong(LaunchTime::nanos)
              .sum()
          / 1e3;
    }

    double median() {
      return Spread.of(micros).median();
    }

    private Spread rate(long count) {
      return Spread.of(Arrays.stream(micros).map(us -> count / us / 1e3).toArray());
    }
  }

  /// The launches of one model.
  private record OfModel(
      ModelFile file, Setting setting, Optional<Peaks> peaks, Findings findings) {

    void run(RoomyEngine engine) {
      setting.say("%s: loading", file.name());
      List<Integer> batches = setting.batches(1);
      OnnxModel onnx = ModelFiles.read(file);
      LoadOptions options = setting.loadOptions(batches.getLast());
      try (Model model = engine.holding(onnx, options).load(onnx, options)) {
        batches.stream().filter(n -> n <= model.maxBatch()).forEach(n -> run(model, n));
      }
    }

    private void run(Model model, int batch) {
      setting.say("%s: batch %d", file.name(), batch);
      EngineRuns runs = EngineRuns.of(model, batch);
      List<List<LaunchTime>> requests = requests(model, runs.request(Memory.ORDINARY));
      Optional<NodeTimes> nodes = nodes(runs);
      List<Launches> all =
          model.plan(batch).costs().stream()
              .map(cost -> Launches.of(cost, requests))
              .sorted(Comparator.comparingDouble(Launches::median).reversed())
              .toList();
      all.forEach(launches -> tell(launches, batch, nodes));
      double sum = all.stream().mapToDouble(Launches::median).sum();
      findings.note(
          "%s at batch %d: its launches take %.1f µs together, each waited for",
          file.name(), batch, sum);
    }

    /// Tells of them, one column for each of engine, bound and peer.
    private void tell(Launches launches, int batch, Optional<NodeTimes> nodes) {
      StepCost cost = launches.cost();
      String step = cost.number() + " " + cost.op() + " " + cost.name();
      Parameters at = Parameters.of("batch", batch).with("step", step);
      add(at, "engine", cost, Unit.MICROSECONDS, Spread.of(launches.micros()));
      peaks
          .map(most -> Spread.exact(most.boundMicros(cost.work())))
          .ifPresent(bound -> add(at, "bound", cost, Unit.MICROSECONDS, bound));
      nodes
          .flatMap(all -> all.of(cost.name()))
          .ifPresent(time -> add(at, "ONNX Runtime", cost, Unit.MICROSECONDS, time));
      add(at, "engine", cost, Unit.GIGAFLOPS, launches.rate(cost.work().operations()));
      add(at, "engine", cost, Unit.GIGABYTES_PER_SECOND, launches.rate(cost.work().bytes()));
    }

    private void add(Parameters at, String who, StepCost cost, Unit unit, Spread spread) {
      findings.add(file.name(), at.with(WHO, who), cost.algorithm().name(), unit, spread);
    }

    private List<List<LaunchTime>> requests(Model model, InferenceRequest request) {
      long length = setting.isQuick() ? 20_000_000L : 2_000_000_000L;
      long start = System.nanoTime();
      List<List<LaunchTime>> requests = new ArrayList<>();
      while (requests.size() < 5 || System.nanoTime() - start < length) {
        requests.add(model.profile(request));
      }
      if (requests.getFirst().isEmpty()) {
        throw new BenchException("it is compiled per shape, and has no launches of its own");
      }
      return requests.subList(requests.size() / 5, requests.size());
    }

    private Optional<NodeTimes> nodes(EngineRuns runs) {
      if (OnnxRuntime.find(setting.threads()).isEmpty()) {
        return Optional.empty();
      }
      int times = setting.isQuick() ? 3 : 30;
      try (var folder = TemporaryFolder.make()) {
        return Optional.of(
            NodeTimes.of(
                file.path(), runs.feed(), runs.outputs(), setting.threads(), times, folder.path()));
      } catch (BenchException e) {
        findings.note("%s: %s", file.name(), e.getMessage());
        return Optional.empty();
      }
    }
  }
}
