package io.miniinference.bench.models;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.miniinference.bench.measure.Entrant;
import io.miniinference.bench.peer.Feed;
import io.miniinference.bench.peer.Memory;
import io.miniinference.ir.Tensor;
import io.miniinference.runtime.InferenceRequest;
import io.miniinference.runtime.Model;
import io.miniinference.runtime.ResponseReader;
import io.miniinference.signature.TensorSpec;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// A model on the engine with a feed: requests as the service makes them, without HTTP.
record EngineRuns(Model model, Feed feed) {
  static EngineRuns of(Model model, int batch) {
    return new EngineRuns(model, Feed.of(model.inputs(), batch));
  }

  /// What is computed from content in ordinary memory.
  List<Tensor> outputs() {
    return outputs(Memory.ORDINARY);
  }

  /// What a second run computes: content that is there from the first must still be.
  List<Tensor> outputs(Memory memory) {
    InferenceRequest request = request(memory);
    model.infer(request, _ -> true);
    return model.infer(request, this::copies);
  }

  /// Runs requests whose content lies in ordinary memory.
  Entrant entrant(String subject) {
    return entrant(subject, Memory.ORDINARY);
  }

  Entrant entrant(String subject, Memory memory) {
    InferenceRequest request = request(memory);
    ResponseReader<Boolean> reader = memory == Memory.PINNED ? _ -> true : copyingReader();
    return Entrant.of(subject, () -> model.infer(request, reader));
  }

  /// A request of the feed.
  InferenceRequest request(Memory memory) {
    List<long[]> shapes = feed.inputs().stream().map(input -> input.tensor().shape()).toList();
    return switch (memory) {
      case ORDINARY -> new InferenceRequest(shapes, (i, staging) -> staging.copyFrom(input(i)));
      case PINNED -> inPlace(shapes);
    };
  }

  /// A request that was decoded straight into staging: its content is there when a run begins, and
  /// stays, since a device with memory of its own does not write there.
  private InferenceRequest inPlace(List<long[]> shapes) {
    Set<MemorySegment> filled = new HashSet<>();
    return new InferenceRequest(
        shapes,
        (i, staging) -> {
          if (filled.add(staging)) {
            staging.copyFrom(input(i));
          }
        });
  }

  private MemorySegment input(int i) {
    return feed.inputs().get(i).tensor().data();
  }

  /// Copies outputs to where they were copied the time before.
  private ResponseReader<Boolean> copyingReader() {
    List<Tensor> targets = outputs();
    return results -> {
      for (int i = 0; i < results.size(); i++) {
        targets.get(i).data().copyFrom(results.get(i).data());
      }
      return true;
    };
  }

  private List<Tensor> copies(List<ResponseReader.Output> results) {
    List<Tensor> copies = new ArrayList<>();
    for (ResponseReader.Output result : results) {
      TensorSpec output = model.outputs().get(copies.size());
      byte[] bytes = result.data().toArray(JAVA_BYTE);
      copies.add(new Tensor(output.element(), result.shape(), MemorySegment.ofArray(bytes)));
    }
    return copies;
  }
}
