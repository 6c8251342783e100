package io.miniinference.bench.models;

import module io.miniinference.kernels;
import module java.base;

import io.miniinference.bench.measure.BenchException;
import io.miniinference.bench.measure.Entrant;
import io.miniinference.bench.measure.Findings;
import io.miniinference.bench.measure.Rounds;
import io.miniinference.bench.measure.Setting;
import io.miniinference.bench.measure.Timing;

/// Who else runs the models that are measured, if anybody does.
record Peers(Optional<Peer> peer, Findings findings) implements AutoCloseable {

  /// The peer for a kind of device: ONNX Runtime for CPUs, PyTorch for GPUs. That this host has
  /// none is noted.
  static Peers of(DeviceInfo.Kind kind, Findings findings) {
    boolean onGpu = kind == DeviceInfo.Kind.OPENCL_GPU;
    Setting setting = findings.setting();
    try {
      return new Peers(
          Optional.of(
              onGpu
                  ? PyTorch.start(setting.python(), findings.folder(), setting.precision())
                  : onnxRuntime(setting.threads())),
          findings);
    } catch (BenchException e) {
      String who = onGpu ? "PyTorch" : "ONNX Runtime";
      findings.note("%s is not beside it: %s", who, e.getMessage());
      return none(findings);
    }
  }

  /// ONNX Runtime, which comes with the sources and not with a bundle.
  ///
  /// @throws BenchException if it is not there
  static OnnxRuntimePeer onnxRuntime(int threads) {
    try {
      return new OnnxRuntimePeer(threads);
    } catch (NoClassDefFoundError e) {
      throw new BenchException("no jar of it is on the class path", e);
    }
  }

  static Peers none(Findings findings) {
    return new Peers(Optional.empty(), findings);
  }

  /// Has the engine's runs of a model take turns, and with them the peer's ways of running it from
  /// such memory. If it does not run it, a note says why.
  ///
  /// @param ours the first computes what the peer has to
  /// @throws BenchException if it computes something else
  Map<Memory, Rounds> race(
      ModelFile file, OnnxModel onnx, List<EngineRuns> ours, List<Memory> memories, Timing timing) {
    List<Tensor> outputs = ours.getFirst().outputs();
    List<Peer.Runs> theirs = prepare(file, ours.getFirst().feed(), outputs);
    try {
      theirs.forEach(runs -> runs.notes().forEach(note -> findings.note("%s", note)));
      theirs.forEach(runs -> check(onnx, outputs, runs));
      Map<Memory, Rounds> all = new EnumMap<>(Memory.class);
      for (Memory memory : memories) {
        all.put(memory, race(entrants(ours, memory), entrants(theirs, memory), timing));
      }
      return all;
    } finally {
      theirs.forEach(Peer.Runs::close);
    }
  }

  static List<Entrant> entrants(List<? extends Peer.Runs> all, Memory memory) {
    return all.stream().flatMap(runs -> runs.entrants(memory).stream()).toList();
  }

  private List<Peer.Runs> prepare(ModelFile file, Feed feed, List<Tensor> outputs) {
    try {
      return peer.stream().map(each -> each.prepare(file.path(), feed, outputs)).toList();
    } catch (BenchException e) {
      findings.note("%s does not run %s: %s", name(), file.name(), e.getMessage());
      return List.of();
    }
  }

  /// Refuses a peer that computes something else. A network that quantises while it runs rounds
  /// what lies between two steps to either of them, by the last bit of what went before, and so on
  /// from layer to layer: its floats are as close as those of seven bits after the point.
  void check(OnnxModel onnx, List<Tensor> outputs, Peer.Runs theirs) {
    Precision precision = quantises(onnx) ? Precision.BF16 : findings.setting().precision();
    Agreement.check(outputs, theirs.outputs(), precision, name());
  }

  private static boolean quantises(OnnxModel onnx) {
    return onnx.graph().getNodeList().stream()
        .anyMatch(node -> node.getOpType().endsWith("QuantizeLinear"));
  }

  private String name() {
    return peer.map(Peer::name).orElse("nobody");
  }

  /* Without the peer where it fails on its way. */
  private Rounds race(List<Entrant> ours, List<Entrant> theirs, Timing timing) {
    try {
      return Rounds.run(Stream.concat(ours.stream(), theirs.stream()).toList(), timing);
    } catch (BenchException e) {
      findings.note("no peer takes part: %s", e.getMessage());
      return Rounds.run(ours, timing);
    }
  }

  @Override
  public void close() {
    peer.ifPresent(Peer::close);
  }
}
