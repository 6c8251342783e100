package io.miniinference.bench.models;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.miniinference.bench.measure.InProcess;
import io.miniinference.bench.peer.Feed;
import io.miniinference.bench.peer.Memory;
import io.miniinference.bench.peer.ModelRunner;
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
public final class EngineRuns {
  static final String SUBJECT = "engine";

  private final Model model;
  private final Feed feed;
  private final List<long[]> shapes;

  public EngineRuns(Model model, Feed feed) {
    this.model = model;
    this.feed = feed;
    shapes = feed.inputs().stream().map(input -> input.tensor().shape()).toList();
  }

  /// What a second run computes: content that is there from the first must still be.
  public List<Tensor> outputs(Memory memory) {
    InferenceRequest request = request(memory);
    model.infer(request, _ -> true);
    return model.infer(request, this::copies);
  }

  /// Runs a request whose content lies in such memory.
  public ModelRunner runner(Memory memory) {
    InferenceRequest request = request(memory);
    ResponseReader<Boolean> reader =
        switch (memory) {
          case ORDINARY -> copyingReader();
          case PINNED -> _ -> true;
        };
    return new ModelRunner(SUBJECT, memory, new InProcess(() -> model.infer(request, reader)));
  }

  /// A request of the feed, whose content is copied from memory of the host.
  public InferenceRequest request() {
    return request(Memory.ORDINARY);
  }

  private InferenceRequest request(Memory memory) {
    return switch (memory) {
      case ORDINARY -> new InferenceRequest(shapes, (i, staging) -> staging.copyFrom(input(i)));
      case PINNED -> requestInPlace();
    };
  }

  /// A request that was decoded straight into staging: its content is there when a run begins, and
  /// stays, since a device with memory of its own does not write there.
  private InferenceRequest requestInPlace() {
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
    List<Tensor> targets = outputs(Memory.ORDINARY);
    return results -> {
      for (int i = 0; i < results.size(); i++) {
        targets.get(i).data().copyFrom(results.get(i).data());
      }
      return true;
    };
  }

  private List<Tensor> copies(List<ResponseReader.Output> results) {
    List<Tensor> copies = new ArrayList<>();
    for (int i = 0; i < results.size(); i++) {
      TensorSpec output = model.outputs().get(i);
      byte[] bytes = results.get(i).data().toArray(JAVA_BYTE);
      copies.add(
          new Tensor(output.element(), results.get(i).shape(), MemorySegment.ofArray(bytes)));
    }
    return copies;
  }
}
