package io.miniinference.bench.models;

import io.miniinference.bench.onnxruntime.OnnxRuntime;
import io.miniinference.bench.peer.Peer;
import io.miniinference.bench.peer.PeerException;
import io.miniinference.bench.pytorch.PyTorch;
import io.miniinference.bench.suite.Setting;
import io.miniinference.bench.suite.TemporaryFolder;
import io.miniinference.device.DeviceInfo;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// The peers that this host has for a kind of device.
final class Peers implements AutoCloseable {
  private final List<Peer> all = new ArrayList<>();
  private final List<String> missing = new ArrayList<>();
  private final TemporaryFolder folder = TemporaryFolder.make();

  private Peers() {}

  /// Looks for them: ONNX Runtime for CPUs, PyTorch for GPUs. Whoever is missing is told in
  /// [#missing].
  static Peers of(DeviceInfo.Kind kind, Setting setting) {
    var peers = new Peers();
    try {
      switch (kind) {
        case OPENCL_GPU -> peers.all.add(pyTorch(setting, peers.folder()));
        case OPENCL_CPU, JVM ->
            OnnxRuntime.find(setting.threads())
                .ifPresentOrElse(
                    peers.all::add,
                    () ->
                        peers.missing.add(
                            "ONNX Runtime is not beside it: no jar of it is on the class path"));
      }
    } catch (PeerException e) {
      String who = kind == DeviceInfo.Kind.OPENCL_GPU ? "PyTorch" : "ONNX Runtime";
      peers.missing.add("%s is not beside it: %s".formatted(who, e.getMessage()));
    }
    return peers;
  }

  private static Peer pyTorch(Setting setting, Path folder) {
    return PyTorch.start(setting.python(), folder, setting.engine().precision());
  }

  /// A folder for files that last as long as the peers.
  Path folder() {
    return folder.path();
  }

  List<Peer> all() {
    return all;
  }

  /// A line for each peer that is not there, with the reason.
  List<String> missing() {
    return missing;
  }

  @Override
  public void close() {
    all.forEach(Peer::close);
    folder.close();
  }
}
