package io.miniinference.bench.models;

import module io.miniinference.kernels;
import module java.base;

import io.miniinference.bench.measure.Findings;
import io.miniinference.bench.measure.Parameters;
import io.miniinference.bench.measure.Rounds;
import io.miniinference.bench.measure.Spread;
import io.miniinference.bench.measure.Timing;
import io.miniinference.bench.measure.Unit;
import tools.jackson.databind.JsonNode;

/// Times models on an engine, in turn with peers or with another engine on the same device. Where
/// one of them computes something else, none is timed.
///
/// Where a load's queues and staging happen to lie, and how that falls in with the rhythm of a
/// device, can outweigh what two engines differ in, and stays as it is for a while, often until the
/// model is loaded anew. So pairs of two engines are taken from many loads, a few from each.
///
/// @param ways the engine and, if there is one, the other
record ModelBench(List<RoomyEngine> ways, List<Integer> batches, Peers peers, Findings findings) {
  static final String BATCH = "batch";

  /// Measures models on an engine beside another one, and notes how all ratios are together.
  static void race(
      List<RoomyEngine> both, List<Integer> batches, List<ModelFile> files, Findings findings) {
    findings.on(both.getFirst().engine().device(), BATCH);
    files.forEach(new ModelBench(both, batches, Peers.none(findings), findings)::run);
    findings.summarise(both.getFirst().name(), both.getLast().name());
  }

  /// Measures a model at all batch sizes that it can have.
  void run(ModelFile file) {
    findings.say("%s: loading", file.name());
    findings.attempt(
        file.name(),
        () -> {
          OnnxModel onnx = file.read();
          LoadOptions most = findings.setting().loadOptions(onnx, batches.getLast());
          ways.forEach(way -> way.makeRoom(onnx, most));
          for (int batch : batches) {
            findings.say("%s: batch %d", file.name(), batch);
            findings.attempt(file.name() + " at batch " + batch, () -> run(file, onnx, batch));
          }
        });
  }

  private void run(ModelFile file, OnnxModel onnx, int batch) {
    LoadOptions options = findings.setting().loadOptions(onnx, batch);
    int loads = isAlone() ? 1 : Timings.of(ways.getFirst().engine(), findings).loads();
    Map<Parameters, Rounds> all = new LinkedHashMap<>();
    for (int load = 0; load < loads; load++) {
      Deque<EngineRuns> loaded = new ArrayDeque<>();
      try {
        /* In turn, since the one loaded second finds the driver as the first left it. */
        List<RoomyEngine> order = load % 2 == 0 ? ways : ways.reversed();
        order.forEach(
            way -> loaded.add(EngineRuns.of(way.name(), way.engine().load(onnx, options), batch)));
        List<EngineRuns> ours = List.copyOf(load % 2 == 0 ? loaded : loaded.reversed());
        Model model = ours.getFirst().model();
        if (batch > model.maxBatch()) {
          findings.note("%s takes batches up to %d only", file.name(), model.maxBatch());
          return;
        }
        time(file, onnx, batch, ours, all);
        if (load == loads - 1) {
          all.forEach((at, rounds) -> findings.add(file.name(), at, Unit.MICROSECONDS, rounds));
        }
        if (isAlone()) {
          addArena(model, batch);
        }
      } finally {
        loaded.forEach(EngineRuns::close);
      }
    }
  }

  private boolean isAlone() {
    return ways.size() == 1;
  }

  /// Adds rounds on one load to those of earlier ones.
  private void time(
      ModelFile file,
      OnnxModel onnx,
      int batch,
      List<EngineRuns> ours,
      Map<Parameters, Rounds> to) {
    Engine engine = ways.getFirst().engine();
    boolean onGpu = isAlone() && engine.device().kind() == DeviceInfo.Kind.OPENCL_GPU;
    List<Memory> memories = onGpu ? List.of(Memory.values()) : List.of(Memory.ORDINARY);
    check(ours, memories);
    Timings timings = Timings.of(engine, findings);
    Timing timing = isAlone() ? timings.alone() : timings.ofOneLoad();
    peers
        .race(file, onnx, ours, memories, timing)
        .forEach((memory, rounds) -> {
          /* The kind of memory is told where there is more than one. */
          Parameters own = onGpu ? Parameters.of("input", memory.text()) : Parameters.NONE;
          to.merge(own.with(BATCH, batch), rounds, Rounds::and);
        });
  }

  private static void check(List<EngineRuns> ours, List<Memory> memories) {
    List<Tensor> outputs = ours.getFirst().outputs();
    for (EngineRuns runs : ours) {
      for (Memory memory : memories) {
        String what = runs.subject() + ", " + memory.text() + " memory";
        Agreement.check(outputs, runs.outputs(memory), Precision.F32, what);
      }
    }
  }

  /* Bytes of the tensors of one request: row by row, where it goes so. */
  private void addArena(Model model, int batch) {
    JsonNode plan = RoomyEngine.fields(model.plan(batch));
    long bytes = plan.path("rows").path("arenaBytes").asLong(plan.path("plannedBytes").asLong());
    Parameters at = Parameters.of(BATCH, batch);
    String name = ways.getFirst().name();
    findings.add(model.name(), at, name, Unit.ARENA_BYTES, Spread.exact(bytes));
  }
}
