package io.miniinference.bench.models;

import io.miniinference.bench.measure.BenchException;
import io.miniinference.bench.measure.Entrant;
import io.miniinference.bench.measure.Parameters;
import io.miniinference.bench.measure.Rounds;
import io.miniinference.bench.measure.Spread;
import io.miniinference.bench.measure.Timing;
import io.miniinference.bench.measure.Unit;
import io.miniinference.bench.peer.Agreement;
import io.miniinference.bench.peer.Memory;
import io.miniinference.bench.suite.Findings;
import io.miniinference.bench.suite.ModelFiles;
import io.miniinference.bench.suite.Setting;
import io.miniinference.device.DeviceInfo;
import io.miniinference.ir.Tensor;
import io.miniinference.lower.Precision;
import io.miniinference.onnx.OnnxModel;
import io.miniinference.repository.ModelFile;
import io.miniinference.runtime.LoadOptions;
import io.miniinference.runtime.Model;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/// Times models on an engine, in turn with peers or with another engine on the same device. Where
/// one of them computes something else, none is timed.
///
/// Where a load's queues and staging happen to lie, and how that falls in with the rhythm of a
/// device, can outweigh what two engines differ in, and stays as it is for a while, often until the
/// model is loaded anew. So pairs of two engines are taken from many loads, a few from each.
///
/// @param ways the engine and, if there is one, the other
record ModelBench(
    List<Way> ways, List<Integer> batches, Peers peers, Setting setting, Findings findings) {
  static final String BATCH = "batch";

  /// An engine.
  ///
  /// @param name as tables show it
  record Way(String name, RoomyEngine engine) {}

  /// Measures a model at all batch sizes that it can have.
  void run(ModelFile file) {
    setting.say("%s: loading", file.name());
    findings.attempt(
        file.name(),
        () -> {
          OnnxModel onnx = ModelFiles.read(file);
          LoadOptions most = setting.loadOptions(batches.getLast());
          ways.forEach(way -> way.engine.holding(onnx, most));
          for (int batch : batches) {
            setting.say("%s: batch %d", file.name(), batch);
            findings.attempt(file.name() + " at batch " + batch, () -> run(file, onnx, batch));
          }
        });
  }

  private void run(ModelFile file, OnnxModel onnx, int batch) {
    LoadOptions options = setting.loadOptions(batch);
    int loads = isAlone() ? 1 : Timings.loads(kind(), setting);
    Map<Parameters, Rounds> all = new LinkedHashMap<>();
    for (int load = 0; load < loads; load++) {
      Map<Way, Model> models = new LinkedHashMap<>();
      try {
        /* The one loaded second finds the driver as the first left it. */
        for (Way way : load % 2 == 0 ? ways : ways.reversed()) {
          models.put(way, way.engine.any().load(onnx, options));
        }
        time(file, batch, ways.stream().map(models::get).toList(), all);
        if (load == loads - 1) {
          all.forEach((at, rounds) -> findings.add(file.name(), at, rounds));
          addArena(models.values().iterator().next(), batch);
        }
      } finally {
        models.values().forEach(Model::close);
      }
    }
  }

  private boolean isAlone() {
    return ways.size() == 1;
  }

  private DeviceInfo.Kind kind() {
    return ways.getFirst().engine.any().device().kind();
  }

  /// Adds rounds on one load to those of earlier ones.
  private void time(ModelFile file, int batch, List<Model> models, Map<Parameters, Rounds> to) {
    if (batch > models.getFirst().maxBatch()) {
      findings.note("%s takes batches up to %d only", file.name(), models.getFirst().maxBatch());
      return;
    }
    List<EngineRuns> ours = models.stream().map(model -> EngineRuns.of(model, batch)).toList();
    boolean onGpu = isAlone() && kind() == DeviceInfo.Kind.OPENCL_GPU;
    List<Memory> memories = onGpu ? List.of(Memory.values()) : List.of(Memory.ORDINARY);
    check(ours, memories);
    peers.beside(
        file,
        ours.getFirst(),
        theirs -> {
          for (Memory memory : memories) {
            /* The kind of memory is told where there is more than one. */
            Parameters own = onGpu ? Parameters.of("input", memory.text()) : Parameters.NONE;
            List<Entrant> entrants = new ArrayList<>();
            for (int i = 0; i < ours.size(); i++) {
              entrants.add(ours.get(i).entrant(ways.get(i).name, memory));
            }
            entrants.addAll(theirs.apply(memory));
            to.merge(own.with(BATCH, batch), rounds(entrants), Rounds::and);
          }
        });
  }

  private void check(List<EngineRuns> ours, List<Memory> memories) {
    List<Tensor> outputs = ours.getFirst().outputs();
    for (int i = 1; i < ours.size(); i++) {
      Agreement.check(outputs, ours.get(i).outputs(), Precision.F32, ways.get(i).name);
    }
    for (Memory memory : memories) {
      List<Tensor> others = ours.getFirst().outputs(memory);
      Agreement.check(outputs, others, Precision.F32, memory.text() + " memory");
    }
  }

  /* Without the peers where one of them fails on its way. */
  private Rounds rounds(List<Entrant> entrants) {
    Timing timing = isAlone() ? Timings.of(kind(), setting) : Timings.ofOneLoad(kind(), setting);
    try {
      return Rounds.run(entrants, timing);
    } catch (BenchException e) {
      findings.note("no peer takes part: %s", e.getMessage());
      return Rounds.run(entrants.subList(0, ways.size()), timing);
    }
  }

  /* Bytes of the tensors of one request: row by row, where it goes so. */
  private void addArena(Model model, int batch) {
    if (!isAlone() || batch > model.maxBatch()) {
      return;
    }
    JsonNode plan = RoomyEngine.fields(model.plan(batch));
    long bytes = plan.path("rows").path("arenaBytes").asLong(plan.path("plannedBytes").asLong());
    Parameters at = Parameters.of(BATCH, batch);
    String name = ways.getFirst().name;
    findings.add(model.name(), at, name, Unit.ARENA_BYTES, Spread.exact(bytes));
  }
}
