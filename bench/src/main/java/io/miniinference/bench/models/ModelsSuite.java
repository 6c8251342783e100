package io.miniinference.bench.models;

import module io.miniinference.kernels;

import io.miniinference.bench.measure.Findings;
import io.miniinference.bench.measure.Setting;
import java.util.List;

/// Whole models without HTTP: beside peers, and as they are planned beside another way of planning.
public final class ModelsSuite {
  private static final Planning PLANNING = Planning.defaults();
  private static final Planning BY_STEPS = PLANNING.withRows(false);

  private ModelsSuite() {}

  public static void besidePeers(Findings findings) {
    besidePeers(findings.setting().models(), findings.setting().engine(), findings);
  }

  /// What a host without OpenCL serves.
  public static void onTheJvm(Findings findings) {
    EngineOptions onJvm = findings.setting().engine().withDevice("jvm");
    besidePeers(findings.setting().models(), onJvm, findings);
  }

  /// Measures a model of a user's, at batch 1 unless the setting selects others.
  public static void besidePeers(ModelFile file, Findings findings) {
    besidePeers(List.of(file), findings.setting().engine(), findings, 1);
  }

  private static void besidePeers(
      List<ModelFile> files, EngineOptions options, Findings findings, Integer... usual) {
    try (var engine = new RoomyEngine("engine", options)) {
      DeviceInfo device = engine.engine().device();
      findings.on(device, ModelBench.BATCH);
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

  /// Whether it costs time that tensors share memory. Rows share less, and are looked at for
  /// themselves.
  public static void sharing(Findings findings) {
    race("sharing", BY_STEPS, "memory for each", BY_STEPS.withoutSharing(), findings);
  }

  /// What it gains that rows go through a whole model a few at a time.
  public static void rows(Findings findings) {
    race("rows", PLANNING, "step by step", BY_STEPS, findings);
  }

  private static void race(
      String name, Planning planning, String otherName, Planning other, Findings findings) {
    Setting setting = findings.setting();
    EngineOptions usual = setting.engine();
    try (var way = new RoomyEngine(name, usual.withPlanning(planning));
        var beside = new RoomyEngine(otherName, usual.withPlanning(other))) {
      List<Integer> batches = setting.batches(1, 32, 256);
      ModelBench.race(List.of(way, beside), batches, setting.models(), findings);
    }
  }
}
