package io.miniinference.bench.kernels;

import io.miniinference.bench.measure.Spread;
import io.miniinference.bench.models.EngineRuns;
import io.miniinference.bench.models.Plans;
import io.miniinference.bench.models.RoomyEngine;
import io.miniinference.bench.onnxruntime.NodeTimes;
import io.miniinference.bench.onnxruntime.OnnxRuntime;
import io.miniinference.bench.peer.Feed;
import io.miniinference.bench.peer.Memory;
import io.miniinference.bench.peer.PeerException;
import io.miniinference.bench.report.MeasuredDevice;
import io.miniinference.bench.report.SuiteResult;
import io.miniinference.bench.suite.BenchException;
import io.miniinference.bench.suite.Findings;
import io.miniinference.bench.suite.ModelFiles;
import io.miniinference.bench.suite.Setting;
import io.miniinference.bench.suite.Suite;
import io.miniinference.bench.suite.TemporaryFolder;
import io.miniinference.cost.Peaks;
import io.miniinference.ir.Tensor;
import io.miniinference.onnx.OnnxModel;
import io.miniinference.repository.ModelFile;
import io.miniinference.runtime.EngineOptions;
import io.miniinference.runtime.InferenceRequest;
import io.miniinference.runtime.LaunchTime;
import io.miniinference.runtime.LoadOptions;
import io.miniinference.runtime.Model;
import io.miniinference.runtime.Planning;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Where the time of a request goes, launch by launch: those that take longest come first.
public final class KernelsSuite implements Suite {
  @Override
  public String name() {
    return "kernels";
  }

  @Override
  public String description() {
    return "each launch of a request, beside the machine's peaks and ONNX Runtime's node";
  }

  @Override
  public Optional<SuiteResult> run(Setting setting) {
    List<ModelFile> files = ModelFiles.of(setting);
    var findings = new Findings(this, LaunchBench.WHO, setting);
    Peaks peaks = PeakMeter.measure(setting).orElse(null);
    if (peaks != null) {
      findings.note(
          "%d threads reach %.0f GFLOP/s in registers and %.1f GB/s from memory"
              .formatted(setting.threads(), peaks.gflops(), peaks.gigabytes()));
    }
    try (RoomyEngine engine = new RoomyEngine(stepByStep(setting.engine()))) {
      for (ModelFile file : files) {
        findings.attempt(
            file.name(), () -> new OfModel(file, setting, peaks, findings).run(engine));
      }
      return Optional.of(findings.result(MeasuredDevice.of(engine.any().device())));
    }
  }

  /* What goes row by row is one launch, which says nothing of its steps. */
  private static EngineOptions stepByStep(EngineOptions options) {
    return options.withPlanning(Planning.defaults().withRows(false));
  }

  /// The launches of one model.
  private record OfModel(
      ModelFile file, Setting setting, @Nullable Peaks peaks, Findings findings) {

    void run(RoomyEngine engine) {
      setting.say("%s: loading", file.name());
      List<Integer> batches = setting.batches(List.of(1));
      OnnxModel onnx = Plans.read(file);
      LoadOptions options = setting.loadOptions(Collections.max(batches));
      try (Model model = engine.holding(onnx, options).load(onnx, options)) {
        batches.stream().filter(n -> n <= model.maxBatch()).forEach(n -> run(model, n));
      }
    }

    private void run(Model model, int batch) {
      setting.say("%s: batch %d", file.name(), batch);
      Feed feed = Feed.of(model.inputs(), batch);
      var runs = new EngineRuns(model, feed);
      List<Tensor> outputs = runs.outputs(Memory.ORDINARY);
      List<List<LaunchTime>> requests = requests(model, runs.request());
      Optional<NodeTimes> nodes = nodes(feed, outputs);
      List<LaunchBench> launches =
          model.plan(batch).costs().stream()
              .map(cost -> LaunchBench.of(cost, requests))
              .sorted(Comparator.comparingDouble(LaunchBench::median).reversed())
              .toList();
      for (LaunchBench launch : launches) {
        Optional<Spread> peer = nodes.flatMap(all -> all.of(launch.cost().name()));
        launch.tell(findings, file.name(), batch, peaks, peer);
      }
      findings.note(
          "%s at batch %d: its launches take %.1f µs together, each waited for"
              .formatted(
                  file.name(), batch, launches.stream().mapToDouble(LaunchBench::median).sum()));
    }

    private List<List<LaunchTime>> requests(Model model, InferenceRequest request) {
      long length = setting.quick() ? 20_000_000L : 2_000_000_000L;
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

    private Optional<NodeTimes> nodes(Feed feed, List<Tensor> outputs) {
      if (OnnxRuntime.find(setting.threads()).isEmpty()) {
        return Optional.empty();
      }
      int times = setting.quick() ? 3 : 30;
      try (var folder = TemporaryFolder.make()) {
        return Optional.of(
            NodeTimes.of(file.path(), feed, outputs, setting.threads(), times, folder.path()));
      } catch (PeerException e) {
        findings.note("%s: %s".formatted(file.name(), e.getMessage()));
        return Optional.empty();
      }
    }
  }
}
