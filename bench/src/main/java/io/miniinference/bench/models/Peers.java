package io.miniinference.bench.models;

import io.miniinference.bench.measure.BenchException;
import io.miniinference.bench.measure.Entrant;
import io.miniinference.bench.onnxruntime.OnnxRuntime;
import io.miniinference.bench.peer.Agreement;
import io.miniinference.bench.peer.Memory;
import io.miniinference.bench.peer.Peer;
import io.miniinference.bench.peer.PyTorch;
import io.miniinference.bench.suite.Findings;
import io.miniinference.bench.suite.Setting;
import io.miniinference.bench.suite.TemporaryFolder;
import io.miniinference.device.DeviceInfo;
import io.miniinference.ir.Tensor;
import io.miniinference.lower.Precision;
import io.miniinference.repository.ModelFile;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

/// Who else runs the models that are measured.
///
/// @param peer ONNX Runtime for CPUs, PyTorch for GPUs
/// @param folder for files that last as long
record Peers(Optional<Peer> peer, TemporaryFolder folder, Precision precision, Findings findings)
    implements AutoCloseable {

  /// The peer that this host has for a kind of device. That it is missing is noted.
  static Peers of(DeviceInfo.Kind kind, Setting setting, Findings findings) {
    Peers none = none(setting, findings);
    boolean onGpu = kind == DeviceInfo.Kind.OPENCL_GPU;
    try {
      Optional<Peer> peer =
          onGpu
              ? Optional.of(PyTorch.start(setting.python(), none.folder.path(), none.precision))
              : OnnxRuntime.find(setting.threads());
      if (peer.isEmpty()) {
        findings.note("ONNX Runtime is not beside it: no jar of it is on the class path");
      }
      return new Peers(peer, none.folder, none.precision, findings);
    } catch (BenchException e) {
      String who = onGpu ? "PyTorch" : "ONNX Runtime";
      findings.note("%s is not beside it: %s", who, e.getMessage());
      return none;
    }
  }

  /// Nobody.
  static Peers none(Setting setting, Findings findings) {
    Precision precision = setting.engine().precision();
    return new Peers(Optional.empty(), TemporaryFolder.make(), precision, findings);
  }

  /// Has work done beside the peer's ways of running a model with inputs in some memory. If it does
  /// not run it, a note says why.
  ///
  /// @throws BenchException if it computes something else
  void beside(ModelFile file, EngineRuns ours, Consumer<Function<Memory, List<Entrant>>> work) {
    List<Tensor> outputs = ours.outputs();
    Optional<Peer.Runs> prepared = peer.flatMap(each -> prepared(each, file, ours, outputs));
    if (prepared.isEmpty()) {
      work.accept(_ -> List.of());
      return;
    }
    try (Peer.Runs runs = prepared.get()) {
      Agreement.check(outputs, runs.outputs(), precision, peer.orElseThrow().name());
      work.accept(runs::entrants);
    }
  }

  private Optional<Peer.Runs> prepared(
      Peer each, ModelFile file, EngineRuns ours, List<Tensor> outputs) {
    try {
      Peer.Runs runs = each.prepare(file.path(), ours.feed(), outputs);
      runs.notes().forEach(note -> findings.note("%s", note));
      return Optional.of(runs);
    } catch (BenchException e) {
      findings.note("%s does not run %s: %s", each.name(), file.name(), e.getMessage());
      return Optional.empty();
    }
  }

  @Override
  public void close() {
    peer.ifPresent(Peer::close);
    folder.close();
  }
}
