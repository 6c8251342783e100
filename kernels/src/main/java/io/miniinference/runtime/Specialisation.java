package io.miniinference.runtime;

import io.miniinference.device.Commands;
import io.miniinference.device.DeviceProgram;
import io.miniinference.pool.OwnedBlocks;
import java.util.concurrent.Semaphore;

/// A model compiled for one set of sizes besides the batch, or of input shapes. It owns its
/// weights; its arena is borrowed per request.
///
/// @param weights byte offset of its weights in the pool
/// @param turn one request at a time
/// @param signature of the requests that it serves
record Specialisation(
    Compiled compiled,
    Reservation reservation,
    DeviceProgram program,
    Commands commands,
    OwnedBlocks memory,
    long weights,
    Serving serving,
    Semaphore turn,
    Signature signature)
    implements AutoCloseable {

  long arenaBytes() {
    return reservation.arenas().getLast().bytes();
  }

  private long maxBatch() {
    return signature.maxBatch();
  }

  /// Serves one request in an arena at `arena`.
  <T> T serve(long arena, InferenceRequest request, ResponseReader<T> reader) {
    long most = maxBatch();
    int n = (int) signature.check(request.shapes()).batch();
    Instance instance =
        new Instance(most, true, commands, reservation.spec().buckets(arena, most, weights), arena);
    serving.clear(instance, n);
    return serving.serve(instance, n, request, reader);
  }

  /// Waits for the request in flight and gives everything back.
  @Override
  public void close() {
    turn.acquireUninterruptibly();
    commands.close();
    program.close();
    memory.close();
  }
}
