package io.miniinference.runtime.load;

import io.miniinference.device.ExecutionContext;
import io.miniinference.runtime.InferenceRequest;
import io.miniinference.runtime.ResponseReader;
import io.miniinference.runtime.serve.ArenaSpec;
import io.miniinference.runtime.serve.Instance;
import io.miniinference.runtime.serve.Serving;
import java.util.concurrent.Semaphore;

/// The launches of a [Specialisation] for batches up to one of its buckets, with staging of that
/// size.
///
/// @param most rows
/// @param arenaBytes that a request borrows
/// @param turn one request at a time
/// @param spec its arenas, whose weights lie where they are in the pool
public record PreparedBatch(
    long most,
    long arenaBytes,
    ExecutionContext commands,
    Semaphore turn,
    ArenaSpec spec,
    Serving serving)
    implements AutoCloseable {

  /// Serves a request of `rows` in an arena at `arena`.
  public <T> T serve(long arena, int rows, InferenceRequest request, ResponseReader<T> reader) {
    Instance instance = new Instance(most, true, commands, spec.buckets(arena, most, 0), arena);
    serving.clear(instance, rows);
    return serving.serve(instance, rows, request, reader);
  }

  /// Waits for the request in flight and releases what was prepared.
  @Override
  public void close() {
    turn.acquireUninterruptibly();
    commands.close();
  }
}
