package io.miniinference.bench.open;

import io.miniinference.bench.measure.Quantiles;
import io.miniinference.bench.models.EngineRuns;
import io.miniinference.bench.peer.Feed;
import io.miniinference.bench.peer.Memory;
import io.miniinference.ir.Tensor;
import io.miniinference.runtime.InferenceRequest;
import io.miniinference.runtime.Model;
import io.miniinference.runtime.RequestShape;
import java.util.List;
import java.util.stream.DoubleStream;

/// What requests of one shape took.
///
/// @param firstMicros the first one
/// @param againMicros a further one, the median of some
/// @param outputs of the last one
record ShapeRuns(
    RequestShape shape, Feed feed, double firstMicros, double againMicros, List<Tensor> outputs) {
  private static final int FURTHER = 5;

  static ShapeRuns of(Model model, RequestShape shape) {
    Feed feed = Feed.of(model.inputs(), model.signature().shapes(shape), (int) shape.batch());
    var runs = new EngineRuns(model, feed);
    InferenceRequest request = runs.request();
    double first = micros(model, request);
    double again =
        Quantiles.median(
            DoubleStream.generate(() -> micros(model, request)).limit(FURTHER).toArray());
    return new ShapeRuns(shape, feed, first, again, runs.outputs(Memory.ORDINARY));
  }

  private static double micros(Model model, InferenceRequest request) {
    long start = System.nanoTime();
    model.infer(request, _ -> true);
    return (System.nanoTime() - start) / 1e3;
  }

  /// What the first one took more.
  double extraMicros() {
    return firstMicros - againMicros;
  }
}
