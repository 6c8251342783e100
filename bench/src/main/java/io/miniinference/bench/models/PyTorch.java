package io.miniinference.bench.models;

import module io.miniinference.kernels;
import module java.base;

import io.miniinference.bench.measure.BenchException;
import io.miniinference.bench.measure.Entrant;
import io.miniinference.bench.measure.Slice;
import tools.jackson.databind.JsonNode;

/// PyTorch on the first CUDA device, in 32-bit floats, with TF32 only where asked, eager and as
/// CUDA graphs, in a Python process that runs the script `peer.py`. Tensors go between the two as
/// plain bytes in files of a folder.
///
/// @param name with its version
/// @param folder of the script and of tensors on their way
record PyTorch(String name, PeerProcess process, Path folder) implements Peer {
  private static final String SCRIPT = "/io/miniinference/bench/pytorch/peer.py";
  private static final Map<String, String> MODES = Map.of("eager", "eager", "graph", "CUDA graph");

  /// Starts it.
  ///
  /// @param python the interpreter; it needs the packages torch, onnx and numpy
  /// @param folder for the script and for tensors on their way; emptied by its owner
  /// @param precision how exact its products are
  /// @throws BenchException if there is none, or no GPU for it
  static PyTorch start(String python, Path folder, Precision precision) {
    Path script = folder.resolve("peer.py");
    try (InputStream in = PyTorch.class.getResourceAsStream(SCRIPT)) {
      Files.write(script, Objects.requireNonNull(in).readAllBytes());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    PeerProcess process =
        PeerProcess.start(List.of(python, "-u", script.toString(), products(precision)));
    try {
      String version = process.ask(Map.of("do", "hello")).path("torch").asString();
      return new PyTorch("PyTorch " + version.split("\\+", 2)[0], process, folder);
    } catch (BenchException e) {
      process.close();
      throw e;
    }
  }

  private static String products(Precision precision) {
    return (precision == Precision.DIRECT ? Precision.F32 : precision).name();
  }

  @Override
  public Runs prepare(Path model, Feed feed, List<Tensor> outputs) {
    String file = model.toAbsolutePath().toString();
    List<Sent> inputs = new ArrayList<>();
    List<String> places = new ArrayList<>();
    try {
      for (Feed.Input input : feed.inputs()) {
        inputs.add(sent(input.tensor(), folder.resolve("input-" + inputs.size())));
      }
      outputs.forEach(_ -> places.add(folder.resolve("output-" + places.size()).toString()));
      Map<String, Object> question =
          Map.of("do", "prepare", "model", file, "inputs", inputs, "outputs", places);
      return new Prepared(this, process.ask(question), received(places, outputs));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// What a tensor is and where it lies, as the script reads it.
  private record Sent(String type, long[] shape, String file) {}

  private static Sent sent(Tensor tensor, Path file) throws IOException {
    Files.write(file, tensor.data().toArray(ValueLayout.JAVA_BYTE));
    return new Sent(tensor.element().toString(), tensor.shape(), file.toString());
  }

  private static List<Tensor> received(List<String> places, List<Tensor> like) throws IOException {
    List<Tensor> received = new ArrayList<>();
    for (Tensor expected : like) {
      byte[] bytes = Files.readAllBytes(Path.of(places.get(received.size())));
      if (bytes.length != expected.data().byteSize()) {
        throw new BenchException(
            "output %d has %d bytes, and not those of %s"
                .formatted(received.size(), bytes.length, expected));
      }
      received.add(Tensor.of(expected.element(), ByteBuffer.wrap(bytes), expected.shape()));
    }
    return received;
  }

  /// Runs what was prepared for one slice over there, where it is timed, too.
  private double[] run(String mode, Memory memory, Slice slice) {
    Map<String, Object> question =
        Map.of("do", "slice", "mode", mode, "memory", memory.text(), "slice", slice);
    JsonNode micros = process.ask(question).path("micros");
    if (micros.isEmpty()) {
      throw new BenchException(name + " timed nothing");
    }
    return micros.valueStream().mapToDouble(JsonNode::asDouble).toArray();
  }

  @Override
  public void close() {
    process.close();
  }

  /// A model and a feed in the process, which holds one at a time and keeps it until the next.
  private record Prepared(PyTorch peer, JsonNode answer, List<Tensor> outputs) implements Runs {
    @Override
    public List<Entrant> entrants(Memory memory) {
      return answer
          .path("ways")
          .valueStream()
          .filter(way -> way.path("memory").asString().equals(memory.text()))
          .map(way -> way.path("mode").asString())
          .map(mode ->
              new Entrant(
                  peer.name + " " + MODES.getOrDefault(mode, mode),
                  slice -> peer.run(mode, memory, slice)))
          .toList();
    }

    @Override
    public List<String> notes() {
      return answer
          .path("notes")
          .valueStream()
          .map(note -> peer.name + ": " + note.asString())
          .toList();
    }
  }
}
