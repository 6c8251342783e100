package io.miniinference.bench.pytorch;

import io.miniinference.bench.peer.Feed;
import io.miniinference.bench.peer.Peer;
import io.miniinference.bench.peer.PeerException;
import io.miniinference.ir.Tensor;
import io.miniinference.lower.Precision;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/// PyTorch on the first CUDA device, in 32-bit floats, with TF32 only where asked, eager and as
/// CUDA graphs, in a Python process that runs the script `peer.py`.
public final class PyTorch implements Peer {
  private static final Duration START = Duration.ofMinutes(3);

  private final PeerProcess process;
  private final Path folder;
  private final String name;

  private PyTorch(PeerProcess process, Path folder, String name) {
    this.process = process;
    this.folder = folder;
    this.name = name;
  }

  /// Starts it.
  ///
  /// @param python the interpreter; it needs the packages torch, onnx and numpy
  /// @param folder for the script and for tensors on their way
  /// @param precision how exact its products are
  /// @throws PeerException if there is none, or no GPU for it
  public static PyTorch start(String python, Path folder, Precision precision) {
    PeerProcess process =
        PeerProcess.start(List.of(python, "-u", script(folder).toString(), products(precision)));
    try {
      JsonNode hello = process.ask(Map.of("do", "hello"), START);
      return new PyTorch(process, folder, "PyTorch " + plain(hello.path("torch").asString()));
    } catch (PeerException e) {
      process.close();
      throw e;
    }
  }

  /* It has no 16-bit form of a model. */
  private static String products(Precision precision) {
    return switch (precision) {
      case F32, DIRECT -> Precision.F32.name();
      case TF32, F16, BF16 -> Precision.TF32.name();
    };
  }

  /// `2.11.0` of `2.11.0+cu130`.
  private static String plain(String version) {
    return version.split("\\+", 2)[0];
  }

  private static Path script(Path folder) {
    try (InputStream in = PyTorch.class.getResourceAsStream("peer.py")) {
      if (in == null) {
        throw new FileNotFoundException("the jar holds no peer.py");
      }
      Path script = folder.resolve("peer.py");
      Files.copy(in, script, StandardCopyOption.REPLACE_EXISTING);
      return script;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public Runs prepare(Path model, Feed feed, List<Tensor> outputs) {
    return PyTorchRuns.prepare(name, process, new Exchange(folder), new Work(model, feed, outputs));
  }

  /// A model, what it is fed, and what its outputs look like.
  record Work(Path model, Feed feed, List<Tensor> outputs) {}

  @Override
  public void close() {
    process.close();
  }
}
