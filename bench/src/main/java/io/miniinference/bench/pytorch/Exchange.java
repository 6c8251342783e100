package io.miniinference.bench.pytorch;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.miniinference.bench.peer.Feed;
import io.miniinference.bench.peer.PeerException;
import io.miniinference.ir.Tensor;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Tensors on their way between two processes: plain bytes in files of a folder.
///
/// @param folder emptied by its owner
record Exchange(Path folder) {

  /// Writes inputs, and returns where they lie and what they are.
  List<Map<String, Object>> send(List<Feed.Input> inputs) {
    List<Map<String, Object>> sent = new ArrayList<>();
    for (Feed.Input input : inputs) {
      Path file = folder.resolve("input-" + sent.size());
      Map<String, Object> entry = new LinkedHashMap<>();
      entry.put("type", input.tensor().element().toString());
      entry.put("shape", input.tensor().shape());
      entry.put("file", write(file, input.tensor()));
      sent.add(entry);
    }
    return sent;
  }

  private static String write(Path file, Tensor tensor) {
    try {
      Files.write(file, tensor.data().toArray(JAVA_BYTE));
      return file.toString();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Where outputs are expected.
  List<String> places(int outputs) {
    List<String> places = new ArrayList<>();
    for (int i = 0; i < outputs; i++) {
      places.add(folder.resolve("output-" + i).toString());
    }
    return places;
  }

  /// Reads outputs.
  ///
  /// @param like tensors of their types and shapes
  /// @throws PeerException if they are of other sizes
  List<Tensor> receive(List<Tensor> like) {
    List<Tensor> received = new ArrayList<>();
    for (Tensor expected : like) {
      byte[] bytes = read(folder.resolve("output-" + received.size()));
      if (bytes.length != expected.data().byteSize()) {
        throw new PeerException(
            "output %d has %d bytes, and not those of %s"
                .formatted(received.size(), bytes.length, expected));
      }
      received.add(new Tensor(expected.element(), expected.shape(), MemorySegment.ofArray(bytes)));
    }
    return received;
  }

  private static byte[] read(Path file) {
    try {
      return Files.readAllBytes(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
