package io.miniinference.bench.models;

import module io.miniinference.kernels;
import module java.base;

import io.miniinference.bench.measure.Entrant;

/// A model on the engine with a feed: requests as the service makes them, without HTTP.
///
/// @param subject as tables show it
record EngineRuns(String subject, Model model, Feed feed) implements Peer.Runs {
  static EngineRuns of(String subject, Model model, int batch) {
    return new EngineRuns(subject, model, Feed.of(model.inputs(), batch));
  }

  @Override
  public List<Tensor> outputs() {
    return outputs(Memory.ORDINARY);
  }

  /// What a second run computes: content that is there from the first must still be.
  List<Tensor> outputs(Memory memory) {
    InferenceRequest request = request(memory);
    model.infer(request, _ -> true);
    return model.infer(request, this::copies);
  }

  @Override
  public List<Entrant> entrants(Memory memory) {
    InferenceRequest request = request(memory);
    List<Tensor> targets = outputs();
    ResponseReader<Boolean> reader =
        memory == Memory.PINNED ? _ -> true : results -> copy(results, targets);
    return List.of(Entrant.of(subject, () -> model.infer(request, reader)));
  }

  /// A request of the feed. One in pinned memory was decoded straight into staging: its content is
  /// there when a run begins, and stays, since a device with memory of its own does not write
  /// there.
  InferenceRequest request(Memory memory) {
    Set<MemorySegment> filled = new HashSet<>();
    return new InferenceRequest(
        feed.inputs().stream().map(input -> input.tensor().shape()).toList(),
        (i, staging) -> {
          if (memory == Memory.ORDINARY || filled.add(staging)) {
            staging.copyFrom(feed.inputs().get(i).tensor().data());
          }
        });
  }

  /// Copies outputs to where they were copied the time before.
  private static boolean copy(List<ResponseReader.Output> results, List<Tensor> targets) {
    for (int i = 0; i < results.size(); i++) {
      targets.get(i).data().copyFrom(results.get(i).data());
    }
    return true;
  }

  private List<Tensor> copies(List<ResponseReader.Output> results) {
    return IntStream.range(0, results.size()).mapToObj(i -> copy(i, results.get(i))).toList();
  }

  private Tensor copy(int output, ResponseReader.Output result) {
    return Tensor.of(model.outputs().get(output).element(), result.data(), result.shape()).copy();
  }

  @Override
  public void close() {
    model.close();
  }
}
