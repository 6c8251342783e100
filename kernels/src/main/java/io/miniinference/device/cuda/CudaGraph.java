package io.miniinference.device.cuda;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// A run as the driver has recorded it: transfers and launches with their arguments, which it
/// submits in one call. A launch of it takes a third of the time of one that is queued.
///
/// @param executable the driver's form of it
/// @param queued what it takes
record CudaGraph(CudaContext context, MemorySegment executable, Queued queued)
    implements AutoCloseable {
  /// What other threads do meanwhile is theirs.
  private static final int RELAXED = 2;

  /// What was given to the driver.
  ///
  /// @param isMarked whether the run writes its mark ([CudaMark]) at its end
  record Queued(int launches, int transfers, boolean isMarked) {}

  /// Something that queues a run on a stream.
  interface Run {
    Queued on(MemorySegment stream);
  }

  /// Records a run. One thread at a time, whose context is this one.
  static CudaGraph of(CudaContext context, Run run) {
    MemorySegment stream = context.recording();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment made = arena.allocate(ADDRESS);
      Queued queued = recorded(run, stream, made);
      MemorySegment graph = made.get(ADDRESS, 0);
      try {
        Cuda.call(
            "cuGraphInstantiate",
            Cuda.find("cuGraphInstantiateWithFlags", ADDRESS, ADDRESS, JAVA_LONG),
            made,
            graph,
            0L);
      } finally {
        Cuda.call("cuGraphDestroy", Cuda.find("cuGraphDestroy", ADDRESS), graph);
      }
      return new CudaGraph(context, made.get(ADDRESS, 0), queued);
    }
  }

  private static Queued recorded(Run run, MemorySegment stream, MemorySegment made) {
    Cuda.call(
        "cuStreamBeginCapture",
        Cuda.find("cuStreamBeginCapture_v2", ADDRESS, JAVA_INT),
        stream,
        RELAXED);
    try {
      return run.on(stream);
    } finally {
      Cuda.call(
          "cuStreamEndCapture", Cuda.find("cuStreamEndCapture", ADDRESS, ADDRESS), stream, made);
    }
  }

  /// Queues it behind what is on the stream.
  Queued launch(MemorySegment stream) {
    CudaCalls.graphLaunch(executable, stream);
    return queued;
  }

  /// The host has the outputs of all its runs, of which the last may not have ended.
  @Override
  public void close() {
    context.release(context::finish);
    context.release(() ->
        Cuda.call("cuGraphExecDestroy", Cuda.find("cuGraphExecDestroy", ADDRESS), executable));
  }
}
