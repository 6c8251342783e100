package io.miniinference.bench.models;

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
import java.util.function.Consumer;

/// Whole models without HTTP: beside peers, and as they are planned beside another way of planning.
public final class ModelsSuite {
  private static final Planning PLANNING = Planning.defaults();
  private static final Planning BY_STEPS = PLANNING.withRows(false);

  public static final Suite MODELS =
      new Suite(
          "models",
          "a request to a model, without HTTP: beside ONNX Runtime on a CPU, PyTorch on a GPU",
          ModelBench.BATCH,
          findings -> besidePeers(findings.setting().engine(), findings));

  /// What a host without OpenCL serves.
  public static final Suite JVM =
      new Suite(
          "jvm",
          "a request to a model on the JVM device, which computes with the Vector API",
          ModelBench.BATCH,
          findings -> besidePeers(findings.setting().engine().withDevice("jvm"), findings));

  /// Whether it costs time that tensors share memory. Rows share less, and are looked at for
  /// themselves.
  public static final Suite SHARING =
      new Suite(
          "sharing",
          "a request with tensors that share memory beside one with memory for each",
          ModelBench.BATCH,
          beside("sharing", BY_STEPS, "memory for each", BY_STEPS.withoutSharing()));

  /// What it gains that rows go through a whole model a few at a time.
  public static final Suite ROWS =
      new Suite(
          "rows",
          "a batch that goes through the model row by row beside one that goes step by step",
          ModelBench.BATCH,
          beside("rows", PLANNING, "step by step", BY_STEPS));

  private ModelsSuite() {}

  /// Measures a model of a user's, at batch 1 unless the setting selects others.
  public static SuiteResult of(ModelFile file, Setting setting, Consumer<String> progress) {
    Consumer<Findings> work = findings -> besidePeers(List.of(file), setting.engine(), findings, 1);
    return new Suite(MODELS.name(), MODELS.description(), MODELS.across(), work)
        .run(setting, progress)
        .orElseThrow();
  }

  private static void besidePeers(EngineOptions options, Findings findings) {
    besidePeers(ModelFiles.of(findings.setting()), options, findings);
  }

  private static void besidePeers(
      List<ModelFile> files, EngineOptions options, Findings findings, Integer... usual) {
    try (var engine = new RoomyEngine("engine", options)) {
      DeviceInfo device = engine.engine().device();
      findings.on(device);
      List<Integer> batches =
          findings.setting().batches(usual.length > 0 ? usual : usualBatches(device.kind()));
      try (Peers peers = Peers.of(device.kind(), findings)) {
        files.forEach(new ModelBench(List.of(engine), batches, peers, findings)::run);
      }
    }
  }

  private static Integer[] usualBatches(DeviceInfo.Kind kind) {
    return switch (kind) {
      case OPENCL_GPU -> new Integer[] {1, 8, 64, 256, 1024};
      case OPENCL_CPU -> new Integer[] {1, 32, 256};
      case JVM -> new Integer[] {1, 32};
    };
  }

  private static Consumer<Findings> beside(
      String name, Planning planning, String otherName, Planning otherPlanning) {
    return findings -> {
      Setting setting = findings.setting();
      EngineOptions usual = setting.engine();
      try (var way = new RoomyEngine(name, usual.withPlanning(planning));
          var other = new RoomyEngine(otherName, usual.withPlanning(otherPlanning))) {
        List<Integer> batches = setting.batches(1, 32, 256);
        ModelBench.race(way, other, batches, ModelFiles.of(setting), findings);
      }
    };
  }
}
