package io.miniinference.bench.models;

import io.miniinference.bench.models.ModelBench.Way;
import io.miniinference.bench.report.SuiteResult;
import io.miniinference.bench.suite.Findings;
import io.miniinference.bench.suite.ModelFiles;
import io.miniinference.bench.suite.Setting;
import io.miniinference.bench.suite.Suite;
import io.miniinference.device.DeviceInfo;
import io.miniinference.repository.ModelFile;
import io.miniinference.runtime.EngineOptions;
import io.miniinference.runtime.Planning;
import java.util.List;
import java.util.Optional;

/// Whole models without HTTP: beside peers, and as they are planned beside another way of planning.
public final class ModelsSuite {
  public static final Suite MODELS =
      new Suite(
          "models",
          "a request to a model, without HTTP: beside ONNX Runtime on a CPU, PyTorch on a GPU",
          ModelBench.BATCH,
          (setting, findings) ->
              besidePeers(ModelFiles.of(setting), setting.engine(), setting, findings));

  /// What a host without OpenCL serves.
  public static final Suite JVM =
      new Suite(
          "jvm",
          "a request to a model on the JVM device, which computes with the Vector API",
          ModelBench.BATCH,
          (setting, findings) ->
              besidePeers(
                  ModelFiles.of(setting), setting.engine().withDevice("jvm"), setting, findings));

  /// Whether it costs time that tensors share memory. Rows share less, and are looked at for
  /// themselves.
  public static final Suite SHARING =
      new Suite(
          "sharing",
          "a request with tensors that share memory beside one with memory for each",
          ModelBench.BATCH,
          (setting, findings) -> {
            Planning planning = Planning.defaults().withRows(false);
            var sharing = new Way("sharing", planned(planning, setting));
            var apart = new Way("memory for each", planned(planning.withoutSharing(), setting));
            return beside(sharing, apart, setting, findings);
          });

  /// What it gains that rows go through a whole model a few at a time.
  public static final Suite ROWS =
      new Suite(
          "rows",
          "a batch that goes through the model row by row beside one that goes step by step",
          ModelBench.BATCH,
          (setting, findings) -> {
            Planning planning = Planning.defaults();
            var rows = new Way("rows", planned(planning, setting));
            var steps = new Way("step by step", planned(planning.withRows(false), setting));
            return beside(rows, steps, setting, findings);
          });

  private ModelsSuite() {}

  /// Measures a model of a user's, at batch 1 unless the setting selects others.
  public static SuiteResult of(ModelFile file, Setting setting) {
    Suite.Work work =
        (_, findings) -> besidePeers(List.of(file), setting.engine(), setting, findings, 1);
    return new Suite(MODELS.name(), MODELS.description(), MODELS.across(), work)
        .run(setting)
        .orElseThrow();
  }

  private static Optional<DeviceInfo> besidePeers(
      List<ModelFile> files,
      EngineOptions options,
      Setting setting,
      Findings findings,
      Integer... usual) {
    try (RoomyEngine engine = new RoomyEngine(options)) {
      DeviceInfo device = engine.any().device();
      List<Integer> batches =
          setting.batches(usual.length > 0 ? usual : usualBatches(device.kind()));
      try (Peers peers = Peers.of(device.kind(), setting, findings)) {
        List<Way> alone = List.of(new Way("engine", engine));
        files.forEach(new ModelBench(alone, batches, peers, setting, findings)::run);
      }
      return Optional.of(device);
    }
  }

  private static Integer[] usualBatches(DeviceInfo.Kind kind) {
    return switch (kind) {
      case OPENCL_GPU -> new Integer[] {1, 8, 64, 256, 1024};
      case OPENCL_CPU -> new Integer[] {1, 32, 256};
      case JVM -> new Integer[] {1, 32};
    };
  }

  private static RoomyEngine planned(Planning planning, Setting setting) {
    return new RoomyEngine(setting.engine().withPlanning(planning));
  }

  private static Optional<DeviceInfo> beside(
      Way way, Way other, Setting setting, Findings findings) {
    try (RoomyEngine engine = way.engine();
        RoomyEngine _ = other.engine();
        Peers none = Peers.none(setting, findings)) {
      List<Integer> batches = setting.batches(1, 32, 256);
      var bench = new ModelBench(List.of(way, other), batches, none, setting, findings);
      ModelFiles.of(setting).forEach(bench::run);
      findings.summarise(way.name(), other.name());
      return Optional.of(engine.any().device());
    }
  }
}
