package io.miniinference.runtime;

import io.miniinference.device.Commands;
import io.miniinference.device.DeviceProgram;
import io.miniinference.pool.OwnedBlocks;
import java.util.concurrent.Semaphore;

/// A model compiled for one set of input shapes. It owns its weights; its arena is borrowed per
/// request.
///
/// @param weights byte offset of its weights in the pool
/// @param turn one request at a time
record Specialisation(
    Compiled compiled,
    Reservation reservation,
    DeviceProgram program,
    Commands commands,
    OwnedBlocks memory,
    long weights,
    Serving serving,
    Semaphore turn)
    implements AutoCloseable {

  long arenaBytes() {
    return reservation.arenas().getLast().bytes();
  }

  /// Serves one request in an arena at `arena`.
  <T> T serve(long arena, InferenceRequest request, ResponseReader<T> reader) {
    serving.clear(arena, 1);
    Instance instance =
        new Instance(1, true, commands, reservation.spec().buckets(arena, 1, weights), arena);
    return serving.serve(instance, 1, request, reader);
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
