package io.miniinference.device.cuda;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// The streams of all runs. What is queued on one goes in order; runs on different ones overlap:
/// the transfers of one with the launches of another, and launches that leave processors free with
/// each other. Runs share no memory but weights, which none writes.
final class CudaStreams {
  /// Streams, of which a run that is alone takes the first.
  static final int COUNT = 8;

  private final List<Lane> lanes;

  private CudaStreams(List<Lane> lanes) {
    this.lanes = lanes;
  }

  /// A stream, and how many runs are on it.
  record Lane(MemorySegment stream, AtomicInteger runs) {
    /// A run has ended, or did not begin.
    void giveBack() {
      runs.decrementAndGet();
    }

    /// Whether all that is queued on it has ended.
    boolean isIdle(CudaContext context) {
      context.enter();
      return CudaCalls.isIdle(stream);
    }

    /// Waits for all that is queued on it.
    void finish(CudaContext context) {
      context.enter();
      CudaCalls.finish(stream);
    }
  }

  /// In the thread's context.
  static CudaStreams open() {
    return new CudaStreams(
        Stream.generate(() -> new Lane(CudaContext.newStream(), new AtomicInteger()))
            .limit(COUNT)
            .toList());
  }

  /// The one of the fewest runs, the first of several, which has one more from now on.
  Lane take() {
    Lane least = lanes.getFirst();
    for (Lane lane : lanes) {
      if (lane.runs.get() < least.runs.get()) {
        least = lane;
      }
    }
    least.runs.incrementAndGet();
    return least;
  }

  /// As many, those of the fewest runs first.
  List<Lane> take(int count) {
    return count == 1 ? List.of(take()) : IntStream.range(0, count).mapToObj(_ -> take()).toList();
  }

  /// The one for what belongs to no run.
  Lane first() {
    return lanes.getFirst();
  }

  /// Waits for all that is queued on any.
  void finish() {
    lanes.forEach(lane -> CudaCalls.finish(lane.stream));
  }
}
